#!/usr/bin/env python3
"""Runs `duiyi datagen` and `duiyi analyse` on the workers of a Dask cluster. `cluster.py --help` lists the options."""

import sys

from duiyi_cluster.runner import main

if __name__ == "__main__":
    sys.exit(main())
