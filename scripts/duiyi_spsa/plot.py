"""The picture of a tuning: one small plot for each parameter."""

import math

import matplotlib

from plot_file import save

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLUMNS = 4


def draw_values(tuner, output):
    """Draws each parameter's value over the pairs to a file. The shaded band is one step to both sides of the start."""
    columns = min(COLUMNS, len(tuner.parameters))
    rows = math.ceil(len(tuner.parameters) / columns)
    figure, grid = plt.subplots(rows, columns, figsize=(3.2 * columns, 2.2 * rows), sharex=True, squeeze=False)
    for index, axes in enumerate(grid.flat):
        if index >= len(tuner.parameters):
            axes.axis("off")
            continue
        parameter = tuner.parameters[index]
        axes.axhspan(parameter.value - parameter.step, parameter.value + parameter.step, alpha=0.15, color="tab:gray")
        axes.plot([values[index] for values in tuner.history], linewidth=1)
        axes.set_title(f"{parameter.name}: {parameter.value:g} → {tuner.values[index]:.1f}", fontsize=8)
        axes.tick_params(labelsize=7)
        axes.grid(True, alpha=0.3)
        if index >= len(tuner.parameters) - columns:  # the lowest plot of its column
            axes.tick_params(labelbottom=True)
            axes.set_xlabel("pairs of games", fontsize=8)
    figure.tight_layout()
    save(figure, output)
    plt.close(figure)
