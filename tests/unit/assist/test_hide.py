"""That nothing of what is hidden survives: two photos that differ only there give the same bytes, in every format."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.assist import Photo, hide_rest, outlined, soften
from foveate.assist.fresh import FORMATS
from foveate.assist.hide import filled, kept_pixels
from foveate.assist.shapes import margin_of, widened
from foveate.core.regions import Box, Mask, Polygon, Region, Shape
from foveate.core.rle import decode, encode
from foveate.errors import UsageError

Pixels = NDArray[np.uint8]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Shape, tuple[int, int], int]:
    """Returns a region, its photo's size and a seed for pixels: boxes, polygons and masks, often at the border."""
    height, width = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    seed = draw(st.integers(0, 2**32 - 1))
    x0, y0 = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    x1, y1 = draw(st.integers(x0 + 1, width)), draw(st.integers(y0 + 1, height))
    kind = draw(st.sampled_from(["box", "polygon", "mask", "thin"]))
    if kind == "box":
        return Box((x0, y0, x1, y1)), (height, width), seed
    if kind == "thin":  # No pixel's centre lies inside.
        return Box((x0 + 0.6, y0 + 0.6, x0 + 0.9, y0 + 0.9)), (height, width), seed
    if kind == "polygon":
        return Polygon((((x0, y0), (x1, y0), (x1, y1)),)), (height, width), seed
    mask = np.zeros((height, width), dtype=bool)
    mask[y0:y1, x0:x1] = np.random.default_rng(seed).random((y1 - y0, x1 - x0)) < 0.3
    mask[y0, x0] = True
    return Mask(encode(mask)), (height, width), seed


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=25)
@given(case=cases())
def test_what_is_hidden_leaves_no_trace(name: str, case: tuple[Shape, tuple[int, int], int]) -> None:
    """Everything outside region and margin is replaced by noise; the files are the same to the last bit."""
    shape, size_hw, seed = case
    random = np.random.default_rng(seed)
    first = random.integers(0, 256, (*size_hw, 3), dtype=np.uint8)
    kept = kept_pixels(shape, size_hw)
    second = np.where(kept[:, :, None], first, random.integers(0, 256, first.shape, dtype=np.uint8))
    for crop in (False, True):
        one, other = (hide_rest(Photo(n, pixels), shape, crop=crop) for n, pixels in (("a", first), ("b", second)))
        assert one.encode(name) == other.encode(name)
        assert (one.alt, one.notes) == (other.alt, other.notes)
    back = np.asarray(PIL.Image.open(io.BytesIO(hide_rest(Photo("a", first), shape).encode(name))).convert("RGB"))
    if FORMATS[name].lossless:
        assert np.array_equal(back[kept], first[kept])
        assert (back[~kept] == 128).all()


@settings(max_examples=60)
@given(case=cases())
def test_what_stays_is_the_region_and_a_margin_as_far_as_measured(case: tuple[Shape, tuple[int, int], int]) -> None:
    """All pairs of pixels are compared, without a distance transform."""
    shape, size_hw, _ = case
    inside = _touched(shape, size_hw)
    rows, columns = np.indices(size_hw)
    y, x = np.nonzero(inside)
    apart = np.hypot(rows[:, :, None] - y, columns[:, :, None] - x).min(axis=2)
    kept = kept_pixels(shape, size_hw)
    assert np.array_equal(kept, apart <= margin_of(size_hw))
    assert kept[inside].all()


def _touched(shape: Shape, size_hw: tuple[int, int]) -> NDArray[np.bool_]:
    """Returns the region's pixels; of one without any those that it touches."""
    pixels = decode(shape.rle(size_hw))
    if not pixels.any():
        x0, y0, x1, y1 = shape.xyxy
        pixels[int(y0) : int(np.ceil(y1)), int(x0) : int(np.ceil(x1))] = True
    return pixels


@pytest.mark.parametrize("name", ["jpeg", "webp", "avif"])
def test_the_regions_own_pixels_stay_within_the_codecs_error(name: str) -> None:
    """A smooth region beside a hard edge of fill: no worse than the codec does a smooth picture (within 6 levels)."""
    ramp = np.add.outer(np.arange(80), np.arange(120)).astype(np.uint8)
    photo = Photo("a", np.dstack([ramp, 255 - ramp, ramp // 2]))
    box = Box((30, 20, 90, 60))
    with PIL.Image.open(io.BytesIO(hide_rest(photo, box).encode(name))) as file:
        back = np.asarray(file.convert("RGB")).astype(int)
    assert np.abs(back - photo.pixels)[20:60, 30:90].mean() < 3
    assert np.abs(back - photo.pixels)[20:60, 30:90].max() < 24


def test_margin_sizes_colours_and_words() -> None:
    assert [margin_of(size) for size in ((480, 640), (50, 9000), (3000, 4000))] == [10, 4, 60]
    photo = Photo("a", np.full((100, 100, 3), 9, dtype=np.uint8))
    cup = Region(Box((40, 40, 60, 60)), 0.5, "cup")
    picture = hide_rest(photo, cup, fill=(1, 2, 3))
    assert picture.alt == "The photo with everything hidden but cup."
    assert picture.pixels[50, 36].tolist() == [9, 9, 9]
    assert picture.pixels[50, 35].tolist() == [1, 2, 3]
    assert hide_rest(photo, cup, crop=True).size_hw == (28, 28)
    assert "Nothing is hidden" in hide_rest(photo, Box((0, 0, 100, 100))).notes[0]
    assert not widened(np.zeros((3, 3), dtype=bool), 4).any()
    with pytest.raises(UsageError, match="no colour"):
        filled(photo.pixels, np.ones((100, 100), dtype=bool), (0, 0, 256))
    for elsewhere in (Box((100, 0, 120, 20)), Mask(encode(np.ones((3, 3), dtype=bool)))):
        with pytest.raises(UsageError, match="the region"):
            hide_rest(photo, elsewhere)
    with pytest.raises(UsageError, match="blur, pixelate, feather"):
        soften(photo, cup, "smear")  # type: ignore[arg-type]


@pytest.mark.parametrize("how", ["blur", "pixelate", "feather"])
def test_softened_pictures_keep_the_region_and_change_the_rest(how: str) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (90, 120, 3), dtype=np.uint8)
    box = Box((40, 30, 80, 60))
    soft = soften(Photo("a", noise), box, how).pixels  # type: ignore[arg-type]
    kept = kept_pixels(box, (90, 120))
    assert np.array_equal(soft[kept], noise[kept])
    far = ~widened(kept, 10)
    assert soft[far].std() < noise[far].std() / 2


def test_an_outline_lies_around_the_region_and_has_no_strip() -> None:
    photo = Photo("a", np.full((500, 500, 3), 90, dtype=np.uint8))
    picture = outlined(photo, Region(Box((200, 200, 300, 300)), None, "cup"), others=[Box((20, 20, 80, 80))])
    assert picture.size_hw == (500, 500)
    assert picture.alt == "The photo with cup outlined in yellow."
    yellow = (picture.pixels == (240, 228, 66)).all(axis=2)
    rows, columns = np.nonzero(yellow)
    assert 190 <= rows.min() < 200
    assert 300 <= columns.max() < 310
    assert (picture.pixels[200:300, 200:300] == 90).all()
    assert (picture.pixels == (86, 180, 233)).all(axis=2).any()
