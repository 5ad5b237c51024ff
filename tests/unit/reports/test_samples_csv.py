from __future__ import annotations

import csv
from pathlib import Path

import foveate
from tests.helpers import write


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_sample_is_a_row(tmp_path: Path) -> None:
    lines = ["a.jpg,Where?,64,48,0,0,32,48,red", 'b.jpg,"What, ""this""?",64,48,,,,,']
    write(tmp_path / "q.csv", "image,question,width,height,left,top,right,bottom,answer\n" + "\n".join(lines) + "\n")
    rows = '{"id": "a.jpg", "xyxy": [0, 0, 64, 48], "score": 0.25, "answer": "Red"}\n'
    rows += '{"id": "b.jpg", "status": "no_region", "reason": "too dark, \\"really\\""}\n'
    write(tmp_path / "p.jsonl", rows)
    written = foveate.report(
        [tmp_path / "p.jsonl"], tmp_path / "s.csv", "folder", questions=tmp_path / "q.csv", resamples=0
    )
    assert written.size == (tmp_path / "s.csv").stat().st_size
    first, second = table(tmp_path / "s.csv")
    assert first == {
        **{"id": "a.jpg", "image": "a.jpg", "question": "Where?", "answers": "red", "coverage": "0.5"},
        **{"status": "ok", "iou": "0.5", "score": "0.25", "answer": "Red", "correct": "1"},
        **{"left": "0.0", "top": "0.0", "right": "64.0", "bottom": "48.0", "reason": ""},
    }
    assert (second["question"], second["coverage"], second["iou"]) == ('What, "this"?', "", "")
    assert (second["status"], second["reason"], second["left"]) == ("no_region", 'too dark, "really"', "")


def test_several_runs_have_their_name_before_the_column(tmp_path: Path) -> None:
    write(tmp_path / "q.csv", "image,question,width,height,left,top,right,bottom\na.jpg,Where?,64,48,16,12,48,36\n")
    for name in ("whole_image", "centre_box"):
        foveate.ground("folder", questions=tmp_path / "q.csv", grounder=name, out=tmp_path / name)
    foveate.report([tmp_path / "whole_image", tmp_path / "centre_box"], tmp_path / "s.csv", resamples=0, permutations=0)
    (row,) = table(tmp_path / "s.csv")
    assert (row["whole_image: iou"], row["centre_box: iou"]) == ("0.25", "1.0")
