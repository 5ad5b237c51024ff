from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from foveate.core.regions import Box, Mask
from foveate.core.rle import encode
from foveate.errors import UnavailableError, UsageError
from foveate.quality.aggregators import staple
from foveate.quality.aggregators._cases import SIZE, outline, outlines, people
from foveate.quality.drawings import Drawing, pixels


def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def none(name: str, *more: Any, **others: Any) -> Any:
        if name == "SimpleITK":
            raise ModuleNotFoundError(name)
        return real(name, *more, **others)

    monkeypatch.setitem(sys.modules, "SimpleITK", None)
    monkeypatch.setattr(builtins, "__import__", none)
    told = r"rule staple: it needs the package SimpleITK.* pip install 'foveate\[aggregation\]'"
    # Also of one person, of whom nothing need be computed: what is missing must not depend on the sample.
    with pytest.raises(UnavailableError, match=told):
        staple.aggregate(outlines((0, 0, 4, 4)), SIZE)


@pytest.mark.parametrize(
    "drawings",
    [
        # All alike, of two shapes, also where there is no background at all, of which the filter makes no number.
        people(outline(2, 2, 10, 8), Box((2, 2, 10, 8))),
        people(outline(0, 0, 16, 12), Box((0, 0, 16, 12)), Mask(encode(np.ones(SIZE)))),
    ],
)
def test_what_all_marked_is_the_region(drawings: Sequence[Drawing]) -> None:
    found = staple.aggregate(drawings, SIZE)
    assert found
    assert found.rle(SIZE) == drawings[0].shape.rle(SIZE)


def test_people_who_share_nothing_give_no_region() -> None:
    assert staple.aggregate(outlines((0, 0, 4, 4), (8, 8, 12, 12)), SIZE) is None
    assert staple.aggregate(outlines((0, 0, 4, 4), (8, 8, 12, 12), (5, 0, 8, 3)), SIZE) is None


def test_outlines_without_a_pixel_give_none() -> None:
    thin = [outline(1.1, 1.1, 1.2, 1.2), outline(3.1, 3.1, 3.2, 3.2)]
    assert [pixels(shape, SIZE) for shape in thin] == [0, 0]
    assert staple.aggregate(people(*thin), SIZE) is None


def test_who_is_always_apart_counts_less_than_two_who_agree() -> None:
    careful = [(3.0, 3.0, 10.0, 9.0), (3.0, 3.0, 11.0, 9.0), (3.0, 2.0, 10.0, 9.0)]
    careless = (0.0, 0.0, 5.0, 5.0)
    found = staple.aggregate(outlines(*careful, careless, careless), SIZE)
    assert found
    # The pixels of the careless pair outside are out, though two of five marked them.
    assert found.xyxy[0] >= 2
    assert pixels(found, SIZE) >= 6 * 7


def test_one_round_is_less_than_many() -> None:
    rng = np.random.default_rng(1)
    noisy = people(*(Mask(encode(rng.random(SIZE) < share)) for share in (0.3, 0.5, 0.6, 0.7)))
    one, many = (staple.aggregate(noisy, SIZE, margin=100, rounds=rounds) for rounds in (1, 100))
    assert one != many


def test_options_beyond_all_measure_are_the_most_there_is() -> None:
    drawings = outlines((2, 2, 10, 8), (2, 2, 10, 8), (3, 3, 10, 8))
    usual = staple.aggregate(drawings, SIZE, margin=100, rounds=1000)
    assert staple.aggregate(drawings, SIZE, margin=1.7e308, rounds=10**30) == usual


def test_it_takes_as_many_people_as_there_are() -> None:
    # Seven, where the filter's own call takes five images apart.
    found = staple.aggregate(outlines(*[(2, 2, 10, 8)] * 5, (3, 3, 10, 8), (2, 2, 9, 8)), SIZE)
    assert found
    assert found.rle(SIZE) == outline(2, 2, 10, 8).rle(SIZE)


def test_more_pixels_than_it_may_look_at_are_refused_at_once() -> None:
    size = (6_000, 8_000)
    # Boxes of 4,000 x 3,000 with a quarter more on each side, so that 6,000 x 4,500 pixels count: 27 megapixels each.
    drawings = people(Box((1_500, 1_000, 5_500, 4_000)), *[Box((1_500, 1_000, 5_400, 4_000))] * 3)
    with pytest.raises(UsageError) as caught:
        staple.aggregate(drawings, size)
    assert "4 drawings of 27.0 megapixels are more than the 100 that it may look at" in str(caught.value)
    assert "Take majority" in str(caught.value)
    assert "--set most=108." in str(caught.value)
    # Exactly at the limit it is done: here 14 x 10 pixels count of each of the three, as the photo ends there.
    three = outlines((2, 2, 10, 8), (2, 2, 10, 8), (3, 3, 10, 8))
    assert staple.aggregate(three, SIZE, most=120 * 3 / 1e6) is not None
    with pytest.raises(UsageError, match="Take majority"):
        staple.aggregate(three, SIZE, most=119 * 3 / 1e6)
