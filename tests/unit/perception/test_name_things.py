"""These run the real network: the weights `efficientnet_lite2` must be in the cache, where the Makefile puts them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.datasets.photos import members
from foveate.perception.name_things import name_things, name_things_of, thing_names
from foveate.sources.images import FileImage
from foveate.sources.pinned import fetch


@pytest.fixture(scope="module")
def photos() -> dict[str, NDArray[np.uint8]]:
    return {member.name: FileImage(path).load() for member, path in fetch(members()).items()}


def test_a_thousand_names_in_imagenets_order() -> None:
    names = thing_names()
    assert len(set(names)) == len(names) == 1000
    # Places that are known by heart in the field.
    known = {0: "tench", 207: "golden retriever", 281: "tabby", 285: "Egyptian cat", 403: "aircraft carrier"}
    known |= {
        504: "coffee mug",
        620: "laptop",
        671: "mountain bike",
        817: "sports car",
        967: "espresso",
        999: "toilet tissue",
    }
    assert {place: names[place] for place in known} == known


@pytest.mark.parametrize(
    ("file", "among"),
    [
        ("chelsea.png", {"Egyptian cat"}),
        ("coffee.png", {"espresso"}),
        ("motorcycle_left.png", {"moped", "motor scooter", "disk brake"}),
    ],
)
def test_what_the_demo_photos_show(photos: dict[str, NDArray[np.uint8]], file: str, among: set[str]) -> None:
    (name, chance), *others = name_things(photos[file])
    assert name in among
    assert len(others) == 4
    assert 1 > chance >= max(chance for _, chance in others) >= 0


def test_a_part_of_a_photo(photos: dict[str, NDArray[np.uint8]]) -> None:
    assert name_things(photos["coffee.png"][50:350, 150:450], most=1)[0][0] in {"espresso", "cup", "coffee mug"}


def test_several_at_once_are_named_as_each_alone(photos: dict[str, NDArray[np.uint8]]) -> None:
    together = name_things_of(list(photos.values()), most=3)
    alone = [name_things(photo, most=3) for photo in photos.values()]
    assert [[name for name, _ in named] for named in together] == [[name for name, _ in named] for named in alone]
    assert [chance for named in together for _, chance in named] == pytest.approx(
        [chance for named in alone for _, chance in named], abs=1e-5
    )
    assert name_things_of([]) == []


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 700), (900, 2), (260, 260), (1200, 1600)])
def test_photos_of_any_size(size_hw: tuple[int, int]) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (*size_hw, 3), dtype=np.uint8)
    named = name_things(noise, most=1000)
    assert len(named) == 1000
    assert sum(chance for _, chance in named) == pytest.approx(1, abs=1e-4)
