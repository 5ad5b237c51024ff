from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Mask, Region
from foveate.core.rle import encode
from foveate.errors import InputError, OutputError
from foveate.runs.vizwiz_masks import read_masks, write_masks
from tests.helpers import predicted

SIZES = {"a.jpg": (4, 6), "b.jpg": (4, 6)}


def png(values: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> bytes:
    data = io.BytesIO()
    PIL.Image.fromarray(values).save(data, format="PNG")
    return data.getvalue()


HALF = np.repeat(np.array([[255], [255], [0], [0]], dtype=np.uint8), 6, axis=1)
GOOD = png(HALF)


def zipped(tmp_path: Path, **files: bytes) -> Path:
    path = tmp_path / "masks.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    mask = Region(Mask(encode(HALF)), 1.0)
    given = [
        Prediction("a.jpg", "ok", final=mask, candidates=(mask,), size_hw=(4, 6)),
        Prediction("b.jpg", "no_region", size_hw=(4, 6), reason="nothing"),
    ]
    assert write_masks(given, tmp_path / "masks.zip") == 2
    first, second = read_masks(tmp_path / "masks.zip", SIZES)
    assert first == given[0]
    assert (second.id, second.status) == ("b.jpg", "no_region")


def test_a_box_becomes_its_pixels(tmp_path: Path) -> None:
    write_masks([predicted("a.jpg", (0, 0, 6, 2), (4, 6))], tmp_path / "masks.zip")
    (prediction,) = read_masks(tmp_path / "masks.zip", SIZES)
    assert prediction.final is not None
    assert prediction.final.shape == Mask(encode(HALF))


def test_a_folder_is_as_good_as_a_zip(tmp_path: Path) -> None:
    (tmp_path / "masks").mkdir()
    (tmp_path / "masks" / "a.png").write_bytes(GOOD)
    assert list(read_masks(tmp_path / "masks", SIZES)) == list(read_masks(zipped(tmp_path, **{"a.png": GOOD}), SIZES))


@pytest.mark.parametrize("name", ["c.png", "a.jpg", "deep/a.png", "../a.png", "/a.png", "more.zip", "a.PNG"])
def test_other_files_are_named_and_refused(name: str, tmp_path: Path) -> None:
    path = zipped(tmp_path, **{"a.png": GOOD, name: GOOD})
    with pytest.raises(InputError, match="it holds 1 files that are no masks of the data set's photos: "):
        list(read_masks(path, SIZES))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_mask_twice(tmp_path: Path) -> None:
    path = tmp_path / "masks.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for _ in range(2):
            archive.writestr("a.png", GOOD)
    with pytest.raises(InputError, match=r"it holds a\.png twice"):
        list(read_masks(path, SIZES))


def giant() -> bytes:
    """A PNG of a hundred bytes whose header says 60,000 x 60,000."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (png(HALF.T.copy()), "4 wide and 6 high, not 6 wide and 4 high; it looks transposed"),
        (png(HALF[:2]), "6 wide and 2 high, not 6 wide and 4 high"),
        (png(np.stack([HALF] * 3, axis=2)), "of the kind RGB"),
        (png(HALF // 255), "is 1 meant for 255"),
        (giant(), "60000 wide and 60000 high, not 6 wide and 4 high|decompression bomb"),
        (b"no picture", "not a mask that can be read"),
    ],
)
def test_broken_masks_stop_or_count_zero(data: bytes, said: str, tmp_path: Path) -> None:
    path = zipped(tmp_path, **{"a.png": data, "b.png": GOOD})
    with pytest.raises(InputError, match=rf"masks\.zip, a\.png: .*({said})"):
        list(read_masks(path, SIZES))
    errors: list[InputError] = []
    assert [p.status for p in read_masks(path, SIZES, errors.append)] == ["invalid_output", "ok"]
    assert len(errors) == 1


def test_what_unpacks_without_end_is_no_mask(tmp_path: Path) -> None:
    path = tmp_path / "masks.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.png", b"\0" * (65 * 2**20))
    with pytest.raises(InputError, match="it unpacks to more than 64 MiB"):
        list(read_masks(path, SIZES))


def test_no_zip_and_no_size(tmp_path: Path) -> None:
    (tmp_path / "masks.zip").write_text("no zip")
    with pytest.raises(InputError, match="no folder and no zip that can be read"):
        list(read_masks(tmp_path / "masks.zip", SIZES))
    with pytest.raises(InputError, match="does not tell the photo's size"):
        list(read_masks(zipped(tmp_path, **{"a.png": GOOD}), {"a.jpg": None}))
    with pytest.raises(InputError, match="two samples of the data set have one name"):
        list(read_masks(tmp_path, {"a.jpg": (4, 6), "a.png": (4, 6)}))


def test_what_the_form_cannot_hold_leaves_no_file(tmp_path: Path) -> None:
    out = tmp_path / "masks.zip"
    with pytest.raises(InputError, match="does not tell its photo's size"):
        write_masks([predicted("a.jpg", (0, 0, 1, 1))], out)
    with pytest.raises(InputError, match="is there twice"):
        write_masks([predicted("a.jpg", (0, 0, 1, 1), (4, 6)), predicted("a.png", (0, 0, 1, 1), (4, 6))], out)
    assert not out.exists()
    out.touch()
    with pytest.raises(OutputError, match="there is a file already"):
        write_masks([], out)
    with pytest.raises(OutputError, match="it cannot be written"):
        write_masks([], tmp_path / "nowhere" / "masks.zip")
