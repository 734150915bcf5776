#!/usr/bin/env python3
"""Draws the pictures of the play page for the documents, in headless Chromium. `make play-pictures` runs it."""

import argparse
import io
import shutil
import sys
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Error, sync_playwright

WAIT_SECONDS = 120
COLOURS = 128
CHESS = """
    begin("chess");
    game.settings.opponent = "none";
    game.load("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 (3... Nf6 4. O-O Nxe4) 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 *");
    writeChoices();
    ACTIONS.analyse();
"""
XIANGQI = """
    begin("xiangqi");
    game.settings.opponent = "none";
    game.load('[Variant "xiangqi"] \\n\\n1. C2=5 H8+7 2. H2+3 R9=8 3. R1=2 P7+1 *');
    writeChoices();
    refresh();
"""
PICTURES = {
    "play.png": ((1120, 720), "en-US", CHESS, "analysed.length === 3 && analysed[0].depth >= 14"),
    "play-xiangqi.png": ((390, 700), "zh-CN", XIANGQI, "true"),
}
"""For each picture: width and height of the window, language, what the page does, and when it is ready."""


def wait(page, condition):
    deadline = time.monotonic() + WAIT_SECONDS
    while not page.evaluate(condition):
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {WAIT_SECONDS} s for {condition}")
        time.sleep(0.05)


def draw(browser, play, size, language, script, condition):
    """Returns a picture of the page as PNG with few colours."""
    page = browser.new_page(viewport=dict(zip(("width", "height"), size)), locale=language, reduced_motion="reduce")
    page.goto(play.resolve().as_uri())
    wait(page, "document.body.dataset.ready === 'true'")
    page.evaluate(script)
    wait(page, condition)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    page.close()
    data = io.BytesIO()
    picture.save(data, "PNG", optimize=True)
    return data.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--play", type=Path, default=Path("play.html"), help="the play page [default: play.html]")
    parser.add_argument("--folder", type=Path, default=Path("docs"), help="folder of the pictures [default: docs]")
    arguments = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("play_pictures.py: expected Chromium (Debian package chromium), found none; no picture is drawn")
    try:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium)
            for name, how in PICTURES.items():
                data = draw(browser, arguments.play, *how)
                (arguments.folder / name).write_bytes(data)
                print(f"{arguments.folder / name}: {len(data) / 1e3:.0f} kB")
            browser.close()
    except (OSError, TimeoutError, Error) as error:
        sys.exit(f"play_pictures.py: {str(error).splitlines()[0]}; pictures are missing")


if __name__ == "__main__":
    main()
