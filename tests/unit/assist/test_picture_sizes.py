"""Every picture of every size of photo: a single pixel, a panorama, a strip, regions at the border."""

from __future__ import annotations

import numpy as np
import pytest

from foveate.assist import Photo, hide_private, hide_rest, larger, outlined, soften, straighten
from foveate.assist.private import Found
from foveate.core.regions import Box, Mask, Polygon, Region, Shape
from foveate.core.rle import encode


def border(size_hw: tuple[int, int]) -> Mask:
    """Returns the pixels along all four sides."""
    mask = np.ones(size_hw, dtype=bool)
    mask[1:-1, 1:-1] = False
    return Mask(encode(mask))


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 2500), (2500, 2), (30, 5000), (33_000, 3)])
@pytest.mark.parametrize("kind", ["all", "border", "corner"])
def test_all_pictures_are_made(size_hw: tuple[int, int], kind: str) -> None:
    height, width = size_hw
    photo = Photo("a", np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8))
    shapes: dict[str, Shape] = {
        "all": Box((0, 0, width, height)),
        "border": border(size_hw),
        "corner": Polygon((((width, height), (width - 1, height), (width, height - 1)),)),
    }
    shape = shapes[kind]
    same_size = [
        hide_rest(photo, shape),
        hide_private(photo, None, found=[Found("face", Region(shape, 0.5), 0.5, "a face")]),
        *(soften(photo, shape, how) for how in ("blur", "pixelate", "feather")),
    ]
    for picture in same_size:
        assert picture.size_hw == size_hw
        assert picture.pixels is not photo.pixels
    for picture in (larger(photo, shape, contrast=True), straighten(photo, shape, lines=[])):
        assert 1 <= min(picture.size_hw) <= max(picture.size_hw) <= 2048
    outline = outlined(photo, shape).size_hw
    assert outline[0] % height == outline[1] % width == 0
    for picture in same_size:
        assert picture.pixels.dtype == np.uint8
        assert picture.alt
        assert picture.notes
