"""Regions seen larger: windows by hand, and properties for any region of any photo."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.assist import Photo, larger
from foveate.assist.contrast import more_contrast
from foveate.assist.magnify import resized, times_said, view_of
from foveate.assist.shapes import Window
from foveate.core.regions import Box, Region
from foveate.errors import UsageError

NOISE = np.random.default_rng(5).integers(0, 256, (300, 400, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("box", "options", "window", "times"),
    [
        # A quarter of 100 x 40 on each side: 150 x 60, four times.
        ((100, 100, 200, 140), {}, Window(75, 90, 225, 150), 4.0),
        # At the corner the window is moved in, and stays as large.
        ((0, 0, 100, 40), {}, Window(0, 0, 150, 60), 4.0),
        ((300, 260, 400, 300), {}, Window(250, 240, 400, 300), 4.0),
        ((100, 100, 200, 140), {"context": 0}, Window(100, 100, 200, 140), 4.0),
        # A square holds the longer side; one that the photo has no room for ends with the photo.
        ((100, 100, 200, 140), {"aspect": 1.0}, Window(75, 45, 225, 195), 4.0),
        ((0, 0, 400, 300), {"aspect": 1.0}, Window(0, 0, 400, 300), 4.0),
        # 600 / 150.
        ((100, 100, 200, 140), {"longest": 300}, Window(75, 90, 225, 150), 2.0),
        ((100, 100, 200, 140), {"most_times": 1}, Window(75, 90, 225, 150), 1.0),
        ((0, 0, 400, 300), {"longest": 100}, Window(0, 0, 400, 300), 0.25),
        ((10.2, 10.7, 10.3, 10.8), {"context": 0}, Window(10, 10, 11, 11), 4.0),
    ],
)
def test_what_is_shown_and_how_large(
    box: tuple[float, float, float, float], options: dict[str, float], window: Window, times: float
) -> None:
    view = view_of(Box(box), (300, 400), **options)  # type: ignore[arg-type]
    assert (view.window, view.times) == (window, times)
    picture = larger(Photo("a", NOISE), Box(box), **options)  # type: ignore[arg-type]
    assert picture.size_hw == (round(window.size_hw[0] * times), round(window.size_hw[1] * times))


@given(
    st.integers(1, 3000), st.integers(1, 3000), st.lists(st.floats(0, 1), min_size=4, max_size=4),
    st.floats(0, 3), st.none() | st.floats(0.1, 10), st.integers(16, 4096),
)  # fmt: skip
def test_the_region_is_always_whole_and_never_beyond_the_limits(
    height: int, width: int, shares: list[float], context: float, aspect: float | None, longest: int
) -> None:
    x0, y0 = shares[0] * (width - 1), shares[1] * (height - 1)
    box = (x0, y0, x0 + max(0.5, shares[2] * (width - x0)), y0 + max(0.5, shares[3] * (height - y0)))
    view = view_of(Box(box), (height, width), context=context, aspect=aspect, longest=longest)
    window = view.window
    assert 0 <= window.x0 <= box[0]
    assert 0 <= window.y0 <= box[1]
    assert min(box[2], width) <= window.x1 <= width
    assert min(box[3], height) <= window.y1 <= height
    assert 0 < view.times <= 4
    assert max(view.size_hw) <= longest
    # It is as large as one of the two limits allows.
    assert view.times == 4 or max(window.size_hw) * view.times == pytest.approx(longest)


def test_enlarged_is_what_it_was_made_from() -> None:
    """A picture of low frequencies, drawn by a formula at four times the size, is the witness of filter and frame."""

    def drawn(times: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        y, x = ((np.arange(60 * times) + 0.5) / times for _ in range(2))
        wave = 127 + 100 * np.sin(x / 9)[None] * np.cos(y / 7)[:, None]
        return np.dstack([wave, 255 - wave, wave / 2])

    photo = Photo("a", np.rint(drawn(1)).astype(np.uint8))
    picture = larger(photo, Region(Box((15, 15, 45, 45)), 0.5, "jar"), context=0.5)
    assert picture.size_hw == (240, 240)
    assert np.abs(picture.pixels - drawn(4))[8:-8, 8:-8].max() < 2
    assert picture.alt == "Jar, cut out of the photo and shown larger."
    assert picture.notes == ("It is enlarged 4 times.",)


def test_words_for_times() -> None:
    assert times_said(1.0) == "It is shown pixel by pixel."
    assert times_said(2.54) == "It is enlarged 2.5 times."
    assert "25 per cent" in times_said(0.25)


def test_contrast_is_stretched_and_a_plain_wall_stays() -> None:
    grey = np.repeat(np.add.outer(np.arange(64), np.arange(64))[:, :, None] // 8 + 100, 3, axis=2).astype(np.uint8)
    more = larger(Photo("a", grey), Box((0, 0, 64, 64)), contrast=True)
    assert np.ptp(more.pixels) > 200 > 5 * np.ptp(grey)
    assert "The contrast is enhanced." in more.notes
    for value in (0, 77, 255):
        for size in ((1, 1), (3, 200), (64, 64)):
            flat = np.full((*size, 3), value, dtype=np.uint8)
            assert np.array_equal(more_contrast(flat), flat)
    assert more_contrast(NOISE[:2, :1]).shape == (2, 1, 3)
    # Hues stay: red is still the strongest of its colours.
    red = grey.copy()
    red[:, :, 1:] //= 2
    assert (more_contrast(red)[:, :, 0].astype(int) >= more_contrast(red)[:, :, 1]).mean() > 0.99
    assert resized(NOISE, (300, 400)) is not NOISE


@pytest.mark.parametrize("wrong", [{"context": -1}, {"aspect": 0}, {"most_times": 0.5}, {"longest": 3}])
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="is none"):
        larger(Photo("a", NOISE), Box((0, 0, 9, 9)), **wrong)  # type: ignore[arg-type]
