from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import PIL.Image
import pytest

from foveate.core.rle import decode
from foveate.errors import InputError
from foveate.formats.mask_png import mask_png, read_mask_png
from tests.helpers import write

MASK = np.zeros((4, 6), dtype=np.uint8)
MASK[1:3, 2:5] = 255


def saved(tmp_path: Path, values: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], mode: str = "L") -> Path:
    PIL.Image.fromarray(values).convert(mode).save(tmp_path / "mask.png")
    return tmp_path / "mask.png"


@pytest.mark.parametrize("mode", ["L", "1"])
def test_a_mask_is_read(mode: str, tmp_path: Path) -> None:
    assert (decode(read_mask_png(saved(tmp_path, MASK, mode), (4, 6))) == (MASK > 0)).all()


@pytest.mark.parametrize("value", [0, 255])
def test_full_and_empty_masks_are_masks(value: int, tmp_path: Path) -> None:
    path = saved(tmp_path, np.full((4, 6), value, dtype=np.uint8))
    assert decode(read_mask_png(path, (4, 6))).all() == (value == 255)


def smoothed() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.array([[0, 90, 255], [0, 128, 255]], dtype=np.uint8).repeat(2, axis=0).repeat(2, axis=1)


def test_other_values_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"0 and 255, this one also 1 \(is 1 meant for 255\?\)\. Write it again"):
        read_mask_png(saved(tmp_path, MASK // 255), (4, 6))
    with pytest.raises(InputError, match=r"also 90 \(was it smoothed or resized\?\)"):
        read_mask_png(saved(tmp_path, smoothed()), (4, 6))
    with pytest.raises(InputError, match=r"this one also 7\. Write"):
        read_mask_png(saved(tmp_path, np.full((4, 6), 7, dtype=np.uint8)), (4, 6))


@pytest.mark.parametrize("mode", ["RGB", "P", "RGBA", "LA"])
def test_other_kinds_are_refused(mode: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"the mask is of the kind {mode}, not of one 8-bit channel"):
        read_mask_png(saved(tmp_path, MASK, mode), (4, 6))


def test_other_sizes_are_refused_from_the_header(tmp_path: Path) -> None:
    path = saved(tmp_path, MASK)
    with pytest.raises(InputError, match="6 wide and 4 high, not 4 wide and 6 high; it looks transposed"):
        read_mask_png(path, (6, 4))
    path.write_bytes(path.read_bytes()[:45])  # The header is whole, the pixels are gone.
    with pytest.raises(InputError, match="not 60 wide and 40 high"):
        read_mask_png(path, (40, 60))
    with pytest.raises(InputError, match="not a mask that can be read"):
        read_mask_png(path, (4, 6))


def test_missing_and_foreign_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.png: there is no such file"):
        read_mask_png(tmp_path / "none.png", (4, 6))
    with pytest.raises(InputError, match="not a mask that can be read"):
        read_mask_png(write(tmp_path / "text.png", "hello"), (4, 6))


def test_what_is_written_is_plain_8_bit_grey(tmp_path: Path) -> None:
    path = tmp_path / "mask.png"
    path.write_bytes(mask_png(MASK > 0))
    with PIL.Image.open(path) as picture:
        assert (picture.mode, picture.size, picture.info) == ("L", (6, 4), {})
        assert (np.asarray(picture) == MASK).all()
    with PIL.Image.open(path) as picture:
        picture.verify()
    as_opencv_reads = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    assert as_opencv_reads is not None
    assert as_opencv_reads.dtype == np.uint8
    assert (as_opencv_reads == MASK).all()


def test_a_mask_of_a_photo_above_pillows_own_limit_is_read_without_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PIL.Image, "MAX_IMAGE_PIXELS", 10)
    assert decode(read_mask_png(saved(tmp_path, MASK), (4, 6))).sum() == 6
