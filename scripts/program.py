"""Runs the program for the scripts that write documents."""

import subprocess
import sys
from pathlib import Path


def output_of(command, text=None):
    """Returns what a command prints; `text` is its input. Ends this script with one line if it fails."""
    script = Path(sys.argv[0]).name
    try:
        return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout
    except subprocess.CalledProcessError as error:
        sys.exit(f"{script}: {' '.join(command)} failed: {error.stderr.strip()}; no file is written")
    except OSError as error:
        sys.exit(f"{script}: expected a program, got {command[0]} ({error.strerror}); no file is written")
