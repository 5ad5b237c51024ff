"""These run the real transformer: the weights `vit_s_focus` must be in the cache, where the Makefile puts them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.datasets.photos import members
from foveate.perception.embed_image import ImageTokens, embed_image, grid_hw
from foveate.sources.images import FileImage
from foveate.sources.pinned import fetch


def photo(name: str) -> NDArray[np.uint8]:
    (member,) = (one for one in members() if one.name == name)
    return FileImage(fetch([member])[member]).load()


@pytest.fixture(scope="module")
def cat() -> ImageTokens:
    return embed_image(photo("chelsea.png"), side=252)


def test_tokens_and_saliency_cover_the_photo(cat: ImageTokens) -> None:
    assert cat.size_hw == (300, 451)
    assert cat.tokens.shape == (15, 22, 384)
    assert cat.tokens.dtype == np.float32
    assert cat.saliency.values.shape == (15 * 8, 22 * 8)
    assert cat.saliency.affine == pytest.approx((451 / 176, 300 / 120, 0, 0))
    assert cat.saliency.on((300, 451)).shape == (300, 451)


def test_the_cats_face_stands_out_and_the_corner_does_not(cat: ImageTokens) -> None:
    seen = cat.saliency.on((300, 451))
    face, corner = seen[80:220, 130:330].mean(), seen[:60, :60].mean()
    assert face > corner + 0.2


def test_one_things_tokens_are_more_alike_than_two_things(cat: ImageTokens) -> None:
    unit = cat.tokens / np.linalg.norm(cat.tokens, axis=2, keepdims=True)
    face, beside, corner = unit[7, 9], unit[7, 10], unit[0, 0]
    assert face @ beside > face @ corner + 0.2


def test_saliency_is_worked_out_once_and_tokens_do_not_change(cat: ImageTokens) -> None:
    assert cat.saliency is cat.saliency
    with pytest.raises(ValueError, match="read-only"):
        cat.tokens[0, 0, 0] = 1


def test_the_same_photo_gives_the_same_tokens() -> None:
    noise = np.random.default_rng(7).integers(0, 256, (90, 120, 3), dtype=np.uint8)
    first, second = (embed_image(noise, side=140) for _ in range(2))
    assert (first.tokens == second.tokens).all()
    assert first.saliency == second.saliency


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 900), (900, 1), (14, 14), (2000, 1500)])
def test_photos_of_any_size(size_hw: tuple[int, int]) -> None:
    noise = np.random.default_rng(7).integers(0, 256, (*size_hw, 3), dtype=np.uint8)
    found = embed_image(noise, side=56)
    assert found.tokens.shape[:2] == grid_hw(size_hw, 56)
    assert np.isfinite(found.tokens).all()
    assert found.saliency.on((4, 4)).shape == (4, 4)


def test_grids_keep_proportions_and_are_bounded() -> None:
    assert grid_hw((1000, 1000)) == (37, 37)
    assert grid_hw((480, 640)) == (32, 43)
    assert grid_hw((640, 480)) == (43, 32)
    assert grid_hw((1, 100_000)) == (1, 120)
    assert grid_hw((5, 5), side=3) == (1, 1)


def test_tokens_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"tokens have the shape \(h, w, width\), not \(5, 384\)"):
        ImageTokens(np.zeros((5, 384), np.float32), (10, 10))
