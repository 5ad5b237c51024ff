from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.annotation.renderings import Pixels, Pyramid, encoded, is_large, media_type, thumbnail, write_tiles


def read(data: bytes) -> Pixels:
    with PIL.Image.open(io.BytesIO(data)) as image:
        return np.asarray(image)


def slope(height: int, width: int) -> Pixels:
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([x * 255 // width, y * 255 // height, (x + y) % 256 // 2], axis=2).astype(np.uint8)


@pytest.mark.parametrize(
    ("size_hw", "levels", "sizes"),
    [
        ((1, 1), 1, [(1, 1)]),
        ((512, 512), 1, [(512, 512)]),
        ((513, 10), 2, [(257, 5), (513, 10)]),
        ((3_001, 4_097), 5, [(188, 257), (376, 513), (751, 1_025), (1_501, 2_049), (3_001, 4_097)]),
    ],
)
def test_each_level_is_half_of_the_next_rounded_up(
    size_hw: tuple[int, int], levels: int, sizes: list[tuple[int, int]]
) -> None:
    pyramid = Pyramid(size_hw)
    assert pyramid.levels == levels
    assert [pyramid.level_size(level) for level in range(levels)] == sizes
    assert pyramid.grid(0) == (1, 1)


def test_tiles_are_there_within_the_grid_only() -> None:
    pyramid = Pyramid((3_001, 4_097))
    assert pyramid.grid(4) == (6, 9)
    assert pyramid.has(4, 8, 5)
    for wrong in ((4, 9, 0), (4, 0, 6), (5, 0, 0), (-1, 0, 0), (4, -1, 0), (4, 0, -1)):
        assert not pyramid.has(*wrong)


@pytest.mark.parametrize(
    ("size_hw", "large"),
    [((2_000, 4_000), False), ((2_001, 4_000), True), ((10, 4_096), False), ((4_097, 10), True)],
)
def test_large_is_by_side_and_by_area(size_hw: tuple[int, int], large: bool) -> None:
    assert is_large(size_hw) is large


def test_up_to_a_megapixel_every_pixel_is_right() -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (1_000, 1_000, 3), dtype=np.uint8)
    data = encoded(pixels)
    assert media_type(data) == "image/png"
    assert np.array_equal(read(data), pixels)


def lines(height: int, width: int) -> Pixels:
    pixels = np.full((height, width, 3), 255, np.uint8)
    pixels[::7], pixels[:, ::5] = (255, 0, 0), (0, 0, 255)
    return pixels


def noise(height: int, width: int) -> Pixels:
    return np.random.default_rng(3).integers(0, 256, (height, width, 3), dtype=np.uint8)


def black_and_white(height: int, width: int) -> Pixels:
    return np.random.default_rng(3).choice(np.array([0, 255], np.uint8), (height, width, 3))


@pytest.mark.parametrize("make", [slope, lines, noise, black_and_white])
def test_a_large_photo_is_a_jpeg_that_looks_the_same(make: Callable[[int, int], Pixels]) -> None:
    pixels = make(1_200, 1_000)
    data = encoded(pixels)
    assert media_type(data) == "image/jpeg"
    assert np.abs(read(data).astype(int) - pixels.astype(int)).max() <= 20


@pytest.mark.parametrize(("size_hw", "small"), [((640, 960), (213, 320)), ((10, 20), (10, 20)), ((4_000, 1), (320, 1))])
def test_a_thumbnail_keeps_its_sides_in_proportion(size_hw: tuple[int, int], small: tuple[int, int]) -> None:
    assert read(thumbnail(slope(*size_hw))).shape[:2] == small


def test_tiles_put_together_are_the_photo(tmp_path: Path) -> None:
    pixels = slope(700, 1_100)
    write_tiles(pixels, tmp_path / "tiles")
    whole = np.zeros_like(pixels)
    for path in (tmp_path / "tiles" / "2").iterdir():
        column, row = map(int, path.name.split("_"))
        tile = read(path.read_bytes())
        whole[row * 512 : row * 512 + tile.shape[0], column * 512 : column * 512 + tile.shape[1]] = tile
    assert sorted(path.name for path in (tmp_path / "tiles").iterdir()) == ["0", "1", "2"]
    assert np.abs(whole.astype(int) - pixels.astype(int)).max() <= 20
    assert read((tmp_path / "tiles" / "0" / "0_0").read_bytes()).shape == (175, 275, 3)
