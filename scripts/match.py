#!/usr/bin/env python3
"""Plays UCI and Gomocup engines against each other. `match.py --help` lists the options."""

import sys

from duiyi_match.runner import main

if __name__ == "__main__":
    sys.exit(main())
