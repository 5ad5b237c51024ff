from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.core.queries import Image
from foveate.datasets._open import open_dataset
from foveate.perception.photo_quality import PhotoQuality, cut_off, photo_quality

Photo = NDArray[np.uint8]


def plain(value: int, size_hw: tuple[int, int] = (360, 480)) -> Photo:
    return np.full((*size_hw, 3), value, dtype=np.uint8)


def ramp(width: int, low: int = 50, high: int = 200) -> Photo:
    """Returns a photo that rises from dark to bright over so many pixels from left to right, in its middle."""
    row = np.clip((np.arange(480) - 240) / width, 0, 1) * (high - low) + low
    return np.tile(np.round(row).astype(np.uint8)[None, :, None], (360, 1, 3))


def grid(degrees: float, size: int = 640) -> Photo:
    """Returns a photo of a grid of lines turned clockwise."""
    lines = plain(220, (2 * size, 2 * size))
    lines[::80], lines[:, ::80] = 20, 20
    for shift in range(1, 6):
        lines[shift::80], lines[:, shift::80] = 20, 20
    matrix = cv2.getRotationMatrix2D((size, size), -degrees, 1)  # OpenCV turns the other way.
    whole = cv2.warpAffine(lines, matrix, (2 * size, 2 * size))
    return np.asarray(whole[size // 2 : size * 3 // 2, size // 2 : size * 3 // 2], dtype=np.uint8)


def of_demo(name: str) -> Photo:
    """Returns a photo of the demo, which `make test` fetches first."""
    image = next(query.image for query in open_dataset("photos").queries() if query.image_name == name)
    assert isinstance(image, Image)
    return image.load()


def test_black_and_white_and_grey() -> None:
    black, white, grey = (photo_quality(plain(value)) for value in (0, 255, 128))
    assert (black.median, black.light, black.blown_out, black.dark, black.bright) == (0, 0, 0, True, False)
    assert (white.median, white.light, white.blown_out, white.dark, white.bright) == (1, 1, 1, False, True)
    assert grey.median == grey.light == 128 / 255
    assert (grey.dark, grey.bright) == (False, False)


def test_where_there_is_nothing_nothing_is_sharp_and_no_line_tells_a_tilt() -> None:
    assert photo_quality(plain(128)) == PhotoQuality(
        median=128 / 255,
        light=128 / 255,
        blown_out=0.0,
        sharpness=0.0,
        tilted_degrees=None,
        grey=True,
    )


def test_dark_are_the_underexposed_and_the_mostly_black() -> None:
    half_lit = plain(0)
    half_lit[:, :300] = 230
    assert not photo_quality(half_lit).dark
    half_lit[:, 220:] = 0
    assert photo_quality(half_lit).dark
    assert photo_quality(plain(110)).dark
    assert not photo_quality(plain(125)).dark


def test_a_strong_colour_is_light_though_its_luma_is_low() -> None:
    red, dim = (np.full((30, 40, 3), colour, dtype=np.uint8) for colour in ((255, 0, 0), (120, 0, 0)))
    assert cv2.cvtColor(red, cv2.COLOR_RGB2GRAY).max() / 255 < 0.3
    assert (photo_quality(red).light, photo_quality(red).dark, photo_quality(red).featureless) == (0.6, False, True)
    assert photo_quality(dim).light == pytest.approx(0.6 * 120 / 255, abs=1 / 255)
    assert photo_quality(dim).dark


@pytest.mark.parametrize(("columns", "bright"), [(119, False), (121, True)])
def test_bright_is_more_than_a_quarter_blown_out(columns: int, bright: bool) -> None:
    photo = plain(100)
    photo[:, :columns] = 255
    assert photo_quality(photo).bright is bright


@pytest.mark.parametrize(("width", "sharpness"), [(1, 1.0), (4, 1 / 2), (6, 1 / 3)])
def test_sharpness_is_the_slope_over_the_height_of_the_step(width: int, sharpness: float) -> None:
    """Over two pixels a ramp of n pixels rises by 2 / n of its height, and a step by all of it."""
    assert photo_quality(ramp(width)).sharpness == pytest.approx(sharpness, abs=0.02)


def test_contrast_does_not_make_sharp() -> None:
    faint, strong = photo_quality(ramp(4, 100, 160)), photo_quality(ramp(4, 10, 250))
    assert faint.sharpness == pytest.approx(strong.sharpness, abs=0.03)


def test_more_blur_is_less_sharp_and_then_blurred() -> None:
    photo = of_demo("motorcycle_left.png")
    blurred = [np.asarray(cv2.GaussianBlur(photo, (0, 0), sigma), dtype=np.uint8) for sigma in (0.5, 1.0, 2.0, 4.0)]
    found = [photo_quality(one) for one in (photo, *blurred)]
    assert [quality.sharpness for quality in found] == sorted((q.sharpness for q in found), reverse=True)
    assert [quality.blurred for quality in found] == [False, False, False, True, True]


@pytest.mark.parametrize("degrees", [-30.0, -8.0, 0.0, 3.0, 20.0, 44.0])
def test_the_tilt_of_a_grid(degrees: float) -> None:
    quality = photo_quality(grid(degrees))
    assert quality.tilted_degrees == pytest.approx(degrees, abs=0.5)
    assert quality.tilted is (abs(degrees) > 5)


def test_lines_in_all_directions_tell_no_tilt() -> None:
    photo = plain(220, (640, 640))
    for degrees in range(0, 180, 9):
        turn = np.deg2rad(degrees)
        end = (320 + int(300 * np.cos(turn)), 320 + int(300 * np.sin(turn)))
        cv2.line(photo, (320, 320), end, (20, 20, 20), 3)
        cv2.line(photo, (320, 320), (640 - end[0], 640 - end[1]), (20, 20, 20), 3)
    assert photo_quality(photo).tilted_degrees is None


def test_a_photo_without_colours() -> None:
    noise = np.random.default_rng(0).integers(-1, 2, (360, 480, 3))
    assert photo_quality((plain(128) + noise).astype(np.uint8)).grey
    tinted = plain(128)
    tinted[:100, :, 0] += 20
    assert not photo_quality(tinted).grey


@pytest.mark.parametrize(
    ("name", "flaws"),
    [
        ("coffee.png", set()),
        ("grace_hopper.jpg", set()),
        ("page.png", {"grey"}),
        ("clock_motion.png", {"blurred", "grey"}),
        ("rocket.jpg", {"dark"}),
    ],
)
def test_the_photos_of_the_demo(name: str, flaws: set[str]) -> None:
    quality = photo_quality(of_demo(name))
    assert {flaw for flaw in ("dark", "bright", "blurred", "tilted", "grey") if getattr(quality, flaw)} == flaws


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 500), (500, 1), (3, 2)])
def test_photos_of_odd_sizes(size_hw: tuple[int, int]) -> None:
    assert photo_quality(plain(128, size_hw)).tilted_degrees is None


