#!/usr/bin/env python3
"""Plays engines of UCI, Gomocup, UCCI, UCI-Cyclone and GTP against each other. `match.py --help` lists the options."""

import sys

if __name__ == "__main__":
    from duiyi_match.runner import main  # worker processes load this file too, but not the runner

    sys.exit(main())
