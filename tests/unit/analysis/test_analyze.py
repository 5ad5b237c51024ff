from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from foveate.analysis.analyze import analyze, analyze_data, as_json, as_json_of
from foveate.analysis.priors import grids, try_priors
from foveate.analysis.published import published, published_of
from foveate.datasets import toloka_vqa, vizwiz_grounding
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from tests.helpers import write


def own(path: Path, *rows: Mapping[str, Any]) -> str:
    """Writes samples on photos of 60 x 40 pixels; returns the file."""
    lines = [
        {"id": str(n), "image": f"{n}.png", "question": "What?", "width": 60, "height": 40, **row}
        for n, row in enumerate(rows)
    ]
    return str(write(path / "samples.jsonl", "".join(json.dumps(line) + "\n" for line in lines)))


def boxed(*xyxy: float, **facts: Any) -> dict[str, Any]:
    return {"targets": [{"box": list(xyxy)}], **facts}


def test_the_contract_to_the_letter(tmp_path: Path) -> None:
    """Of a whole, a half and a quarter of the photo; the quarter lies to the upper left, the half above."""
    path = own(
        tmp_path,
        boxed(0, 0, 60, 40, question="What is  THIS?", answer="Red.", quality="severe"),
        boxed(0, 0, 60, 20, question="what is this.", answer="red", quality="none"),
        boxed(0, 0, 30, 20, question="why", answer="No", quality="none"),
        {"question": "and this", "quality": "none"},
    )
    told = as_json(analyze(path))
    assert (told["n"], told["n_grounded"]) == (4, 3)
    assert told["location"]["x"]["mean"] == pytest.approx((0.5 + 0.5 + 0.25) / 3)
    assert told["location"]["y"]["mean"] == pytest.approx((0.5 + 0.25 + 0.25) / 3)
    assert told["location"]["x"]["sd"] == pytest.approx(0.25 * 2**0.5 / 3)  # Divided by n.
    assert (told["coverage"]["mean"], told["coverage"]["median"]) == (pytest.approx(1.75 / 3), 0.5)
    assert told["size_thirds"] == {"small": 1, "medium": 1, "large": 1}
    assert told["whole_image"] == {"n": 1, "share": pytest.approx(1 / 3)}
    assert told["points"] == {"mean": 4.0, "four_share": 1.0}
    assert told["parts"] == {"mean": 1.0, "one_share": 1.0}
    complexity = told["complexity"]
    assert (complexity["points"], complexity["bins"], complexity["median"]) == ("vertices", 10, 0.0)
    assert (complexity["zero_share"], complexity["zero_share_by_bins"]) == (1.0, {"10": 1.0, "20": 1.0, "50": 1.0})
    assert list(told["quality"]) == ["none", "severe"]
    assert (told["quality"]["none"]["n"], told["quality"]["none"]["coverage"]) == (2, 0.375)
    assert list(told["by_question"]) == ["what is this", "why"]
    this = told["by_question"]["what is this"]
    assert (this["n"], this["coverage"], this["points"], this["x"], this["y"]) == (2, 0.75, 4.0, 0.5, 0.375)
    assert {answer: found["n"] for answer, found in told["by_answer"].items()} == {"red": 2, "no": 1}


def test_other_bins_are_told_beside_the_usual_ones(tmp_path: Path) -> None:
    told = as_json(analyze(own(tmp_path, boxed(0, 0, 6, 4)), bins=7, points="contour"))
    assert (told["complexity"]["points"], told["complexity"]["bins"]) == ("contour", 7)
    assert list(told["complexity"]["zero_share_by_bins"]) == ["7", "10", "20", "50"]


def test_nothing_to_measure_is_told_as_nothing(tmp_path: Path) -> None:
    told = as_json(analyze(own(tmp_path, {})))
    assert (told["n"], told["n_grounded"]) == (1, 0)
    assert told["location"] == {"x": {"mean": None, "sd": None}, "y": {"mean": None, "sd": None}}
    assert (told["complexity"]["median"], told["points"]["four_share"]) == (None, None)
    assert told["quality"] == told["by_question"] == told["by_answer"] == {}


def test_a_column_that_is_called_as_a_measure_does_not_take_its_place(tmp_path: Path) -> None:
    facts = {"coverage": "high", "notes": "seen", "against": "x", "by_question": "y", "n": "z"}
    told = as_json(analyze(own(tmp_path, boxed(0, 0, 60, 20, **facts))))
    assert (told["n"], told["coverage"]["mean"], told["notes"]) == (1, 0.5, [])
    assert list(told["by_coverage"]) == ["high"]
    assert list(told["by_notes"]) == ["seen"]
    assert list(told["by_against"]) == ["x"]
    assert list(told["by_question"]) == ["what"]
    assert list(told["by_by_question"]) == ["y"]


