"""Tuning of an engine's numbers by SPSA: `scripts/spsa.py`."""
