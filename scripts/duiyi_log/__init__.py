"""Search logs and PGN comments as tables and plots: the modules of `scripts/search_log.py`."""