def test_the_most_common_groups_only(tmp_path: Path) -> None:
    rows = [boxed(0, 0, 6, 4, question=question) for question in ("a", "b", "b", "c")]
    analysis = analyze(own(tmp_path, *rows))
    assert list(as_json(analysis, top=2)["by_question"]) == ["b", "a"]


def test_what_was_left_out_is_noted(tmp_path: Path) -> None:
    path = own(
        tmp_path,
        boxed(1.1, 1.1, 1.3, 1.3),
        {"width": None, "height": None, "targets": [{"box": [0, 0, 6, 4]}]},
        {"targets": [{"box": [0, 0, 6, 4]}, {"box": [9, 9, 12, 12]}]},
    )
    assert analyze(path).notes == [
        "left out, the size of their photo is not known: 1, 1",
        "left out, too small to hold the middle of a pixel: 1, 0",
    ]
    alone = analyze(path, only_one_region=True)
    assert (alone.n, alone.notes[0]) == (2, "samples without exactly one target are left out")


def test_rows_that_were_passed_over_are_noted(tmp_path: Path) -> None:
    path = own(tmp_path, boxed(0, 0, 6, 4), boxed(6, 6, 0, 0))
    (note,) = analyze(path, skip_invalid=True).notes
    assert note.startswith("invalid rows passed over: 1, the first: ")
    assert "samples.jsonl, line 2" in note


def test_a_part_is_said_to_be_a_part(tmp_path: Path) -> None:
    vizwiz_grounding.write_tiny(tmp_path)
    notes = analyze("vizwiz_grounding:val", tmp_path).notes
    assert any(note.startswith("3 samples, where the publisher states 1,131: this is a part") for note in notes)
    assert any(note.endswith("vizwiz_grounding:val is a part of it") for note in notes)


def test_too_few_bins(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--bins 1: entropy needs at least 2 bins"):
        analyze(own(tmp_path, boxed(0, 0, 6, 4)), bins=1)


def test_others_and_the_differences_to_them(tmp_path: Path) -> None:
    toloka_vqa.write_tiny(tmp_path / "cup")
    first = analyze(own(tmp_path, boxed(0, 0, 60, 40), boxed(0, 0, 60, 20)))
    told = as_json_of([first, analyze("toloka_vqa:train", tmp_path / "cup")])
    assert told["dataset"] == "own:samples.jsonl"
    assert [other["dataset"] for other in told["against"]] == ["toloka_vqa:train"]
    coverage = told["differences"][0]
    assert (coverage["measure"], coverage["mean_first"], coverage["cliff"]) == ("coverage", 0.75, -1.0)
    assert coverage["low"] <= coverage["difference"] <= coverage["high"]
    # Nothing varies in the number of points, so that no deviation is there to divide by.
    assert next(found for found in told["differences"] if found["measure"] == "points")["cohen"] is None
    json.dumps(told, allow_nan=False)
    assert "against" not in as_json_of([first])


def test_every_published_value_says_where_it_stands() -> None:
    assert all(value.source and value.over for value in published() if value.measure)
    severe = published_of("vizwiz_grounding:test", "coverage", "quality: severe")
    assert severe is not None
    assert severe.mean == 0.83
    assert published_of("vizwiz_grounding", "points") is None


@pytest.mark.parametrize("change", ["gone", "other id", "no target"])
def test_files_that_change_while_they_are_analysed_are_told(tmp_path: Path, change: str) -> None:
    row: dict[str, Any] = {"question": "Q?", "width": 10, "height": 10, "targets": [{"box": [0, 0, 5, 5]}]}
    rows = [row | {"id": str(n), "image": f"{n}.jpg"} for n in range(8)]
    file = write(tmp_path / "s.jsonl", "\n".join(map(json.dumps, rows)))
    data = open_dataset(str(file))
    analysis = analyze_data(data)
    found = grids(data, analysis)
    changed: list[dict[str, Any]] = {
        "gone": [],
        "other id": [rows[7] | {"id": "8"}],
        "no target": [rows[7] | {"targets": []}],
    }[change]
    write(file, "\n".join(map(json.dumps, rows[:7] + changed)))
    for look in (lambda: grids(data, analysis), lambda: try_priors(data, analysis, found)):
        with pytest.raises(InputError, match="have changed while they were analysed; without a target now: 7"):
            look()
