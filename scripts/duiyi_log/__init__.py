"""Search logs and the comments of PGN files, as tables and pictures: what `scripts/search_log.py` is made of."""
