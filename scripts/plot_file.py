"""Image files of plots."""

import io
import os


def image(figure, ending):
    """Returns a figure of Matplotlib as the bytes of a .png or .svg file, with Duiyi's mark: see `duiyi_match.files`.

    Without a date, equal data give equal bytes.
    """
    metadata = {"Creator": "Duiyi", "Date": None} if ending == ".svg" else {"Software": "Duiyi"}
    data = io.BytesIO()
    figure.savefig(data, format=ending[1:], dpi=110, metadata=metadata)
    return data.getvalue()


def save(figure, output):
    """Writes a figure to an Output of `duiyi_match.files.picture`. Raises MatchError or OSError."""
    output.write(image(figure, os.path.splitext(output.path)[1].lower()))
