from __future__ import annotations

import pytest

from foveate.core.option_texts import options_of
from foveate.core.regions import Box
from foveate.errors import UsageError
from foveate.quality.aggregation import aggregator
from foveate.quality.aggregators import majority, staple
from foveate.quality.aggregators._cases import SIZE, boxes, outlines


def test_an_aggregator_tells_its_name_and_what_was_set() -> None:
    assert aggregator("majority").told == "majority"
    assert aggregator("majority", {"ties": "in"}).told == "majority(ties=in)"
    assert aggregator("staple", {"rounds": "9", "margin": "1"}).told == "staple(margin=1.0, rounds=9)"


def test_options_reach_the_rule() -> None:
    two = boxes((0, 0, 4, 4), (1, 1, 5, 5))
    assert aggregator("smaller").region(two, SIZE) == Box((0, 0, 4, 4))
    assert aggregator("smaller", {"equals": "later"}).region(two, SIZE) == Box((1, 1, 5, 5))


@pytest.mark.parametrize(
    ("name", "settings", "problem"),
    [
        ("majorty", {}, "aggregator majorty: there is none of this name. Did you mean majority?"),
        ("majority", {"tie": "in"}, "majority.tie: the rule has no such option. Did you mean ties?"),
        ("majority", {"ties": "both"}, "majority.ties: both is none of out, in"),
        ("staple", {"rounds": "some"}, "staple.rounds: some is no whole number"),
        ("first", {"ties": "in"}, "first.ties: the rule has no such option. It has none."),
    ],
)
def test_what_is_none_is_told(name: str, settings: dict[str, str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        aggregator(name, settings)


def test_a_rule_for_boxes_refuses_outlines() -> None:
    with pytest.raises(UsageError, match="rule smaller: it is for boxes, and people drew polygons"):
        aggregator("smaller").region(outlines((0, 0, 4, 4)), SIZE)


def test_options_are_the_parameters_by_name_only() -> None:
    assert list(options_of(staple.aggregate)) == ["margin", "rounds", "most"]
    assert options_of(staple.aggregate) == {"margin": float, "rounds": int, "most": float}
    assert list(options_of(majority.aggregate)) == ["ties"]
