"""Requirements of OpenBench's client (https://github.com/AndyGrant/OpenBench) on an engine: Makefile, `bench`,
`genfens`, options, and Engines/Duiyi.json. `make test-openbench` builds the program as the client does; otherwise a stand-in
for cargo takes the program of the other tests, because the build takes minutes."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import chess
import chess.engine
import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFIG = json.loads((ROOT / "Engines" / "Duiyi.json").read_text())
NAME = "Duiyi-0123ABCD"
"""A program name as the client uses it: engine and commit."""

PRESET_KEYS = {
    "test_presets": "both_branch both_bench both_network both_options both_time_control dev_branch dev_bench dev_network "
    "dev_options dev_time_control base_branch base_bench base_network base_options base_time_control test_bounds "
    "test_confidence test_max_games book_name upload_pgns priority throughput workload_size syzygy_wdl syzygy_adj "
    "win_adj draw_adj",
    "tune_presets": "both_branch both_bench both_network both_options both_time_control dev_branch dev_bench dev_network "
    "dev_options dev_time_control spsa_reporting_type spsa_distribution_type spsa_alpha spsa_gamma spsa_A_ratio "
    "spsa_iterations spsa_pairs_per book_name upload_pgns priority throughput syzygy_wdl syzygy_adj win_adj draw_adj",
    "datagen_presets": "both_branch both_bench both_network both_options both_time_control dev_branch dev_bench "
    "dev_network dev_options dev_time_control base_branch base_bench base_network base_options base_time_control "
    "book_name upload_pgns priority throughput workload_size syzygy_wdl syzygy_adj win_adj draw_adj "
    "datagen_custom_genfens datagen_play_reverses datagen_max_games",
}
"""The keys that the OpenBench server accepts. Any other key prevents its start."""


CARGO = """#!/bin/sh
[ "$*" = "build --release --locked --bin duiyi --target-dir $CARGO_TARGET_DIR" ] || exit 1
[ "$CARGO_PROFILE_RELEASE_LTO $CARGO_PROFILE_RELEASE_CODEGEN_UNITS" = "fat 1" ] || exit 1
case $RUSTFLAGS in "-C target-cpu=native --remap-path-prefix="*=crates) ;; *) exit 1 ;; esac
mkdir -p "$CARGO_TARGET_DIR/release" && cp '{program}' "$CARGO_TARGET_DIR/release/duiyi"
"""
"""The stand-in for cargo. It fails with other arguments than those of a build for this processor."""


@pytest.fixture(scope="module")
def build(tmp_path_factory, request):
    """Runs `make` in a copy of the sources. Returns the finished process and the folder of the program."""
    folder = tmp_path_factory.mktemp("openbench")
    shutil.copytree(ROOT, folder / "source", ignore=shutil.ignore_patterns("target", ".git", "__pycache__"))
    # Make passes its own settings on to the tests.
    environment = {
        name: value for name, value in os.environ.items() if name not in ("RUSTFLAGS", "MAKEFLAGS", "MFLAGS")
    }
    environment |= {"CARGO_TARGET_DIR": str(folder / "target")}
    if "DUIYI_BUILD" in os.environ:
        environment |= {"CARGO_NET_OFFLINE": "true"}
    else:
        (folder / "cargo").write_text(CARGO.replace("{program}", request.getfixturevalue("program")))
        (folder / "cargo").chmod(0o755)
        environment |= {"CARGO": str(folder / "cargo")}
    where = folder / "source" / CONFIG["build"]["path"]
    process = subprocess.run(
        ["make", "-j", f"EXE={NAME}"],
        cwd=where,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return process, where


@pytest.fixture(scope="module")
def start_program(build):
    """Returns a function that starts the program as the client does, with standard error in standard output."""

    def start_program(*arguments):
        command = [f"./{NAME}", *arguments]
        return subprocess.Popen(command, cwd=build[1], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    return start_program


def test_make_with_exe_writes_named_program(build):
    process, where = build
    assert process.returncode == 0, process.stdout.decode()
    assert os.access(where / NAME, os.X_OK)


@pytest.mark.skipif("DUIYI_BUILD" not in os.environ, reason="make test-openbench builds the program")
def test_program_names_no_folder_of_the_machine(build):
    program = (build[1] / NAME).read_bytes()
    folders = [Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")), build[1]]
    assert [folder for folder in folders if os.fsencode(folder) in program] == []


def test_install_writes_under_destdir_and_uninstall_removes_it(build, tmp_path):
    def make(target):
        command = ["make", target, f"EXE={NAME}", f"DESTDIR={tmp_path}", "PREFIX=/usr"]
        subprocess.run(command, cwd=build[1], check=True, capture_output=True)
        return {str(path.relative_to(tmp_path / "usr")) for path in tmp_path.rglob("*") if not path.is_dir()}

    installed = make("install")
    expected = {
        *("bin/duiyi", "bin/pbrain-duiyi", "bin/duiyi-cyclone", "bin/gtp-duiyi"),
        *("share/man/man1/duiyi.1", "share/man/man1/duiyi-analyse.1", "share/man/man1/duiyi-trace.1"),
        *("share/bash-completion/completions/duiyi", "share/zsh/site-functions/_duiyi"),
        *("share/fish/vendor_completions.d/duiyi.fish", "share/applications/duiyi.desktop"),
        *("share/games/plugins/uci/duiyi.eng", "share/doc/duiyi/README.md", "share/doc/duiyi/docs/gui.md"),
    }
    assert expected <= installed
    for name, first in (("duiyi", "id name Duiyi"), ("duiyi-cyclone", "id name Duiyi"), ("pbrain-duiyi", "UNKNOWN")):
        command = [tmp_path / "usr" / "bin" / name]
        reply = subprocess.run(command, input="uci\n", capture_output=True, text=True, check=True).stdout
        assert reply.startswith(first), name
    tools = set(
        re.findall(r"^duiyi\\-([a-z]+)\(1\)$", (tmp_path / "usr/share/man/man1/duiyi.1").read_text(), re.MULTILINE)
    )
    pages = {path.stem for path in (tmp_path / "usr/share/man/man1").iterdir()}
    assert pages == {"duiyi", *(f"duiyi-{tool}" for tool in tools)} and all(
        ".TH" in page.read_text() for page in (tmp_path / "usr/share/man/man1").iterdir()
    )
    assert make("uninstall") == set()


def test_compiler_version_meets_requirement():
    for requirement in CONFIG["build"]["compilers"]:
        name, version = re.fullmatch(r"(\w+)>=(\d+(?:\.\d+)+)", requirement).groups()
        version_text = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
        found = re.search(r"\d+(?:\.\d+)+", version_text).group()
        assert [int(n) for n in found.split(".")] >= [int(n) for n in version.split(".")]
    rust_version = re.search(r'^rust-version = "([\d.]+)"$', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
    assert version.startswith(rust_version)


def read_bench(output):
    """Returns nodes and nodes per second as the client parses them.

    It reads lines from last to first, replaces all but letters and digits by blanks, and takes the first match of each.
    """
    found = {}
    patterns = {
        "nodes": r"(\d+) +nodes|nodes +(\d+)|nodes searched +(\d+)",
        "nps": r"(\d+) +nps|nps +(\d+)|nodes second +(\d+)",
    }
    for line in reversed(output.strip().split("\n")):
        words = re.sub(r"[^a-z0-9]+", " ", line.lower())
        for name, pattern in patterns.items():
            if name not in found and (match := re.search(pattern, words)):
                found[name] = int(next(group for group in match.groups() if group))
    return found["nodes"], found["nps"]


def test_concurrent_benches_are_read_by_client_rules_and_count_equal_nodes(start_program):
    # The program of the other tests has every assertion and would take a minute for the whole `bench`.
    depth = [] if "DUIYI_BUILD" in os.environ else ["10"]
    processes = [start_program("bench", *depth) for _ in range(2)]
    outputs = [process.communicate()[0].decode("utf-8") for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    for output in outputs:
        last = re.fullmatch(r"(\d+) nodes (\d+) nps", output.rstrip("\n").split("\n")[-1])
        assert last and read_bench(output) == (int(last[1]), int(last[2])), output
    first, second = (read_bench(output)[0] for output in outputs)
    assert first == second > 100_000


def test_numbers_with_separators_or_decimals_are_misread():
    assert read_bench("info nodes 7 nps 8\n1,234,567 nodes 89.5 nps\n") == (567, 5)


def test_preset_options_are_valid_uci_options(build):
    """The client sets the options of presets, and UCI_Chess960 for Chess960 books."""
    with chess.engine.SimpleEngine.popen_uci(str(build[1] / NAME)) as engine:
        presets = [preset for kind in PRESET_KEYS for preset in CONFIG[kind].values()]
        words = [
            word for preset in presets for key, text in preset.items() if "options" in key for word in text.split()
        ]
        assert {word.split("=")[0] for word in words} == {"Threads", "Hash"}
        for word in words:
            name, value = word.split("=")
            option = engine.options[name]
            assert option.type == "spin" and option.min <= int(value) <= option.max
            engine.configure({name: value})
        assert engine.options["UCI_Chess960"].type == "check"


def genfens(start_program, count, seed, book, extra=""):
    """Runs `genfens` and returns the positions that the client reads from its output."""
    process = start_program(f"genfens {count} seed {seed} book {book} {extra}", "quit")
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    lines = output.decode("utf-8").split("\n")
    assert lines.pop() == "" and all(line.startswith("info string genfens ") for line in lines), lines
    return [line.split("genfens ")[1].rstrip() for line in lines]


def assert_valid_fens(fens, count):
    assert len(fens) == count == len(set(fens))
    for fen in fens:
        assert len(fen.split(" ")) == 6 and all(number.isdigit() for number in fen.split(" ")[4:])
        board = chess.Board(fen)
        assert board.is_valid() and any(board.legal_moves)


def test_genfens_without_book_depends_on_seed_only(start_program):
    fens = genfens(start_program, 20, 42, "None")
    assert_valid_fens(fens, 20)
    assert genfens(start_program, 20, 42, "None") == fens
    assert not set(genfens(start_program, 20, 43, "None")) & set(fens)


def test_genfens_with_book_continues_book_positions(start_program, build):
    books = build[1] / "Books"
    books.mkdir(exist_ok=True)
    (books / "two.epd").write_text(
        "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - hmvc 0; fmvn 1;\n4k3/pppp4/8/8/8/8/4PPPP/4K3 b - -\n"
    )
    fens = genfens(start_program, 10, 7, "Books/two.epd")
    assert_valid_fens(fens, 10)
    assert {sum(letter.isalpha() for letter in fen.split(" ")[0]) for fen in fens} <= {8, 9, 10}


def test_genfens_with_unknown_words_ignores_them(start_program):
    assert genfens(start_program, 2, 5, "None", "more words 3") == genfens(start_program, 2, 5, "None")


def test_config_has_keys_and_types_required_by_server():
    assert CONFIG["private"] is False and isinstance(CONFIG["source"], str)
    assert isinstance(CONFIG["nps"], int) and CONFIG["nps"] > 0
    build = CONFIG["build"]
    assert build.keys() == {"path", "compilers", "cpuflags", "systems"} and isinstance(build["path"], str)
    assert all(isinstance(word, str) for key in ("compilers", "cpuflags", "systems") for word in build[key])
    assert (ROOT / build["path"] / "Makefile").exists()
    for kind, keys in PRESET_KEYS.items():
        assert "default" in CONFIG[kind]
        assert {key for preset in CONFIG[kind].values() for key in preset} <= set(keys.split())


def test_presets_have_bounds_time_control_and_options(build):
    for name, preset in CONFIG["test_presets"].items():
        if name != "default":
            merged = CONFIG["test_presets"]["default"] | preset
            assert re.fullmatch(r"\[-?\d+\.\d\d, -?\d+\.\d\d\]", merged["test_bounds"])
            assert re.fullmatch(r"\d+\.\d\+\d\.\d+|N=\d+", merged["both_time_control"])
            assert {"Threads", "Hash"} == {word.split("=")[0] for word in merged["both_options"].split()}