@pytest.mark.parametrize(
    ("xyxy", "sides"),
    [
        ((10, 10, 90, 40), ()),
        ((1, 10, 90, 40), ("left",)),
        ((1.1, 0.6, 98.9, 49.4), ()),
        ((10, 0.5, 90, 40), ("top",)),
        ((10, 10, 99, 49.5), ("right", "bottom")),
        ((0, 0, 100, 50), ("left", "top", "right", "bottom")),
    ],
)
def test_cut_off_at(xyxy: tuple[float, float, float, float], sides: tuple[str, ...]) -> None:
    assert cut_off(xyxy, (50, 100)) == sides


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 2), (3, 5), (40, 60), (97, 31)])
def test_light_is_what_all_pixels_tell_though_only_counts_are_kept(size_hw: tuple[int, int]) -> None:
    photo = np.random.default_rng(5).integers(0, 256, (*size_hw, 3), dtype=np.uint8)
    luma = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    lightness = np.maximum(luma, np.rint(0.6 * photo.max(axis=2))) / 255.0
    told = photo_quality(photo)
    np.testing.assert_allclose([told.median, told.light], np.quantile(lightness, [0.5, 0.9]), rtol=0, atol=1e-12)
    assert told.blown_out == (luma / 255.0 > 0.97).mean()
