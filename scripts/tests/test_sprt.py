"""sprt.sh in a small repository, with a substitute for cargo that builds mock engines."""

import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import MOCK_COMMAND

SCRIPTS = Path(__file__).resolve().parents[1]

CARGO = f"""#!/bin/sh
while [ "$1" != --manifest-path ]; do shift; done
mkdir -p "$CARGO_TARGET_DIR/release"
score=$(cat "$(dirname "$2")/score")
echo "built $score" >> "$LOG"
printf '#!/bin/sh\\nexec {shlex.join(MOCK_COMMAND)} score=%s\\n' "$score" > "$CARGO_TARGET_DIR/release/duiyi"
chmod +x "$CARGO_TARGET_DIR/release/duiyi"
"""

MAKEFILE = ".PHONY: scripts\nscripts:\n\tmkdir -p target/scripts-venv/bin && cp -p python target/scripts-venv/bin\n"


def program(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def repository(tmp_path):
    """A repository where the engine on main loses every game against the working tree.

    Returns its folder, a function that runs a command there, and the log of builds.
    """
    root = tmp_path / "a folder"
    shutil.copytree(SCRIPTS, root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "Makefile").write_text(MAKEFILE)
    program(root / "python", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    (root / ".gitignore").write_text("target\n__pycache__\n")
    cargo = program(tmp_path / "cargo", CARGO)
    environment = {**os.environ, "CARGO": str(cargo), "LOG": str(tmp_path / "log"), "GIT_CONFIG_GLOBAL": os.devnull}
    environment.pop("CARGO_TARGET_DIR", None)

    def run(*command, code=0):
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, done.stderr
        return done.stdout, done.stderr

    (root / "score").write_text("-900")
    run("git", "init", "--quiet", "--initial-branch=main")
    run("git", "add", ".")
    run("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--message=base")
    run("git", "config", "user.name", "t")
    run("git", "config", "user.email", "t@t")
    (root / "score").write_text("900")
    return root, run, tmp_path / "log"


def test_working_tree_against_main_plays_until_decision(repository):
    root, run, log = repository
    quick = ["--each", "nodes=1", "--resign", "movecount=1", "--sprt", "elo0=0", "elo1=200"]
    out, _ = run("scripts/sprt.sh", "main", "", *quick)
    assert "new against base" in out and "H1 accepted" in out
    again, _ = run("scripts/sprt.sh")
    assert again == out, "a decided test plays no more games"
    assert log.read_text().split("\n") == ["built -900", "built 900", ""], "and builds nothing"
    other, _ = run("scripts/sprt.sh", "main", "", *quick[:-1], "elo1=100")
    assert "100" in other and other != out, "different arguments start another test"
    assert run("scripts/sprt.sh", "main", "", *quick)[0] == out, "the first test still exists"
    assert (root / "score").read_text() == "900", "the working tree is unchanged"


def test_wrong_revision_prints_one_line(repository):
    _, run, log = repository
    assert run("scripts/sprt.sh", "nothing", code=2)[1].startswith(
        "sprt.sh: expected a revision of this repository, got 'nothing'"
    )
    assert "with equal files" in run("scripts/sprt.sh", "main", "HEAD", code=2)[1]
    assert not log.exists()
