from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.rle import Rle, encode, to_runs
from foveate.core.soft_maps import SoftMap
from foveate.errors import InputError, OutputError
from foveate.runs.jsonl_predictions import read_jsonl, write_jsonl
from tests.helpers import predicted, write
from tests.unit.runs.form_files import SIZES, lines

# Rows 2 and 3, columns 1 to 4: its box is 1, 2, 5, 4.
PIXELS = np.zeros((48, 64), dtype=bool)
PIXELS[2:4, 1:5] = True
MASK = Mask(encode(PIXELS))


def read(folder: Path, *values: Any) -> list[Prediction]:
    return list(read_jsonl(lines(*values)(folder), SIZES))


@pytest.mark.parametrize(
    ("region", "shape"),
    [
        ({"xyxy": [1, 2.5, 30, 40]}, Box((1, 2.5, 30, 40))),
        ({"xywh": [1, 2.5, 30, 40]}, Box((1, 2.5, 31, 42.5))),
        ({"rle": {"size": [48, 64], "counts": MASK.encoded.counts.decode()}}, MASK),
        ({"rle": {"size": [48, 64], "counts": to_runs(MASK.encoded)}}, MASK),
        ({"polygon": [[[1, 2], [5, 2], [5, 4], [1, 4]]]}, MASK),
        ({"polygon": [[[1, 2], [5, 2], [5, 3], [1, 3]], [[1, 3], [5, 3], [5, 4], [1, 4]]]}, MASK),
    ],
)
def test_a_line_is_an_id_and_a_region(region: dict[str, Any], shape: Box | Mask, tmp_path: Path) -> None:
    final = Region(shape, None)
    (prediction,) = read(tmp_path, {"id": "a.jpg", **region})
    assert prediction == Prediction("a.jpg", "ok", final=final, candidates=(final,), size_hw=(48, 64))
    (same,) = read(tmp_path, {"id": "a.jpg", "final": region})
    assert same == prediction


OUTLINE = {"polygon": [[[1, 2], [5, 2], [5, 4], [1, 4]]]}


def test_of_finals_only_candidates_are_looked_at_and_not_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], Polygon.rle

    def drawing(polygon: Polygon, size_hw: SizeHW) -> Rle:
        drawn.append(polygon)
        return draw(polygon, size_hw)

    monkeypatch.setattr(Polygon, "rle", drawing)

    def finals(*candidates: Any) -> Prediction:
        line = {"id": "a.jpg", "final": {**OUTLINE, "score": 0.9}, "candidates": list(candidates)}
        (found,) = read_jsonl(lines(line)(tmp_path), SIZES, finals_only=True)
        return found

    found = finals(*({**OUTLINE, "score": 0.8} for _ in range(50)), {"xyxy": [1, 2, 3, 4]})
    assert (found.final, found.candidates, len(drawn)) == (Region(MASK, 0.9), (), 1)
    faults: list[tuple[list[dict[str, Any]], str]] = [
        ([{**OUTLINE, "score": 0.1}, {**OUTLINE, "score": 0.2}], "come in the order of their score"),
        ([{"polygon": [[[1, 2], [99, 2], [5, 9]]]}], "pixels outside"),
        ([{"xyxy": [1, 2, 99, 4]}], "box"),
        ([{**OUTLINE, "xyxy": [1, 2, 3, 4]}], "a region is one of"),
    ]
    for faulty, said in faults:
        with pytest.raises(InputError, match=said):
            finals(*faulty)


def test_a_line_may_say_more(tmp_path: Path) -> None:
    said = {"score": 0.5, "label": "cat", "answer": "a cat", "answer_score": 0.25, "seconds": 2, "size_hw": [48, 64]}
    (prediction,) = read(tmp_path, {"id": "a.jpg", "xyxy": [1, 2, 3, 4], **said})
    assert prediction.final == Region(Box((1, 2, 3, 4)), 0.5, "cat")
    assert (prediction.answer, prediction.answer_score, prediction.seconds) == ("a cat", 0.25, 2.0)


