"""The report of how far people agree."""

from __future__ import annotations

import json

import numpy as np
import pytest

from foveate.quality.agreement import agreement
from foveate.quality.alpha import Effort
from tests.unit.quality.made import boxed, crowd, judged


def test_a_report_by_hand() -> None:
    sent = [boxed("t", "b", 0, 0, 10, 10), boxed("t", "a", 0, 0, 10, 9), boxed("t", "c", 0, 0, 10, 5)]
    sent += [boxed("u", "a", 0, 0, 10, 10), boxed("u", "b", 20, 20, 30, 30), judged("v", "d", None)]
    found = agreement(sent, bins=2, worst=1)
    assert (found.judged, found.tasks, found.annotators, found.tasks_paired) == (6, 3, 4, 2)
    values = [0.9, 0.5, 5 / 9, 0.0]
    assert found.mean == pytest.approx(np.mean(values))
    assert found.median == pytest.approx(np.median(values))
    assert found.bins.tolist() == [1, 3]
    told = {person.name: (person.judged, person.drew, person.pairs, person.mean) for person in found.people}
    assert list(told) == ["a", "b", "c", "d"]
    assert told["a"][:3] == (2, 2, 3)
    assert told["a"][3] == pytest.approx((0.9 + 5 / 9 + 0) / 3)
    assert told["d"] == (1, 0, 0, None)
    (worst,) = found.worst
    assert (worst.task, worst.regions, worst.mean, worst.least) == ("u", 2, 0.0, 0.0)
    assert worst.relations == {"disjoint": 1}


def test_json_holds_all_of_it() -> None:
    found = agreement(crowd(1, 8), bins=10, effort=Effort(resamples=50, seed=4))
    values = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert (values["seed"], values["resamples"], values["pairs"]) == (4, 50, len(found.pairs.iou))
    assert [row["published"] for row in values["ranges"]] == [0.1, None, None, 0.2, 0.6]
    assert sum(row["share"] for row in values["histogram"]) == pytest.approx(1)
    assert (len(values["histogram"]), "published" in values["histogram"][0]) == (10, False)
    assert values["alpha"]["frame"] == "unit"
    assert values["limits"] == {"same": 0.8, "inside": 0.95}
    assert values["iou"]["low"] < values["iou"]["mean"] < values["iou"]["high"]
    assert [task["task"] for task in values["worst"]] == [task.task for task in found.worst]
    assert sorted(task["mean"] for task in values["worst"]) == [task["mean"] for task in values["worst"]]


def test_nothing_to_compare_is_said_not_counted_as_zero() -> None:
    values = agreement([]).as_dict()
    assert values["iou"] == {"mean": None, "low": None, "high": None, "median": None}
    assert {row["share"] for row in values["ranges"]} == {None}
    assert (values["alpha"]["value"], values["steps"], values["worst"]) == (None, [], [])


def test_the_interval_of_the_mean_draws_tasks_not_pairs() -> None:
    # One task of three and one of two people: a resample is one of three means.
    sent = [boxed("t", name, 0, 0, 10, 10) for name in "abc"]
    sent += [boxed("u", "a", 0, 0, 10, 10), boxed("u", "b", 20, 20, 30, 30)]
    found = agreement(sent, effort=Effort(resamples=200))
    assert (found.mean, found.mean_low, found.mean_high) == (0.75, 0.0, 1.0)
