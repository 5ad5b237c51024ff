from __future__ import annotations

import numpy as np
import pytest

from foveate.perception.blank import is_blank


@pytest.mark.parametrize("value", [0, 128, 255])
@pytest.mark.parametrize("size_hw", [(1, 1), (3, 500), (480, 640)])
def test_one_lightness_is_nothing_to_see(value: int, size_hw: tuple[int, int]) -> None:
    assert is_blank(np.full((*size_hw, 3), value, dtype=np.uint8))


def test_noise_is_nothing_to_see() -> None:
    assert is_blank(np.random.default_rng(0).integers(0, 256, (480, 640, 3), dtype=np.uint8))


def test_a_dark_thing_on_black_is_something() -> None:
    photo = np.zeros((480, 640, 3), dtype=np.uint8)
    # A quarter of the photo at 10 of 255: the fields' deviation is 0.04 · √(¼ · ¾) = 0.017.
    photo[:240, :320] = 10
    assert not is_blank(photo)
    photo[:240, :320] = 5
    assert is_blank(photo)
