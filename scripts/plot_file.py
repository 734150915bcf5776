"""Image files of plots."""


def save(figure, path):
    """Writes a figure of Matplotlib to `path`. Without a date, equal data give an identical file."""
    figure.savefig(path, dpi=110, metadata={"Date": None} if path.endswith(".svg") else None)
