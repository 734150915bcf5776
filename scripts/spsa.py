#!/usr/bin/env python3
"""Tunes the numbers of an engine by SPSA. `spsa.py --help` lists the options."""

import sys

from duiyi_spsa.runner import main

if __name__ == "__main__":
    sys.exit(main())