def test_a_line_may_say_that_there_is_no_region(tmp_path: Path) -> None:
    none, failed = read(
        tmp_path,
        {"id": "a.jpg", "status": "no_region", "answer": "unanswerable"},
        {"id": "b.jpg", "status": "error", "reason": "It broke."},
    )
    assert (none.status, none.answer, none.reason) == ("no_region", "unanswerable", "The file gives no reason.")
    assert (failed.status, failed.reason) == ("error", "It broke.")


def test_the_size_of_a_photo_may_be_in_the_line(tmp_path: Path) -> None:
    line = {"id": "c.jpg", "polygon": [[[1, 2], [5, 2], [5, 4], [1, 4]]]}
    with pytest.raises(InputError, match="by the size of its photo, which nothing tells"):
        read(tmp_path, line)
    (prediction,) = read(tmp_path, {**line, "size_hw": [48, 64]})
    assert prediction.final == Region(MASK, None)
    assert prediction.size_hw == (48, 64)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({"answer": "a cat", "answer_score": 0.25}, ("a cat", 0.25)),
        ({"answer": "", "answer_score": 1}, ("", 1.0)),
        ({"answer_score": 0}, (None, 0.0)),
        ({"answer": 3, "answer_score": 0.25}, (None, 0.25)),
        ({"answer": ["a cat"], "answer_score": True}, (None, None)),
        ({"answer": "a cat", "answer_score": "0.5"}, ("a cat", None)),
        ({"answer": "a cat", "answer_score": 1.5}, ("a cat", None)),
        ({"answer": "a cat", "answer_score": float("nan")}, ("a cat", None)),
        ({"answer": "a cat", "answer_score": 10**400}, ("a cat", None)),
        ({"answer": None, "answer_score": None}, (None, None)),
    ],
)
def test_an_answer_outlives_its_region(said: dict[str, Any], kept: tuple[object, object], tmp_path: Path) -> None:
    path = lines({"id": "a.jpg", "xyxy": [30, 2, 1, 40], **said})(tmp_path)
    errors: list[InputError] = []
    (prediction,) = read_jsonl(path, SIZES, errors.append)
    assert (prediction.status, prediction.final, prediction.size_hw) == ("invalid_output", None, (48, 64))
    assert (prediction.answer, prediction.answer_score) == kept
    assert [prediction.reason] == [error.fault for error in errors]


