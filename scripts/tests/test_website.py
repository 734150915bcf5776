"""The site (`make site`): its links lead to files and headings in its folder, and its pages ask for nothing outside."""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import tour
from conftest import ROOT

WIDTHS = (390, 1440)
PLAY = "<!DOCTYPE html><title>Play</title>"
"""In place of the play page, which has tests of its own."""


def run(program, play, folder):
    command = [sys.executable, ROOT / "scripts/website.py", "--program", program, "--play", play, "--out", folder]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(program, tmp_path_factory):
    """Builds the site and returns its folder."""
    place = tmp_path_factory.mktemp("site")
    (place / "play.html").write_text(PLAY)
    for _ in range(2):  # The second replaces the first.
        done = run(program, place / "play.html", place / "out")
        assert done.returncode == 0, done.stderr
    return place / "out"


class Page(HTMLParser):
    """The names of headings in a page, its links, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.loads = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.add(attributes.get("id"))
        (self.links if tag == "a" else self.loads).extend(
            attributes[name] for name in ("href", "src") if attributes.get(name)
        )


def test_every_link_leads_to_a_file_and_a_heading_of_the_site(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    count = 0
    for path, page in pages.items():
        assert not any("://" in address for address in page.loads), path
        for address in [*page.links, *page.loads]:
            if "://" in address or address == "data:,":
                continue
            target, _, name = address.partition("#")
            file = (path.parent / unquote(target)).resolve() if target else path
            assert file.is_file() and site in file.parents, f"{path.name}: {address}"
            assert not name or unquote(name) in pages[file].names, f"{path.name}: {address}"
            count += 1
    assert count > 300
    for source in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        assert (site / source.relative_to(ROOT).with_suffix(".html")).is_file()


def test_tour_leads_to_its_pages_in_both_languages(site):
    names = {path.name for path in (site / "tour").iterdir()}
    assert len(names) >= 12
    for name in tour.NAMES:
        links = Page((site / "docs" / name).with_suffix(".html")).links
        assert {Path(link).name for link in links if link.startswith("../tour/")} == names


def test_pages_fit_their_width_and_ask_for_nothing_outside(browser, site):
    requests, faults = set(), []
    page = browser.new_page()
    page.on("request", lambda request: requests.add(request.url))
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    for name in (
        "index.html",
        "index.zh.html",
        "docs/tour.zh.html",
        "docs/strength.html",
        "protocol.html",
        "tour/game.html",
    ):
        page.goto((site / name).as_uri())
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
    page.goto((site / "index.html").as_uri())
    page.locator("a.start").click()
    assert page.title() == "Play"
    page.close()
    assert faults == []
    assert all(url.startswith(site.as_uri()) or url == "data:," for url in requests)


def test_other_folder_is_not_replaced(program, tmp_path):
    (tmp_path / "play.html").write_text(PLAY)
    done = run(program, tmp_path / "play.html", tmp_path)
    expected = f"expected a new or empty folder or a site, found other files in {tmp_path}; no site is written"
    assert (done.returncode, done.stderr) == (1, f"website.py: --out: {expected}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["play.html"]


def test_missing_program_gets_one_line(tmp_path):
    (tmp_path / "play.html").write_text(PLAY)
    done = run(tmp_path / "nothing" / "duiyi", tmp_path / "play.html", tmp_path / "out")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()
