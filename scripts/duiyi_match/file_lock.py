"""Locks on files: two runs never write the same file."""

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


def lock(file):
    """Locks an open file until it is closed. Raises BlockingIOError if another process has locked it."""
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
