from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.assist.desk import wire
from foveate.assist.photos import Photo


def through(message: object) -> Any:
    """Returns a message after its way through a pipe, which is smaller than it may be."""
    out, into = (os.fdopen(end, mode) for end, mode in zip(os.pipe(), ("rb", "wb"), strict=True))
    with out, into:
        sending = threading.Thread(target=wire.write, args=(into, message))
        sending.start()
        try:
            return wire.read(out)  # type: ignore[arg-type]
        finally:
            sending.join()


@given(st.integers(1, 400), st.integers(1, 400), st.booleans())
def test_a_photo_comes_through_whole_and_cannot_be_written_to(height: int, width: int, turned: bool) -> None:
    pixels = np.random.default_rng(height).integers(0, 256, (height, width, 3), dtype=np.uint8)
    photo = Photo("jar.jpg", np.rot90(pixels) if turned else pixels, ("A note.",))
    got = through(wire.Take(7, photo))
    assert got.number == 7
    assert (got.photo.name, got.photo.notes) == ("jar.jpg", ("A note.",))
    np.testing.assert_array_equal(got.photo.pixels, photo.pixels)
    if not turned:
        assert not got.photo.pixels.flags.writeable


def test_the_end_is_told() -> None:
    out, into = (os.fdopen(end, mode) for end, mode in zip(os.pipe(), ("rb", "wb"), strict=True))
    with out:
        into.write(b"\x01\0\0\0\0\0\0\0\xff\0\0")
        into.close()
        with pytest.raises(EOFError):
            wire.read(out)  # type: ignore[arg-type]
