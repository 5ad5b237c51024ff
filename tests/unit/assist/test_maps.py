"""A map over its photo: its colours, its lines, its legend, and what is said to who does not see it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate.assist.asking import Asker
from foveate.assist.heat import STEPS, coloured, colours
from foveate.assist.maps import LONGEST, SHORTEST, map_picture
from foveate.assist.photos import Photo
from foveate.core.explanations import Explanation
from foveate.core.soft_maps import SoftMap
from foveate.grounders.mean_mask import write_tiny
from foveate.perception.name_colour import oklab

GREY = np.full((300, 400, 3), 128, dtype=np.uint8)


def over(values: np.ndarray, size_hw: tuple[int, int] = (300, 400)) -> Explanation:
    return Explanation(map=SoftMap.over(values.astype(np.float32), size_hw), map_means="what was looked for")


def half(values: tuple[float, float] = (0.0, 1.0)) -> np.ndarray:
    """Returns a map whose right half is higher."""
    return np.repeat(np.array([values]), 20, axis=1).reshape(1, 40).repeat(30, 0)


def test_the_colours_are_evenly_apart_and_rise_in_lightness_for_eyes_of_every_sort() -> None:
    seen = oklab(colours()[None])[0]
    steps = np.linalg.norm(np.diff(seen[::15], axis=0), axis=1)
    # Even to within the rounding of 8 bits a channel.
    assert steps.max() / steps.min() < 1.1
    assert (np.diff(seen[::5, 0]) > 0).all(), "also where it is printed in grey"
    # Nothing is told by green against red alone, which one man in twelve does not tell apart.
    assert np.ptp(seen[:, 1]) < 0.1 * np.ptp(seen[:, 2])
    assert (coloured(np.array([0.0, 1.0, -3.0, 7.0])) == colours()[[0, STEPS - 1, 0, STEPS - 1]]).all()


def test_the_picture_has_colours_lines_and_a_legend_and_words_say_where_it_is_strongest() -> None:
    picture = map_picture(GREY, over(half()))
    assert picture is not None
    height, width = picture.pixels.shape[:2]
    photo_height = round(300 * SHORTEST / 400)
    assert width == SHORTEST
    assert height > photo_height
    left, right = (picture.pixels[photo_height // 2, x].astype(int) for x in (width // 8, width * 7 // 8))
    assert left[2] > left[0], "weak is blue"
    assert right[0] > right[2], "strong is yellow"
    # The three lines run where the map rises, in the middle of the photo: white between two black edges.
    row = picture.pixels[photo_height // 2, width // 2 - 30 : width // 2 + 30].astype(int).sum(1)
    assert row.max() > 700
    assert row.min() < 60
    legend = picture.pixels[photo_height:]
    assert (legend.reshape(-1, 3) == colours()[-1]).all(1).any()
    assert (legend.reshape(-1, 3) == 255).all(1).any()
    assert picture.alt.startswith("A map over the photo: what was looked for. It is strongest here: Right")
    assert picture.alt.endswith("The highest value there is 100 of 100.")


def test_a_faint_map_is_shown_by_its_own_highest_value_and_says_how_high_that_is() -> None:
    strong, faint = map_picture(GREY, over(half())), map_picture(GREY, over(half((0.0, 0.125))))
    assert strong is not None
    assert faint is not None
    assert np.array_equal(strong.pixels, faint.pixels)
    assert faint.alt.endswith("The highest value there is 12 of 100.")


def test_a_map_that_is_the_same_everywhere_points_nowhere() -> None:
    picture = map_picture(GREY, over(np.zeros((3, 4))))
    assert picture is not None
    assert picture.alt.endswith("It is the same everywhere.")


def test_without_a_map_there_is_no_picture() -> None:
    assert map_picture(GREY, Explanation()) is None


@settings(max_examples=25)
@given(st.tuples(st.integers(1, 60), st.integers(1, 60)), st.integers(0, 2**32 - 1))
def test_any_photo_of_any_map_is_drawn(size_hw: tuple[int, int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 256, (*size_hw, 3), dtype=np.uint8)
    picture = map_picture(pixels, over(rng.random((5, 7)), size_hw))
    assert picture is not None
    assert picture.pixels.dtype == np.uint8
    assert picture.pixels.shape[1] == SHORTEST


def test_a_large_photo_is_made_smaller_and_a_panorama_keeps_its_form(tmp_path: Path) -> None:
    large = map_picture(np.zeros((3000, 4000, 3), dtype=np.uint8), over(half(), (3000, 4000)))
    assert large is not None
    assert large.pixels.shape[1] == LONGEST
    strip = map_picture(np.zeros((20, 4000, 3), dtype=np.uint8), over(half(), (20, 4000)))
    assert strip is not None
    assert strip.pixels.shape[1] == LONGEST
    strip.save(tmp_path / "strip.png")
    with PIL.Image.open(tmp_path / "strip.png") as saved:
        assert saved.size[0] == LONGEST


def test_a_method_is_asked_for_its_map_only_when_it_is_wanted(tmp_path: Path) -> None:
    asker = Asker("mean_mask", write_tiny(tmp_path))
    asker.look(Photo("a", GREY))
    plain, mapped = asker.ask("What is this?"), asker.ask("What is this?", with_map=True)
    assert plain.explanation.map is None
    assert mapped.explanation.rests_on == plain.explanation.rests_on
    picture = map_picture(GREY, mapped.explanation, style="metric")
    assert picture is not None
    # The tiny prior: .75 in the middle half of both sides.
    assert "how often targets of made:train cover each place" in picture.alt
    assert "50 per cent across and 50 per cent down" in picture.alt
    assert picture.alt.endswith("75 of 100.")


@pytest.mark.parametrize("language", ["en", "xx-YY"])
def test_a_language_without_a_catalogue_is_english(language: str) -> None:
    picture = map_picture(GREY, over(half()), language=language)
    assert picture is not None
    assert picture.alt.startswith("A map over the photo")
