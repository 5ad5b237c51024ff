"""`foveate dataset convert` as its user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from foveate.datasets import own


def foveate(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "foveate", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_losses_are_named_refused_and_accepted(tmp_path: Path) -> None:
    own.write_tiny(tmp_path / "in")
    source, out = tmp_path / "in" / "samples.jsonl", tmp_path / "out.json"
    refused = foveate("dataset", "convert", source, "--out", out, "--to", "coco")
    assert refused.returncode == 3
    told = refused.stderr.splitlines()
    assert told[0] == "1 sample has no region: the question is left out (000000000002.jpg)"
    assert told[-1].endswith("Pass --lossy to write the rest; jsonl and parquet hold everything.")
    assert not out.exists()
    done = foveate("dataset", "convert", source, "--out", out, "--to", "coco", "--lossy")
    assert (done.returncode, done.stdout) == (0, f"{out}: 2 of 3 samples as coco\n")
    again = foveate("dataset", "convert", source, "--out", out, "--to", "coco", "--lossy")
    assert again.returncode == 5


def test_json_options_and_photos(tmp_path: Path) -> None:
    own.write_tiny(tmp_path / "in")
    words = ("dataset", "convert", "own", "--root", tmp_path / "in", "--option", "form=jsonl")
    wrong = foveate(*words[:-1], "form", "--out", tmp_path / "out.parquet")
    assert (wrong.returncode, "not of the form NAME=VALUE" in wrong.stderr) == (2, True)
    words = (*words[:3], "--root", tmp_path / "in" / "samples.jsonl", *words[5:])
    done = foveate(*words, "--out", tmp_path / "out.parquet", "--photos", "link", "--only-one-region", "--json")
    values = json.loads(done.stdout)
    assert (values["form"], values["n"], values["kept"], values["losses"]) == ("parquet", 2, 2, {})
    assert values["photos"] == {"written": 2}
