"""The picture of a training run."""

import json
import subprocess
import sys
from pathlib import Path

import loss_plot

SCRIPT = Path(loss_plot.__file__)


def epoch(number, held_out):
    losses = {"mix": held_out, "result": 0.1, "expected": 0.01}
    return {"epoch": number, "positions": 1000, "training": 0.9 * held_out, "held_out": losses}


def test_last_run_of_each_file_is_drawn(tmp_path):
    curve, picture = tmp_path / "run.jsonl", tmp_path / "losses.svg"
    epochs = [epoch(1, 0.5), epoch(2, 0.4), epoch(1, 0.3), epoch(2, 0.2), epoch(3, 0.1)]
    curve.write_text("".join(json.dumps(line) + "\n" for line in epochs))
    assert [line["held_out"]["mix"] for line in loss_plot.read_curve(curve)] == [0.3, 0.2, 0.1]
    subprocess.run([sys.executable, SCRIPT, curve, "-o", picture], check=True)
    assert "run, held out" in picture.read_text()


def test_other_file_is_one_line_of_error_and_no_picture(tmp_path):
    wrong, picture = tmp_path / "wrong.jsonl", tmp_path / "losses.png"
    for text in ["", "{}\n", "no json\n", '{"epoch":1}\n']:
        wrong.write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, wrong, "-o", picture], capture_output=True, text=True)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and "wrong.jsonl: expected" in done.stderr
        assert not picture.exists()


def test_image_that_cannot_be_written_is_one_line_of_error(tmp_path):
    curve = tmp_path / "run.jsonl"
    curve.write_text(json.dumps(epoch(1, 0.5)) + "\n")
    for name, message in (("none/x.png", "expected an image file"), ("x.foo", "ends in .png or .svg")):
        done = subprocess.run([sys.executable, SCRIPT, curve, "-o", tmp_path / name], capture_output=True, text=True)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and message in done.stderr
