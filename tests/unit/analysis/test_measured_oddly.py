"""What is measured of odd targets, and the shape of what is told."""

from __future__ import annotations

import json

import pytest

from foveate.analysis.analyze import analyze_data, as_json, as_json_of
from foveate.core.regions import Box
from foveate.core.truths import Target
from tests.unit.analysis.looked import Sample, dataset

SIZE_HW = (60, 80)
BOX = Target(Box((10, 10, 50, 40)))


def test_a_thin_box_of_a_data_set_of_boxes_is_exact() -> None:
    thin = Target(Box((10.2, 10.2, 10.4, 10.3)))
    found = analyze_data(dataset([Sample([thin])], SIZE_HW, "box")).columns
    assert found.coverage[0] == pytest.approx(0.2 * 0.1 / 4800)
    assert found.centre[0].tolist() == pytest.approx([10.3 / 80, 10.25 / 60])


def test_no_fact_hides_a_measure() -> None:
    names = ("n", "coverage", "notes", "question", "by_answer", "quality", "against", "skills")
    plain = as_json(analyze_data(dataset([Sample([BOX])], SIZE_HW)))
    told = as_json(analyze_data(dataset([Sample([BOX], facts={name: ["z"] for name in names})], SIZE_HW)))
    assert {key: told[key] for key in plain if key != "quality"} == {
        key: plain[key] for key in plain if key != "quality"
    }
    its = {"by_n", "by_coverage", "by_notes", "fact question", "by_by_answer", "quality", "by_against", "skills"}
    assert {key for key in told if key not in plain} | {"quality"} == its
    assert all(list(told[key]) == ["z"] for key in its)


def test_of_samples_without_a_target_json_is_valid() -> None:
    none, one = analyze_data(dataset([Sample([])], SIZE_HW)), analyze_data(dataset([Sample([BOX])], SIZE_HW))
    told = json.loads(json.dumps(as_json_of([one, none, one]), allow_nan=False))
    assert told["against"][0]["n_grounded"] == 0
    assert told["against"][0]["location"] == {"x": {"mean": None, "sd": None}, "y": {"mean": None, "sd": None}}
    assert len(told["differences"]) == 7  # Of the last only: the other has no value.
