"""The tour of the textbooks' claims: its figures are those of the program, and its commands run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import tour
from conftest import ROOT


def test_figures_of_the_tour_are_those_of_the_program(program):
    for name, text in tour.documents(program).items():
        assert "<<" not in text, "a figure of the template is unknown"
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == text, "make tour writes the figures again"


def test_commands_of_the_tour_run_and_are_the_same_in_both_languages(program, tmp_path):
    english, chinese = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in tour.NAMES)
    blocks = re.findall(r"```sh\n(.*?)```", english, re.DOTALL)
    assert blocks == re.findall(r"```sh\n(.*?)```", chinese, re.DOTALL)
    folders = [Path(program).parent, ROOT / "scripts", Path(sys.executable).parent, os.environ["PATH"]]
    environment = os.environ | {"PATH": os.pathsep.join(map(str, folders))}
    for command in dict.fromkeys(line for block in blocks for line in block.splitlines()):
        subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, check=True)
        if page := re.search(r"--html (\S+)", command):
            assert (tmp_path / page[1]).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_headings_are_the_same_in_both_languages_and_name_the_algorithms():
    english, chinese = (
        re.findall(r"^## (\d+)\. (.*)$", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.MULTILINE)
        for name in tour.NAMES
    )
    assert [number for number, _ in english] == [number for number, _ in chinese]
    for (_, name), (_, translated) in zip(english, chinese, strict=True):
        if name in ("Minimax", "Negamax", "Alpha-beta"):
            assert name.lower() in translated, "the page names the algorithm in English too"
