"""The files of the scripts: no output replaces an input, another output or a file of other origin."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from test_compare import row
from test_loss_plot import epoch
from test_match import DRAW, engine, games, match  # noqa: F401  (a fixture)
from test_search_log import LOG

from duiyi_match.errors import MatchError
from duiyi_match.files import PAGE, Output, check_files, picture, read_file, replace_file

SCRIPTS = Path(__file__).resolve().parents[1]
MATCH = [*engine("a"), *engine("b"), "--each", "nodes=1", "--rounds", "1", *DRAW]
SAME = "expected another file than that of"


def run(folder, script, *arguments, code=0, full_disk=False):
    """Runs a script in `folder` and returns its only line of errors. With `full_disk` it can write no byte to a file."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))) if full_disk else None
    command = [sys.executable, SCRIPTS / script, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, preexec_fn=limit)
    assert done.returncode == code and done.stderr.count("\n") == (code != 0), done.stderr
    return done.stderr


def other_names(path):
    """Returns a path, a symlink and a hard link of a file."""
    (path.parent / "symlink").symlink_to(path.name)
    os.link(path, path.parent / "hardlink")
    return path.name, f"./{path.name}", "symlink", "hardlink"


def test_output_is_no_input_and_no_other_output(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_text("mine")
    for name in other_names(tmp_path / "x"):
        with pytest.raises(MatchError, match=f"--html: {SAME} an input, got the same one, {name}; nothing is written"):
            check_files([("an input", "x")], [Output("--html", name)])
    (tmp_path / "folder").mkdir()
    with pytest.raises(MatchError, match=f"--json: {SAME} --pgn"):
        check_files([], [Output("--pgn", "new"), None, Output("--json", "folder/../new")])
    with pytest.raises(MatchError, match="--pgn: expected a file, got the folder folder"):
        check_files([], [Output("--pgn", "folder")])
    (tmp_path / "dangling").symlink_to("new")
    with pytest.raises(MatchError, match=SAME):
        check_files([], [Output("--pgn", "new"), Output("--json", "dangling")])
    check_files([("an input", "/dev/null")], [Output("--pgn", "/dev/null"), Output("--json", "/dev/null")])


def test_file_is_replaced_only_with_a_mark_or_by_force(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("mine")
    with pytest.raises(MatchError, match=r"one of this kind by Duiyi, found another; nothing is written \(--force"):
        Output("--html", path, PAGE).write("new")
    assert path.read_text() == "mine"
    Output("--html", path, PAGE, force=True).write('<meta name="generator" content="Duiyi x">')
    Output("--html", path, PAGE).write("other")
    path.write_text("")
    Output("--html", path, PAGE).write("an empty file has nothing to lose")


def test_replacing_keeps_the_mode_and_the_target_of_a_link(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to("file")
    replace_file(link, "new\ud800")
    assert link.is_symlink() and path.read_text() == "new?" and path.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["file", "link"]


def test_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        with pytest.raises(OSError, match="file"):
            replace_file(path, "x" * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["file"]


def test_device_is_no_input():
    with pytest.raises(OSError, match="a device"):
        read_file("/dev/zero")


def test_name_of_a_picture_has_a_known_ending():
    with pytest.raises(MatchError, match="ends in .png or .svg, got x.pdf"):
        picture("--plot", "x.pdf")


@pytest.mark.parametrize("name", ["page.html", "pictures/game1.png"])
def test_search_log_replaces_its_own_files_only(tmp_path, name):
    (tmp_path / "log.jsonl").write_text("\n".join(LOG))
    (tmp_path / "pictures").mkdir()
    words = ["log.jsonl", "--html", "page.html", "--png", "pictures"]
    for _ in range(2):
        run(tmp_path, "search_log.py", *words)
    (tmp_path / name).write_text("mine")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert "--force" in run(tmp_path, "search_log.py", *words, code=2)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before, "nothing is written"
    run(tmp_path, "search_log.py", *words, "--force")
    assert (tmp_path / name).read_bytes() != b"mine"


def test_search_log_does_not_write_to_its_log_nor_to_a_full_disk(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(LOG))
    for name in other_names(log):
        assert SAME in run(tmp_path, "search_log.py", "log.jsonl", "--html", name, "--force", code=2)
    run(tmp_path, "search_log.py", "log.jsonl", "--html", "page.html")
    page = (tmp_path / "page.html").read_bytes()
    assert "page.html" in run(tmp_path, "search_log.py", "log.jsonl", "--html", "page.html", code=2, full_disk=True)
    assert (tmp_path / "page.html").read_bytes() == page and log.read_text() == "\n".join(LOG)


@pytest.mark.parametrize("ending", ["png", "svg"])
@pytest.mark.parametrize("script", ["loss_plot.py", "compare_plot.py"])
def test_plots_replace_their_own_pictures_only(tmp_path, script, ending):
    comparison = {"variant": "chess", "position": "startpos", "rows": [row("engine", 1, 20)]}
    data = {"loss_plot.py": epoch(1, 0.5), "compare_plot.py": comparison}[script]
    (tmp_path / "data").write_text(json.dumps(data) + "\n")
    words = ["data", "--output", f"x.{ending}"]
    for _ in range(2):
        run(tmp_path, script, *words)
    (tmp_path / f"x.{ending}").write_text("mine")
    assert "--force replaces it" in run(tmp_path, script, *words, code=1)
    run(tmp_path, script, *words, "--force")
    (tmp_path / f"data.{ending}").write_text("mine")
    assert SAME in run(tmp_path, script, f"data.{ending}", "-o", f"data.{ending}", "--force", code=1)
    assert "a device" in run(tmp_path, script, "/dev/zero", "-o", f"x.{ending}", code=1)


def test_documents_replace_their_own_pages_only(tmp_path):
    for script, name in (("tour.py", "tour.md"), ("compare_docs.py", "compare.md"), ("compare_docs.py", "compare.png")):
        path = tmp_path / name
        path.write_text("mine")
        line = run(tmp_path, script, "--program", "/no/duiyi", "--folder", ".", code=1)
        assert "--force replaces it" in line and path.read_text() == "mine"
        path.unlink()
    assert (
        "got /no/folder"
        in subprocess.run(
            [sys.executable, SCRIPTS / "compare_docs.py", "--folder", "/no/folder"], capture_output=True, text=True
        ).stderr
    )
    # The pages and the picture in docs have the marks.
    docs = SCRIPTS.parent / "docs"
    check_files([], [picture("--folder", docs / "compare.png")])


def test_match_writes_to_none_of_its_files_twice(match, tmp_path):  # noqa: F811
    (tmp_path / "book.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n")
    book = ["--openings", "file=book.epd"]
    assert f"--json: {SAME} --openings" in match(*MATCH, *book, "--json", "book.epd", "--force", code=2)[1]
    assert f"--json: {SAME} --journal" in match(*MATCH, "--journal", "k", "--json", "k", code=2)[1]
    assert f"--pgn: {SAME} --journal" in match(*MATCH, "--journal", "k", "--pgn", "./k", code=2)[1]
    assert f"--json: {SAME} --pgn" in match(*MATCH, "--pgn", "k", "--json", "k", code=2)[1]
    assert sorted(os.listdir(tmp_path)) == ["book.epd"], "nothing is written"
    match(*MATCH, "--pgn", "g.pgn")
    journal = (tmp_path / "match.jsonl").read_bytes()
    for name in other_names(tmp_path / "match.jsonl"):
        for option in ("--json", "--pgn"):
            line = match("--resume", "match.jsonl", option, name, "--force", code=2)[1]
            assert f"{option}: {SAME} --resume" in line
    assert f"--json: {SAME} --pgn" in match("--resume", "match.jsonl", "--json", "g.pgn", code=2)[1]
    assert (tmp_path / "match.jsonl").read_bytes() == journal and len(games(tmp_path / "g.pgn")) == 2


def test_match_replaces_its_own_results_only(match, tmp_path):  # noqa: F811
    pgn, results = tmp_path / "g.pgn", tmp_path / "r.json"
    words = [*MATCH, "--pgn", "g.pgn", "--json", "r.json"]
    match(*words)
    match("--resume", "match.jsonl")
    whole = pgn.read_text()
    for text in (whole[:30], whole[:-20], whole + "half a game", ""):
        pgn.write_text(text)
        match("--resume", "match.jsonl")
        assert pgn.read_text() == whole
    (tmp_path / "match.jsonl").rename(tmp_path / "old.jsonl")
    line = match(*words, code=2)[1]
    assert "g.pgn, or one of this kind by this match, found another; nothing is played (--resume FILE" in line
    assert pgn.read_text() == whole and not (tmp_path / "match.jsonl").exists()
    match(*words, "--force")
    assert len(games(pgn)) == 2
    for path in (pgn, results):
        path.write_text("mine")
        assert "--force replaces it" in match("--resume", "match.jsonl", code=2)[1]
        assert path.read_text() == "mine"
        match("--resume", "match.jsonl", "--force")
        assert path.read_text() != "mine"
    assert "expected no file match.jsonl" in match(*words, "--force", code=2)[1], "no journal is replaced"


def test_match_without_a_game_removes_only_what_it_created(match, tmp_path):  # noqa: F811
    (tmp_path / "null").symlink_to("/dev/null")
    (tmp_path / "empty.pgn").write_text("")
    # The engines start, but they refuse the game.
    words = [*MATCH, "--variant", "go"]
    for name in ("null", "empty.pgn", "new.pgn"):
        match(*words, "--pgn", name, code=1)
        assert sorted(os.listdir(tmp_path)) == ["empty.pgn", "null"]


def test_spsa_replaces_its_own_picture_only(tmp_path):
    (tmp_path / "p.txt").write_text("Hash, int, 8, 1, 64, 4, 0.01\n")
    words = ["--parameters", "p.txt", "--pairs", "1", *MATCH[:2], "nodes=10", *DRAW, "--random-openings", "0"]
    for option, name in (("--journal", "p.txt"), ("--plot", "spsa.jsonl"), ("--plot", "p.txt")):
        run(tmp_path, "spsa.py", *words, option, name, "--force", code=2)
    done = subprocess.run([sys.executable, SCRIPTS / "spsa.py", *words, "--plot", "x.svg"], cwd=tmp_path, check=True)
    assert done.returncode == 0
    (tmp_path / "x.svg").write_text("mine")
    assert "--force replaces it" in run(tmp_path, "spsa.py", "--show", "spsa.jsonl", "--plot", "x.svg", code=2)
    run(tmp_path, "spsa.py", "--show", "spsa.jsonl", "--plot", "x.svg", "--force")
    run(tmp_path, "spsa.py", "--show", "spsa.jsonl", "--plot", "x.svg")
