from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks._challenge_files import DATASET, expected, write_entries
from benchmarks.challenge import Said, faults

from foveate.challenges.checking import check
from foveate.challenges.definition import DataReference, Phase
from foveate.challenges.pack import write_pack
from tests.helpers import SHARED, needs_shared

WANTED = {"a.csv": {"mean_iou": {"value": 0.25}}, "b.csv": {"mean_iou": {"value": 0.75}}}
SAID = Said(numbers={"a.csv": 1, "b.csv": 2})


def row(name: str, number: int, **more: Any) -> dict[str, Any]:
    usual = {"state": "scored", "why": "", "ended": 1, "metrics": WANTED.get(name)}
    return {"name": name, "number": number, **usual, **more}


def test_nothing_is_found_where_all_is_well() -> None:
    assert list(faults({"entries": [row("a.csv", 1), row("b.csv", 2)]}, SAID, WANTED)) == []


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([row("a.csv", 1)], ["b.csv is there 0 times"]),
        (
            [row("a.csv", 1), row("b.csv", 2), row("b.csv", 3)],
            ["b.csv is there 2 times", "b.csv is entry 3, its team heard 2"],
        ),
        (
            [row("a.csv", 1), row("b.csv", 2), row("c.csv", 3, state="lost", why="gone")],
            [
                "c.csv is there, and nobody sent it",
                "c.csv is entry 3, its team heard None",
                "c.csv: lost (gone), ended 1 times",
            ],
        ),
        ([row("a.csv", 1), row("b.csv", 2, ended=2)], ["b.csv: scored (), ended 2 times"]),
        ([row("a.csv", 1), row("b.csv", 2, state="scoring", ended=0)], ["b.csv: scoring (), ended 0 times"]),
        (
            [row("a.csv", 2), row("b.csv", 4)],
            [
                "the numbers have gaps or doubles: [2, 4]",
                "a.csv is entry 2, its team heard 1",
                "b.csv is entry 4, its team heard 2",
            ],
        ),
    ],
)
def test_what_is_lost_or_doubled_is_found(entries: list[dict[str, Any]], found: list[str]) -> None:
    assert list(faults({"entries": entries}, SAID, WANTED)) == found


def test_another_last_digit_is_found() -> None:
    wrong = row("b.csv", 2, metrics={"mean_iou": {"value": 0.7500000000000001}})
    assert list(faults({"entries": [row("a.csv", 1), wrong]}, SAID, WANTED)) == [
        "b.csv has {'mean_iou': {'value': 0.7500000000000001}}, foveate score says {'mean_iou': {'value': 0.75}}"
    ]


def test_what_was_refused_is_a_fault() -> None:
    said = Said(numbers={"a.csv": 1}, refused=["b.csv: no"])
    assert list(faults({"entries": [row("a.csv", 1)]}, said, WANTED)) == ["b.csv: no", "b.csv is there 0 times"]


@needs_shared
def test_files_are_right_differ_and_are_the_same_again(tmp_path: Path) -> None:
    data = SHARED / "toloka"
    files = write_entries(data, tmp_path / "one", 2, 2)
    again = write_entries(data, tmp_path / "two", 2, 2)
    texts = [files[key].read_text() for key in sorted(files)]
    assert len(set(texts)) == 4
    assert texts == [again[key].read_text() for key in sorted(again)]
    phase = Phase("evaluation", "Evaluation", "evaluation", "data", forms=("toloka",))
    sizes = write_pack(DataReference(DATASET, data), tmp_path / "packs").sizes
    assert all(check(path, sizes, phase).problems == () for path in files.values())
    # Noise takes from the crowd's 88.02, and the more the further down a team stands.
    best, worst = (expected(files[key], data)["mean_iou"]["value"] for key in ((0, 0), (1, 1)))
    assert 0.2 < worst < best < 0.8802
