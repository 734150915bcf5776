"""Matches between UCI engines: the modules of `scripts/match.py`."""