def test_a_whole_number_is_an_id(tmp_path: Path) -> None:
    (prediction,) = read(tmp_path, {"id": 42, "xyxy": [1, 2, 3, 4]})
    assert prediction.id == "42"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"xyxx": [1, 2, 3, 4]}, "there is no key xyxx. Did you mean xyxy or xywh?"),
        ({"XYXY": [1, 2, 3, 4]}, "there is no key XYXY. Did you mean xyxy or xywh?"),
        ({"xyxy": [1, 2, 3, 4], "Score": 1}, "there is no key Score. Did you mean score or answer_score or seconds?"),
        ({"final": {"xyxy": [1, 2, 3, 4], "labels": 1}}, "there is no key labels. Did you mean label?"),
        ({"xyxy": [1, 2, 3, 4], "candidates": [{"scor": 1}]}, "there is no key scor. Did you mean score?"),
    ],
)
def test_a_misspelt_key_is_not_lost(values: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    path = lines({"id": "a.jpg", **values}, {"id": "b.jpg", "xyxy": [1, 2, 3, 4]})(tmp_path)
    with pytest.raises(InputError) as caught:
        list(read_jsonl(path, SIZES))
    assert str(caught.value) == f"{path}, line 1, a.jpg: {sentence}"
    errors: list[InputError] = []
    assert [p.status for p in read_jsonl(path, SIZES, errors.append)] == ["invalid_output", "ok"]
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("text", "sentence", "left"),
    [
        (
            '{"id": "b.jpg", "status": "no_region"}',
            ", line 2, b.jpg: it is here a second time, first line 1. Keep one row for it, or pass --skip-invalid to "
            "keep the first.",
            ["b.jpg"],
        ),
        ('{"xyxy": [1, 2, 3, 4]}', ", line 2: id is missing. Fix the line, or pass --skip-invalid.", ["b.jpg"]),
        (
            '{"id": null}',
            ", line 2: id is None; a text or a whole number is needed here. Fix the line, or pass --skip-invalid.",
            ["b.jpg"],
        ),
        ("[1]", ", line 2: this is a JSON list, not an object. Write one object a line.", ["b.jpg"]),
        (
            '{"id": "a.jpg", "id": "c.jpg"}',
            ", line 2: this is not valid JSON (the key id appears twice). Write one JSON object a line.",
            ["b.jpg"],
        ),
        (
            '{"foveate_run": {}}',
            ", line 2: this is the header of a run. Score the run itself, without --dataset.",
            None,
        ),
    ],
)
def test_lines_that_tell_no_sample(text: str, sentence: str, left: list[str] | None, tmp_path: Path) -> None:
    path = write(tmp_path / "lines.jsonl", '{"id": "b.jpg", "xyxy": [1, 2, 3, 4]}\n' + text + "\n")
    with pytest.raises(InputError) as caught:
        list(read_jsonl(path, SIZES))
    assert str(caught.value) == f"{path}{sentence}"
    if left is None:
        with pytest.raises(InputError, match="the header of a run"):
            list(read_jsonl(path, SIZES, lambda _: None))
    else:
        assert [prediction.id for prediction in read_jsonl(path, SIZES, lambda _: None)] == left


def test_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        list(read_jsonl(write(tmp_path / "lines.jsonl", "\n"), SIZES))
    assert str(caught.value) == f"{tmp_path / 'lines.jsonl'}: the file is empty. Each line must be an object."


def test_a_runs_lines_are_read_again(tmp_path: Path) -> None:
    final, other = Region(MASK, 0.5, "cat"), Region(Box((1, 2, 3, 4)), 0.75)
    unrated = Region(Box((1, 2, 3, 4)), None)
    given = [
        Prediction("a.jpg", "ok", "yes", 0.5, final, (other, final), (48, 64), 1.5, "kept"),
        Prediction("b.jpg", "no_region", candidates=(other,), size_hw=(48, 64), reason="nothing"),
        Prediction("c.jpg", "ok", final=final, candidates=()),
        Prediction("d.jpg", "ok", final=unrated, candidates=(unrated,)),
    ]
    assert write_jsonl(given, tmp_path / "lines.jsonl") == 4
    assert list(read_jsonl(tmp_path / "lines.jsonl", SIZES)) == given
    first = json.loads((tmp_path / "lines.jsonl").read_text().splitlines()[0])
    assert first["final"]["xyxy"] == [1, 2, 5, 4]


def test_what_the_form_cannot_hold(tmp_path: Path) -> None:
    out = tmp_path / "lines.jsonl"
    polygon = Region(Polygon((((0, 0), (9, 0), (0, 9)),)), 1)
    with pytest.raises(InputError) as caught:
        write_jsonl([Prediction("a.jpg", "ok", final=polygon)], out)
    assert str(caught.value) == (
        f"{out}: 1 prediction has a polygon (a.jpg), and the form has masks in its place. Give its mask."
    )
    assert not out.exists()
    remarks: list[str] = []
    soft = SoftMap(np.zeros((2, 2), dtype=np.float32), (1, 1, 0, 0))
    write_jsonl([Prediction("a.jpg", "no_region", reason="nothing", map=soft)], out, remarks.append)
    assert remarks == ["1 prediction has a score map (a.jpg); score maps stay with the run"]
    with pytest.raises(OutputError, match="there is a file already"):
        write_jsonl([predicted("a.jpg", None)], out)
