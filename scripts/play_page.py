#!/usr/bin/env python3
"""Puts the play page together: one HTML file with the engine as WebAssembly, packed. `make play` builds both."""

import argparse
import base64
import gzip
import os
import re
import sys
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[1] / "src" / "tools" / "pages"
STYLES = ("style.css", "play/play.css")
WORKER = ("play/host.js", "play/worker.js")
SCRIPTS = ("elements.js", "pieces.js", "boards.js", "charts.js", "tree_layout.js", "tree_search.js")
SCRIPTS += ("play/texts.js", "language.js")
SCRIPTS += tuple(
    f"play/{name}.js"
    for name in ("host", "levels", "engine", "clock", "game", "tree_board", "board", "editor", "view", "graph", "play")
)
IMPORTS = ("now", "poll", "reply", "failed")
"""What the engine may import from the page: module `host`."""


def number(data, at):
    """Reads an unsigned number in LEB128. Returns it and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def imports(module):
    """Returns the imports of a WebAssembly module, as `module.name`, in order."""
    if module[:8] != b"\0asm\1\0\0\0":
        raise ValueError("expected a WebAssembly module, found another file")
    at, found = 8, []
    while at < len(module):
        section, (size, at) = module[at], number(module, at + 1)
        end = at + size
        if section == 2:
            count, at = number(module, at)
            for _ in range(count):
                names = []
                for _ in range(2):
                    length, at = number(module, at)
                    names.append(module[at : at + length].decode())
                    at += length
                if module[at] != 0:
                    raise ValueError(f"expected imports of functions only, found another kind: {'.'.join(names)}")
                _, at = number(module, at + 1)
                found.append(".".join(names))
        at = end
    return found


def page(module):
    """Returns the HTML of the page for an engine, the bytes of a WebAssembly module."""
    found, expected = sorted(imports(module)), sorted(f"host.{name}" for name in IMPORTS)
    if found != expected:
        raise ValueError(f"the engine: expected the imports {', '.join(expected)}, found {', '.join(found) or 'none'}")
    packed = base64.b64encode(gzip.compress(module, 9, mtime=0)).decode()
    parts = {"style": STYLES, "worker": WORKER, "script": SCRIPTS}
    parts = {name: "\n".join(map(template, files)) for name, files in parts.items()} | {"engine": packed}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template("play/index.html"))


def template(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", type=Path, help="the engine: a WebAssembly module")
    parser.add_argument("-o", "--out", type=Path, default=Path("play.html"), help="the page [default: play.html]")
    arguments = parser.parse_args()
    try:
        html = page(arguments.engine.read_bytes())
        # A page that a browser reads is replaced as a whole.
        part = arguments.out.with_name(f"{arguments.out.name}.{os.getpid()}.part")
        part.write_text(html, encoding="utf-8")
        part.replace(arguments.out)
    except (OSError, ValueError) as error:
        sys.exit(f"{error}, no page written")
    print(f"{arguments.out}: {len(html) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
