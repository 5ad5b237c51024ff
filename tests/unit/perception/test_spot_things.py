"""Some run the real network: the weights `efficientnet_lite2` must be in the cache, where the Makefile puts them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.core.regions import Box
from foveate.datasets.photos import members
from foveate.perception.name_things import name_things, thing_names
from foveate.perception.phrase_book import phrase_book, whole_book
from foveate.perception.plain_names import plain_names
from foveate.perception.sessions import run
from foveate.perception.spot_things import NameMap, map_names, names_of_things, spot_thing
from foveate.sources.images import FileImage
from foveate.sources.pinned import fetch

HELMET = 518


def made(rows: int, columns: int, place: tuple[int, int], chance: float, name: int = HELMET) -> NameMap:
    chances = np.full((1000, rows, columns), 1e-6, dtype=np.float32)
    chances[name][place] = chance
    return NameMap(chances, (rows * 40, columns * 40))


@pytest.fixture(scope="module")
def photos() -> dict[str, NDArray[np.uint8]]:
    return {member.name: FileImage(path).load() for member, path in fetch(members()).items()}


def test_every_name_has_plain_words_in_the_networks_order() -> None:
    assert tuple(plain_names()) == thing_names()
    assert all(name.said for name in plain_names().values())


def test_every_thing_stands_in_the_book() -> None:
    assert {name.thing for name in plain_names().values()} - {""} <= set(whole_book().things)


@pytest.mark.parametrize(
    ("name", "said", "thing"),
    [
        ("kite", "bird of prey", "bird"),
        ("mouse", "computer mouse", "mouse"),
        ("plane", "carpenter's plane", ""),
        ("tank", "military tank", ""),
        ("bell pepper", "pepper", "vegetable"),
        ("ear", "corn", "vegetable"),
        ("cock", "rooster", "bird"),
        ("crane", "crane", "crane"),
        ("crane bird", "crane", "bird"),
        ("drake", "duck", "bird"),
        ("redbone", "dog", "dog"),
        ("boxer", "dog", "dog"),
        ("notebook", "laptop", "laptop"),
        ("pot", "flowerpot", "pottedplant"),
        ("swab", "mop", "broom"),
        ("horn", None, None),
    ],
)
def test_names_that_a_comparison_of_letters_gets_wrong(name: str, said: str | None, thing: str | None) -> None:
    plain = plain_names().get(name)
    assert (plain and plain.said, plain and plain.thing) == (said, thing)


def test_groups_come_from_the_book_or_from_the_table() -> None:
    assert "animal" in plain_names()["tiger"].groups
    assert "vehicl" in plain_names()["tractor"].groups
    assert plain_names()["violin"].groups == frozenset()


def test_the_means_of_the_places_are_the_names_of_the_whole() -> None:
    noise = np.random.default_rng(5).integers(0, 256, (2, 3, 260, 260)).astype(np.float32)
    values = (noise - 127) / 128
    scores = run("efficientnet_lite2_places", values).mean((2, 3))
    chances = np.exp(scores - scores.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    assert chances == pytest.approx(run("efficientnet_lite2", values), abs=1e-5)


def test_the_chances_of_all_names_at_a_place_sum_to_one(photos: dict[str, NDArray[np.uint8]]) -> None:
    names = map_names(photos["coffee.png"])
    assert names.chances.shape == (1000, 13, 20)
    assert names.chances.sum(0) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    ("file", "thing", "inside"),
    [
        ("astronaut.png", "helmet", (370, 420)),
        ("astronaut.png", "rocket", (400, 120)),
        ("chelsea.png", "cat", (290, 160)),
        ("coffee.png", "coffee", (300, 190)),
        ("rocket.jpg", "rocket", (325, 200)),
    ],
)
def test_things_of_the_demo_photos(
    photos: dict[str, NDArray[np.uint8]], file: str, thing: str, inside: tuple[int, int]
) -> None:
    spot = spot_thing(map_names(photos[file]), thing)
    assert spot is not None
    assert spot.score > 0.9
    left, top, right, bottom = spot.xyxy
    assert left < inside[0] < right
    assert top < inside[1] < bottom


def test_absent_things_are_unlikely(photos: dict[str, NDArray[np.uint8]]) -> None:
    names = map_names(photos["chelsea.png"])
    for thing in ("helmet", "bridge", "guitar", "oven"):
        spot = spot_thing(names, thing)
        assert spot is not None
        assert spot.score < 0.1


def test_a_thing_that_imagenet_does_not_have() -> None:
    assert spot_thing(made(3, 3, (1, 1), 0.5), "headlight") is None


def test_names_of_one_thing_count_together() -> None:
    names = made(3, 3, (1, 1), 0.3)
    chances = names.chances.copy()
    chances[thing_names().index("football helmet"), 1, 1] = 0.2
    spot = spot_thing(NameMap(chances, names.size_hw), "helmet")
    assert spot is not None
    assert spot.score == pytest.approx(0.5, abs=1e-4)


@given(st.integers(1, 12), st.integers(1, 12), st.data())
def test_the_box_holds_the_best_place_and_lies_in_the_photo(rows: int, columns: int, data: st.DataObject) -> None:
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    names = made(rows, columns, (row, column), data.draw(st.floats(0.01, 1.0)))
    spot = spot_thing(names, "helmet")
    assert spot is not None
    assert Box(spot.xyxy).problem(names.size_hw) is None
    left, top, right, bottom = spot.xyxy
    assert left <= column * 40 + 20 <= right
    assert top <= row * 40 + 20 <= bottom


def test_a_map_has_a_chance_for_each_name() -> None:
    with pytest.raises(ValueError, match="there are 1000 names"):
        NameMap(np.zeros((999, 2, 2), dtype=np.float32), (10, 10))


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 3000), (3000, 2), (260, 260)])
def test_photos_of_any_size(size_hw: tuple[int, int]) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (*size_hw, 3), dtype=np.uint8)
    names = map_names(noise)
    spot = spot_thing(names, "helmet")
    assert spot is not None
    assert Box(spot.xyxy).problem(size_hw) is None


def test_most_of_what_the_detector_knows_can_be_spotted_too() -> None:
    assert len(set(names_of_things()) & set(phrase_book().things)) >= 60
    assert len(name_things(np.zeros((8, 8, 3), dtype=np.uint8))) == 5
