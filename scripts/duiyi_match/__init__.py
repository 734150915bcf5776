"""Matches between engines: what `scripts/match.py` is made of."""
