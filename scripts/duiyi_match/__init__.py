"""Matches between engines: the modules of `scripts/match.py`."""
