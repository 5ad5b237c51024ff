from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.core.masks import box_to_rle
from foveate.core.rle import decode
from foveate.perception import mask_in_box as module
from foveate.perception.embed_image import ImageTokens
from foveate.perception.mask_in_box import mask_close_up, mask_in_box

# A photo of 12 x 16 tokens of 10 pixels each; the thing covers rows 4 to 7 and columns 5 to 10.
SIZE = (120, 160)
THING = (50, 40, 110, 80)
BOX = (40.0, 30.0, 120.0, 90.0)


def filled(xyxy: tuple[float, float, float, float], size_hw: tuple[int, int] = SIZE) -> NDArray[np.bool_]:
    return decode(box_to_rle(xyxy, size_hw))


def pretended(noise: float = 0.05, seed: int = 7) -> ImageTokens:
    tokens = np.random.default_rng(seed).normal(0, noise, (12, 16, 8)).astype(np.float32)
    tokens[..., 0] += 1
    tokens[4:8, 5:11, :2] += np.array([-1, 1], np.float32)
    return ImageTokens(tokens, SIZE)


def likeness(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    return float((a & b).sum() / (a | b).sum())


def embed_brightness(crop: NDArray[np.uint8], *, side: int) -> ImageTokens:
    """Pretends a token for every four pixels: bright or dark."""
    rows, columns = (max(1, length // 4) for length in crop.shape[:2])
    bright = crop[: rows * 4, : columns * 4, 0].reshape(rows, 4, columns, 4).mean(axis=(1, 3)) / 255
    tokens = np.stack([bright, 1 - bright], axis=2).astype(np.float32)
    return ImageTokens(tokens, (crop.shape[0], crop.shape[1]))


def test_the_thing_is_told_from_what_lies_around_it() -> None:
    mask = mask_in_box(pretended(), BOX)
    assert mask.shape == SIZE
    assert likeness(mask, filled(THING)) > 0.9
    assert likeness(filled(BOX), filled(THING)) == 0.5


def test_a_jittered_box_gives_nearly_the_same_mask() -> None:
    mask = mask_in_box(pretended(), (46.0, 27.0, 126.0, 85.0))
    assert likeness(mask, filled(THING)) > 0.85


def test_the_length_of_tokens_does_not_count() -> None:
    plain = pretended()
    lengths = np.random.default_rng(3).uniform(0.5, 2, (12, 16, 1)).astype(np.float32)
    other = ImageTokens(plain.tokens * lengths, SIZE)
    assert likeness(mask_in_box(plain, BOX), mask_in_box(other, BOX)) > 0.999


def test_a_mirrored_photo_gives_the_mirrored_mask() -> None:
    plain = pretended()
    mirrored = ImageTokens(np.ascontiguousarray(plain.tokens[:, ::-1]), SIZE)
    mask = mask_in_box(mirrored, (160 - BOX[2], BOX[1], 160 - BOX[0], BOX[3]))
    assert likeness(mask[:, ::-1], mask_in_box(plain, BOX)) > 0.999


@given(
    st.integers(0, 99),
    st.tuples(st.floats(-40, 200), st.floats(-40, 150)),
    st.tuples(st.floats(0.01, 250), st.floats(0.01, 200)),
    st.booleans(),
)
def test_never_empty_never_outside(
    seed: int, start: tuple[float, float], sides: tuple[float, float], with_photo: bool
) -> None:
    x0, y0, x1, y1 = start[0], start[1], start[0] + sides[0], start[1] + sides[1]
    if x1 <= 0 or y1 <= 0 or x0 >= 160 or y0 >= 120:
        return
    photo = np.random.default_rng(seed).integers(0, 256, (*SIZE, 3), dtype=np.uint8) if with_photo else None
    mask = mask_in_box(pretended(noise=1, seed=seed), (x0, y0, x1, y1), photo)
    rows, columns = np.nonzero(mask)
    assert len(rows) > 0
    # Whole pixels that the box touches.
    assert columns.min() >= np.floor(max(x0, 0))
    assert columns.max() < np.ceil(x1)
    assert rows.min() >= np.floor(max(y0, 0))
    assert rows.max() < np.ceil(y1)


def test_where_nothing_can_be_told_the_box_is_filled() -> None:
    same = ImageTokens(np.ones((12, 16, 8), np.float32), SIZE)
    assert (mask_in_box(same, BOX) == filled(BOX)).all()
    assert mask_in_box(pretended(), (0.0, 0.0, 160.0, 120.0)).all()
    one = ImageTokens(np.ones((1, 1, 8), np.float32), (3, 3))
    assert mask_in_box(one, (1.0, 1.0, 3.0, 3.0)).sum() == 4


def test_a_box_without_a_pixels_centre_gets_the_pixel_in_its_middle() -> None:
    mask = mask_in_box(pretended(), (70.6, 50.6, 71.2, 50.9))
    assert np.argwhere(mask).tolist() == [[50, 70]]


def test_what_lies_outside_the_photo_is_cut_off() -> None:
    cut = mask_in_box(pretended(), (70.0, 30.0, 160.0, 120.0))
    assert (mask_in_box(pretended(), (70.0, 30.0, 500.0, 300.0)) == cut).all()


def test_a_box_with_no_part_in_the_photo_is_refused() -> None:
    with pytest.raises(ValueError, match="lies outside the image, which is 160 wide and 120 high"):
        mask_in_box(pretended(), (170.0, 10.0, 190.0, 20.0))
    with pytest.raises(ValueError, match="has no area"):
        mask_in_box(pretended(), (10.0, 10.0, 10.0, 20.0))
    with pytest.raises(ValueError, match=r"one box is \(4,\), not \(2, 4\)"):
        mask_in_box(pretended(), [BOX, BOX])


def test_a_photo_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the tokens are of a photo of \(120, 160\), not \(160, 120\)"):
        mask_in_box(pretended(), BOX, np.zeros((160, 120, 3), np.uint8))


def test_with_the_photo_the_mask_keeps_to_its_edges() -> None:
    # The thing ends three pixels further to the right than its tokens.
    photo = np.full((*SIZE, 3), 30, dtype=np.uint8)
    photo[40:80, 50:113] = 220
    truth = photo[..., 0] > 100
    smooth, sharp = (likeness(mask_in_box(pretended(), BOX, given), truth) for given in (None, photo))
    assert sharp > smooth + 0.02
    assert sharp > 0.95


def test_a_close_up_finds_a_small_thing_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "embed_image", embed_brightness)
    photo = np.full((400, 600, 3), 30, dtype=np.uint8)
    photo[300:324, 200:216] = 220
    mask = mask_close_up(photo, (194.0, 294.0, 222.0, 330.0))
    assert mask.shape == (400, 600)
    # The box filled has 0.38.
    assert likeness(mask, photo[..., 0] > 100) > 0.7


def test_a_close_up_at_the_photos_corner_stays_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "embed_image", embed_brightness)
    photo = np.full((40, 60, 3), 30, dtype=np.uint8)
    photo[30:, 50:] = 220
    mask = mask_close_up(photo, (46.0, 26.0, 70.0, 50.0))
    assert likeness(mask, photo[..., 0] > 100) > 0.8
    with pytest.raises(ValueError, match="lies outside the image"):
        mask_close_up(photo, (60.0, 0.0, 70.0, 10.0))
