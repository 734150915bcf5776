"""Runs `duiyi datagen` and `duiyi analyse` on the workers of a Dask cluster."""
