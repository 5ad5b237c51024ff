from __future__ import annotations

import numpy as np
import PIL.ImageColor
import pytest
from numpy.typing import NDArray

from foveate.core.rle import decode, merge
from foveate.core.soft_maps import SoftMap
from foveate.datasets._open import open_dataset
from foveate.perception.name_colour import NAMES, name_colour, oklab

# What nobody doubts: colours of things, picked by hand.
PICKED = {
    "black": ["#000000", "#101010", "#1b1a1d"],
    "white": ["#ffffff", "#f4f4f2", "#f8f8ff"],
    "grey": ["#808080", "#55585a", "#b5b5b5"],
    "red": ["#ff0000", "#c1121f", "#8b0000", "#d62828"],
    "orange": ["#ff8000", "#f58220", "#e8590c"],
    "yellow": ["#ffff00", "#ffd60a", "#f7e463"],
    "green": ["#008000", "#2e8b57", "#90ee90", "#6b8e23", "#1b4d2b"],
    "turquoise": ["#40e0d0", "#008b8b", "#20c5b5"],
    "blue": ["#0000ff", "#1e3a8a", "#87ceeb", "#4682b4", "#000080"],
    "purple": ["#800080", "#8a2be2", "#5b2a86", "#b39ddb"],
    "pink": ["#ffc0cb", "#ff69b4", "#e75480"],
    "brown": ["#8b4513", "#5c3a21", "#6f4e37"],
    "beige": ["#e8d8b0", "#d2b48c", "#f1e2c4"],
}
# Of the demo's colour questions, what is said first.
SAID = {
    "coffee#saucer": "red",
    "chelsea#eyes": "green",
    "astronaut#suit": "orange",
    "motorcycle#tank": "red",
    "flower#colour": "orange",
    "hopper#jacket": "black",
}


def of(*parts: tuple[str, int]) -> NDArray[np.uint8]:
    """Returns pixels: so many of each colour."""
    return np.concatenate([np.full((count, 3), PIL.ImageColor.getrgb(code), dtype=np.uint8) for code, count in parts])


@pytest.mark.parametrize(("name", "code"), [(name, code) for name, codes in PICKED.items() for code in codes])
def test_plain_colours(name: str, code: str) -> None:
    assert name_colour(of((code, 5))) == [(name, 1.0)]


def test_every_name_can_be_said() -> None:
    assert set(PICKED) == set(NAMES)


def test_the_conversion_agrees_with_published_values() -> None:
    """CSS Color Module Level 4 gives these for white and the primaries."""
    rgb = np.array([[255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [0, 0, 0]], dtype=np.uint8)
    expected = [
        [1.0, 0.0, 0.0],
        [0.62796, 0.22486, 0.12585],
        [0.86644, -0.23389, 0.17950],
        [0.45201, -0.03246, -0.31153],
        [0.0, 0.0, 0.0],
    ]
    np.testing.assert_allclose(oklab(rgb), expected, atol=5e-5)


def test_shares_add_up_and_come_largest_first() -> None:
    said = name_colour(of(("#ff0000", 50), ("#0000ff", 30), ("#008000", 20)))
    assert [name for name, _ in said] == ["red", "blue", "green"]
    assert [round(share, 2) for _, share in said] == [0.5, 0.3, 0.2]


def test_small_shares_are_left_out_but_never_the_first() -> None:
    assert [name for name, _ in name_colour(of(("#ff0000", 97), ("#0000ff", 3)))] == ["red"]
    assert len(name_colour(of(("#ff0000", 60), ("#0000ff", 40)), least=0.9)) == 1


def test_a_page_with_a_coloured_sign_is_white_first() -> None:
    assert [name for name, _ in name_colour(of(("#f0f0f0", 80), ("#1e50c8", 20)))] == ["white", "blue"]


@pytest.mark.parametrize(("blown_out", "names"), [(10, ["red"]), (40, ["red", "white"])])
def test_a_glint_is_no_colour_but_a_large_white_part_is(blown_out: int, names: list[str]) -> None:
    assert [n for n, _ in name_colour(of(("#c81414", 100 - blown_out), ("#ffffff", blown_out)))] == names


def test_the_shaded_side_has_the_colour_of_the_bright_one() -> None:
    """The same surface in a tenth of the light is named brown alone."""
    orange, shaded = "#e8781c", "#5a2c08"
    assert name_colour(of((shaded, 1)))[0][0] == "brown"
    assert [name for name, _ in name_colour(of((orange, 60), (shaded, 40)))] == ["orange"]
    assert [name for name, _ in name_colour(of((orange, 30), (shaded, 70)))] == ["brown", "orange"]


def test_the_cast_of_the_light_is_taken_back_where_white_is_seen() -> None:
    """Olive green in reddish light is brown, unless paper beside it shows the light."""
    mask = np.zeros((40, 40), dtype=np.bool_)
    mask[10:30, 10:30] = True
    photo = np.zeros((40, 40, 3), dtype=np.uint8)
    photo[mask], paper = (112, 92, 46), (183, 156, 146)
    assert name_colour(photo, mask)[0][0] == name_colour(photo[mask])[0][0] == "brown"
    photo[:4, :8] = paper  # 2 % of the photo.
    assert name_colour(photo, mask)[0][0] == "green"
    photo[0, 0] = 0
    assert name_colour(photo, mask)[0][0] == "brown"


def test_a_pale_thing_that_fills_the_photo_is_not_taken_for_white() -> None:
    photo = np.tile(of(("#cfe0ee", 1)), (20, 20, 1))
    mask = np.ones((20, 20), dtype=np.bool_)
    assert name_colour(photo, mask)[0][0] == "blue"


def test_a_large_photo_gives_what_a_small_one_gives() -> None:
    small = np.zeros((30, 40, 3), dtype=np.uint8)
    small[:, :10], small[:, 10:] = (200, 30, 30), (40, 60, 200)
    large = small.repeat(50, axis=0).repeat(50, axis=1)
    mask = np.zeros(large.shape[:2], dtype=np.bool_)
    mask[:, :1000] = True
    said = name_colour(large, mask)
    assert dict(said) == {"blue": pytest.approx(0.5, abs=0.01), "red": pytest.approx(0.5, abs=0.01)}
    speck = np.zeros_like(mask)
    speck[701, 1501] = True
    assert name_colour(large, speck) == [("blue", 1.0)]


@pytest.mark.parametrize(
    ("shape", "mask"), [((0, 3), None), ((5, 4), None), ((5,), None), ((4, 4, 3), (4, 5)), ((4, 4, 3), (4, 4))]
)
def test_what_cannot_be_named(shape: tuple[int, ...], mask: tuple[int, int] | None) -> None:
    empty = None if mask is None else np.zeros(mask, dtype=np.bool_)
    with pytest.raises(ValueError, match="not "):
        name_colour(np.zeros(shape, dtype=np.uint8), empty)


@pytest.mark.parametrize(("question", "name"), SAID.items())
def test_the_colours_of_the_demo(question: str, name: str) -> None:
    """Needs the demo's photos, which `make test` fetches first."""
    query, truth = next((q, t) for q, t in open_dataset("photos").samples() if q.id == question)
    assert query.image is not None
    assert query.size_hw is not None
    shapes = [target.shape for target in truth.targets if not isinstance(target.shape, SoftMap)]
    mask = decode(merge([shape.rle(query.size_hw) for shape in shapes]))
    assert name_colour(query.image.load(), mask)[0][0] == name
    assert any(name in answer for answer in truth.answers)
