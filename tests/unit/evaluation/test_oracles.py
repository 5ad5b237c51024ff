"""The rungs by hand."""

from __future__ import annotations

import numpy as np
import pytest

from foveate.core.regions import Box
from foveate.core.soft_maps import SoftMap
from foveate.evaluation.anatomy import Tree
from foveate.evaluation.estimates import Draws
from foveate.evaluation.oracles import NAMES, Ladder, ladder
from foveate.evaluation.sweep import cuts
from tests.unit.evaluation.made import SIZE, asked, results, said

TARGET, ASIDE = Box((20, 20, 60, 60)), Box((70, 70, 90, 90))
QUARTER = Box((20, 20, 40, 40))
NONE = Draws(0)
SAMPLES = [
    (said("right", TARGET), asked("right", TARGET)),
    (said("quarter", QUARTER, others=[TARGET, ASIDE]), asked("quarter", TARGET)),
    (said("aside", ASIDE, others=[QUARTER]), asked("aside", TARGET)),
    (said("silent", None, others=[QUARTER]), asked("silent", TARGET)),
    (said("nothing", ASIDE, others=[TARGET]), asked("nothing")),
]


def values(found: Ladder) -> dict[str, float | None]:
    return {rung.name: rung.value.value for rung in found.rungs}


def test_the_rungs_by_hand() -> None:
    found = ladder(results(SAMPLES), None, draws=NONE)
    assert found.n == 4
    assert values(found) == {
        "now": pytest.approx((1 + 0.25) / 4),
        "best_candidate": pytest.approx((1 + 1 + 0.25 + 0.25) / 4),
        "perfect_extent": pytest.approx(2 / 4),
        "only_hits": 1.0,
    }
    rungs = {rung.name: rung for rung in found.rungs}
    assert rungs["best_candidate"].gain.value == pytest.approx((2.5 - 1.25) / 4)
    assert "(3 samples with further ones)" in rungs["best_candidate"].needs
    assert (rungs["only_hits"].n, rungs["now"].n) == (1, 4)
    assert rungs["now"].gain.value == 0
    assert rungs["only_hits"].gain.value is None
    assert [rung.oracle for rung in found.rungs] == [False, True, True, True]
    assert list(found.notes) == ["The run has no score maps, so that no threshold can be tried."]


def test_the_threshold_of_a_hit_moves_perfect_abstention() -> None:
    found = ladder(results(SAMPLES), None, tree=Tree(hit=0.2), draws=NONE)
    assert values(found)["only_hits"] == pytest.approx(1.25 / 2)


def test_without_candidates_a_sentence_instead_of_a_rung() -> None:
    found = ladder(results(SAMPLES[:1]), None, draws=NONE)
    assert [rung.name for rung in found.rungs] == ["now", "perfect_extent", "only_hits"]
    assert found.notes[0].startswith("The run has no candidates beside its final regions")


def test_maps_give_the_rungs_of_thresholds_and_samples_without_keep_what_they_have() -> None:
    plane = np.full(SIZE, 0.1)
    plane[20:60, 20:60] = 0.8
    soft = SoftMap.over(plane, SIZE)
    made = results(
        [
            (said("a", QUARTER, soft=soft), asked("a", TARGET)),
            (said("b", QUARTER), asked("b", TARGET)),
            (said("c", ASIDE, soft=soft), asked("c", TARGET)),
        ]
    )
    found = ladder(made, cuts(made), draws=NONE)
    for name in ("one_threshold@absolute", "cross_fitted@absolute", "each_threshold@absolute", "one_threshold@peak"):
        assert values(found)[name] == pytest.approx((1 + 0.25 + 1) / 3)
    assert [rung.name for rung in found.rungs if not rung.oracle] == [
        "now",
        "cross_fitted@peak",
        "cross_fitted@absolute",
    ]
    needs = {rung.name: rung.needs for rung in found.rungs}
    assert needs["one_threshold@absolute"].startswith("Its score map cut at 0.15, the best threshold")
    assert needs["one_threshold@peak"].startswith("Its score map cut at 0.15 of its highest value, the best")


def test_a_region_of_the_whole_photo_is_told_beside_perfect_extent() -> None:
    made = results([(said("a", Box((0, 0, 100, 100))), asked("a", TARGET)), SAMPLES[0]])
    needs = next(rung.needs for rung in ladder(made, None, draws=NONE).rungs if rung.name == "perfect_extent")
    assert needs.endswith("1 region covers the whole photo, and what covers everything touches every target.")


def test_people_are_the_last_rung() -> None:
    theirs = results([(said(t.id, TARGET), t) for _, t in SAMPLES], name="crowd")
    found = ladder(results(SAMPLES), None, people=theirs, draws=Draws(100))
    assert found.rungs[-1].value.value == 1.0
    assert found.rungs[-1].needs == "As good as people: crowd."
    assert not found.rungs[-1].oracle
    low, value, high = (getattr(found.rungs[-1].gain, name) for name in ("low", "value", "high"))
    assert 0 <= low <= value <= high


def test_the_names_are_in_order() -> None:
    found = ladder(results(SAMPLES), None, draws=NONE)
    places = [NAMES.index(rung.name) for rung in found.rungs]
    assert places == sorted(places)


def test_nothing_to_hit() -> None:
    found = ladder(results(SAMPLES[-1:]), None, draws=NONE)
    assert (found.n, list(found.rungs)) == (0, [])
    assert list(found.notes) == ["No sample has a target, so that there is nothing to gain."]
