"""What every aggregator promises: a whole card, its hand-derived cases, and a region within what was drawn."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest

from foveate import plugins
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Box, Mask, Polygon, Shape
from foveate.core.rle import encode, merge
from foveate.quality.aggregation import aggregator
from foveate.quality.aggregators._cases import SIZE, Case, boxes, outlines, people
from foveate.quality.drawings import Drawing, all_boxes

NAMES = list(plugins.modules("aggregators"))


def random_boxes(seed: int, count: int) -> list[Drawing]:
    """Returns boxes with fractions, near each other: people who mean the same."""
    rng = np.random.default_rng(seed)
    low, high = rng.uniform(0, 5, (count, 2)), rng.uniform(6, 12, (count, 2))
    return boxes(*((x0, y0, x1, y1) for (x0, y0), (x1, y1) in zip(low.tolist(), high.tolist(), strict=True)))


def random_mixed(seed: int, count: int) -> list[Drawing]:
    """Returns triangles, and one mask with a hole."""
    rng = np.random.default_rng(seed)
    shapes: list[Shape] = [
        Polygon((tuple((x, y) for x, y in rng.uniform(0, 12, (3, 2)).tolist()),)) for _ in range(count)
    ]
    holed = np.zeros(SIZE, dtype=bool)
    holed[2:10, 2:10] = True
    holed[5:7, 5:7] = False
    return people(*shapes, Mask(encode(holed)))


# With equals in size, a pair that is apart, and a pair of the same.
MANY = [
    boxes((0, 0, 4, 4), (8, 6, 12, 10)),
    boxes((1, 1, 5, 5), (1, 1, 5, 5)),
    *(random_boxes(seed, count) for seed, count in enumerate((2, 3, 4, 5))),
    outlines((0, 0, 4, 4), (8, 6, 12, 10)),
    *(random_mixed(seed, count) for seed, count in enumerate((1, 2, 3, 4))),
]


def taken_by(name: str) -> list[list[Drawing]]:
    takes = plugins.load("aggregators", name).CARD.takes
    return [one for one in MANY if "mask" in takes or all_boxes([drawing.shape for drawing in one])]


def alike(one: Shape | None, other: Shape | None) -> bool:
    """Returns whether two regions are the same: boxes by their sides, others by their pixels."""
    if one is None or other is None or isinstance(one, Box) or isinstance(other, Box):
        return one == other
    return one.rle(SIZE) == other.rle(SIZE)


def region(name: str, drawings: Sequence[Drawing]) -> Shape | None:
    return aggregator(name).region(drawings, SIZE)


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_complete(name: str) -> None:
    card: AggregatorCard = plugins.load("aggregators", name).CARD
    assert card.name == name
    assert all((card.title, card.summary, card.reference, card.limits, card.takes))
    assert set(card.takes) <= {"box", "mask"}
    assert card.gives in {"drawing", "mask", "box"}
    assert card.fewest >= 1


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_by_name_has_a_default_and_is_explained(name: str) -> None:
    module = plugins.load("aggregators", name)
    first, second, *others = inspect.signature(module.aggregate).parameters.values()
    assert (first.name, second.name) == ("drawings", "size_hw")
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in others)
    assert [p.name for p in others] == list(module.CARD.settings)
    assert all(module.CARD.settings.values())


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name in NAMES for case in plugins.load("aggregators", name).CASES]
)
def test_hand_derived_cases(name: str, case: Case) -> None:
    found = plugins.load("aggregators", name).aggregate(case.drawings, SIZE, **case.settings)
    assert alike(found, case.region), (case.title, found)


@pytest.mark.parametrize("name", NAMES)
def test_one_region_alone_gives_itself(name: str) -> None:
    card: AggregatorCard = plugins.load("aggregators", name).CARD
    for drawing, *_ in taken_by(name):
        found = region(name, [drawing])
        if card.gives == "box":
            assert found == Box(drawing.shape.xyxy)
        else:
            assert found is drawing.shape


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_people_matters_only_where_the_card_says_so(name: str) -> None:
    same = []
    for drawings in taken_by(name):
        expected = region(name, drawings)
        same += [alike(region(name, other), expected) for other in list(permutations(drawings))[:24]]
    assert all(same) != plugins.load("aggregators", name).CARD.by_order


@pytest.mark.parametrize("name", NAMES)
def test_the_region_is_of_the_kind_and_within_what_was_drawn(name: str) -> None:
    card: AggregatorCard = plugins.load("aggregators", name).CARD
    found = 0
    for drawings in taken_by(name):
        result = region(name, drawings)
        if result is None:
            continue
        found += 1
        assert result.problem(SIZE) is None
        if card.gives == "drawing":
            assert any(result is drawing.shape for drawing in drawings)
        elif card.gives == "box":
            x0, y0, x1, y1 = np.array([drawing.shape.xyxy for drawing in drawings]).T
            assert isinstance(result, Box)
            assert min(x0) <= result.xyxy[0] < result.xyxy[2] <= max(x1)
            assert min(y0) <= result.xyxy[1] < result.xyxy[3] <= max(y1)
        else:
            union = merge([drawing.shape.rle(SIZE) for drawing in drawings])
            assert merge([union, result.rle(SIZE)]) == union
    assert found > len(taken_by(name)) / 2


@pytest.mark.parametrize("name", NAMES)
def test_it_gives_the_same_again_and_nothing_of_nothing(name: str) -> None:
    for drawings in taken_by(name):
        assert alike(region(name, drawings), region(name, drawings))
    assert region(name, []) is None
