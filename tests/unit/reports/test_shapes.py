"""The outline of a region is the region: painted by the even-odd rule it is the very mask that is scored."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.rle import encode
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Match, Target, Truth
from foveate.reports import shapes
from foveate.reports.shapes import comparable, counting, drawn

SIZE = (12, 16)


def painted(path: str, size_hw: tuple[int, int]) -> NDArray[np.bool_]:
    """Returns the pixels inside a path of level and upright steps: those with an odd number of upright edges left."""
    edges = np.zeros((size_hw[0], size_hw[1] + 1), dtype=int)
    for loop in path.split("M")[1:]:
        x, y = start = [int(v) for v in re.match(r"(\d+) (\d+)", loop).groups()]  # type: ignore[union-attr]
        steps = re.findall(r"([hv])(-?\d+)", loop)
        for kind, by in steps:
            if kind == "h":
                x += int(by)
            else:
                edges[min(y, y + int(by)) : max(y, y + int(by)), x] += 1
                y += int(by)
        assert x == start[0]  # What closes it is upright.
        edges[min(y, start[1]) : max(y, start[1]), x] += 1
    return np.asarray(np.cumsum(edges, axis=1)[:, :-1] % 2 == 1)


@given(arrays(bool, SIZE).filter(lambda mask: bool(mask.any())))
def test_the_path_of_a_mask_is_the_mask(mask: NDArray[np.bool_]) -> None:
    found = drawn(Mask(encode(mask)), SIZE)
    assert found.coarse == 1
    assert (painted(found.paths[0], SIZE) == mask).all()


def test_a_mask_with_a_hole_in_numbers() -> None:
    mask = np.zeros(SIZE, dtype=bool)
    mask[2:7, 3:9] = True
    mask[4, 5:7] = False
    assert drawn(Mask(encode(mask)), SIZE).paths == ("M3 2h6v5h-6zM7 4h-2v1h2z",)


def test_a_box_and_a_polygon_keep_their_corners() -> None:
    assert drawn(Box((1.5, 2, 10.25, 4)), SIZE).paths == ("M1.5 2H10.25V4H1.5Z",)
    polygon = Polygon((((0, 0), (4, 0), (4, 4.5)), ((8, 8), (12, 8), (8, 11))))
    assert drawn(polygon, SIZE).paths == ("M0 0L4 0 4 4.5Z", "M8 8L12 8 8 11Z")


def test_what_a_polygon_has_outside_is_not_scored_and_not_drawn() -> None:
    assert drawn(Polygon((((-5, 0), (30, 0), (4, 40)),)), SIZE).paths == ("M0 0L16 0 4 12Z",)


def test_of_a_soft_map_the_half_is_drawn() -> None:
    values = np.zeros(SIZE, dtype=np.float32)
    values[0, :3] = (0.4, 0.5, 1.0)
    assert drawn(SoftMap.over(values, SIZE), SIZE).paths == ("M1 0h2v1h-2z",)


def test_a_mask_of_another_size_is_not_drawn() -> None:
    found = drawn(Mask(encode(np.ones(SIZE))), (8, 8))
    assert found.paths == ()
    assert found.problem == "the mask is 16 wide and 12 high, not 8 wide and 8 high"


def test_noise_is_drawn_coarsely_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "MAX_PATH", 200)
    size = (64, 50)
    board = np.indices(size).sum(axis=0) % 2 == 0
    board[:, :20] = True
    found = drawn(Mask(encode(board)), size)
    assert found.coarse > 1
    assert len(found.paths[0]) <= 200
    inside = painted(found.paths[0], (64, 50 + found.coarse))
    assert inside[:, :20].all()


@pytest.mark.parametrize("corner", [(0, 0), (63, 49)])
def test_a_thin_region_is_not_lost_when_drawn_coarsely(
    corner: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shapes, "MAX_PATH", 5)
    mask = np.zeros((64, 50), dtype=bool)
    mask[corner] = True
    found = drawn(Mask(encode(mask)), (64, 50))
    assert found.paths[0].startswith("M")


def asked(match: Match, *targets: tuple[float, float, float, float]) -> Truth:
    return Truth("a", targets=tuple(Target(Box(xyxy)) for xyxy in targets), match=match, size_hw=SIZE)


def ok(xyxy: tuple[float, float, float, float]) -> Prediction:
    return Prediction("a", "ok", final=Region(Box(xyxy), 0.5), size_hw=SIZE)


def test_of_several_accepted_regions_the_best_counts() -> None:
    truth = asked("any", (0, 0, 2, 2), (4, 4, 9, 9))
    assert counting(truth, ok((5, 5, 9, 9))) == (1,)
    assert counting(truth, ok((0, 0, 3, 3))) == (0,)
    assert counting(truth, None) == (0, 1)
    assert counting(asked("union", (0, 0, 2, 2), (4, 4, 9, 9)), ok((5, 5, 9, 9))) == (0, 1)


def test_targets_of_several_answers_are_not_compared_with_one_region() -> None:
    assert not comparable(asked("per_answer", (0, 0, 2, 2), (4, 4, 9, 9)))
    assert comparable(asked("any", (0, 0, 2, 2), (4, 4, 9, 9)))
    assert not comparable(Truth("a"))


def test_specks_are_merged_before_their_outlines_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "MAX_CODE", 100)
    board = np.indices((64, 48)).sum(axis=0) % 2 == 0
    found = drawn(Mask(encode(board)), (64, 48))
    # Half of each four pixels is set, so that all of them are.
    assert (found.coarse, found.paths) == (2, ("M0 0h48v64h-48z",))
