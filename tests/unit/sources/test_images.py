from __future__ import annotations

import os
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.errors import InputError, UsageError
from foveate.sources.images import FileImage
from tests.helpers import save_photo, write


def corners(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[str]:
    """Names the colours of the four corners: upper left, upper right, lower left, lower right."""
    names = {"100": "red", "010": "green", "001": "blue", "111": "white"}
    picked = [pixels[2, 2], pixels[2, -3], pixels[-3, 2], pixels[-3, -3]]
    return [names["".join(str(int(v > 128)) for v in p)] for p in picked]


def upright() -> PIL.Image.Image:
    photo = PIL.Image.new("RGB", (60, 40), "white")
    photo.paste((255, 0, 0), (0, 0, 30, 20))
    photo.paste((0, 255, 0), (30, 0, 60, 20))
    photo.paste((0, 0, 255), (0, 20, 30, 40))
    return photo


# What the camera stored, so that applying the tag gives the upright photo (EXIF 2.3, tag 0x0112).
STORED = {
    1: [],
    2: [PIL.Image.Transpose.FLIP_LEFT_RIGHT],
    3: [PIL.Image.Transpose.ROTATE_180],
    4: [PIL.Image.Transpose.FLIP_TOP_BOTTOM],
    5: [PIL.Image.Transpose.TRANSPOSE],
    6: [PIL.Image.Transpose.ROTATE_90],
    7: [PIL.Image.Transpose.TRANSVERSE],
    8: [PIL.Image.Transpose.ROTATE_270],
}


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "tif"])
def test_all_eight_orientations_come_out_upright(orientation: int, suffix: str, tmp_path: Path) -> None:
    photo = upright()
    for turn in STORED[orientation]:
        photo = photo.transpose(turn)
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    photo.save(tmp_path / f"photo.{suffix}", exif=exif, quality=95)
    image = FileImage(tmp_path / f"photo.{suffix}")
    assert image.size_hw == (40, 60)
    assert image.load().shape == (40, 60, 3)
    assert corners(image.load()) == ["red", "green", "blue", "white"]


@pytest.mark.parametrize("orientation", [0, 9, 77])
def test_an_orientation_that_does_not_exist_changes_nothing(orientation: int, tmp_path: Path) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    upright().save(tmp_path / "photo.jpg", exif=exif)
    assert FileImage(tmp_path / "photo.jpg").size_hw == (40, 60)


def test_odd_exif_never_costs_the_photo(tmp_path: Path) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "a description of the photo"
    exif[0x829A] = 0.5
    upright().save(tmp_path / "whole.jpg", exif=exif)
    whole = (tmp_path / "whole.jpg").read_bytes()
    start = whole.index(b"Exif\0\0") + 6
    rng = random.Random(0)
    for _ in range(400):
        bent = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            bent[start + rng.randrange(80)] = rng.randrange(256)
        (tmp_path / "bent.jpg").write_bytes(bent)
        image = FileImage(tmp_path / "bent.jpg")
        assert image.load().shape[:2] == image.size_hw


def test_damaged_exif_does_not_lose_the_photo(tmp_path: Path) -> None:
    upright().save(tmp_path / "photo.jpg", exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff garbage")
    assert corners(FileImage(tmp_path / "photo.jpg").load()) == ["red", "green", "blue", "white"]


def test_missing_empty_and_foreign_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jpg: there is no such file"):
        FileImage(tmp_path / "none.jpg").load()
    with pytest.raises(InputError, match="not a photo that can be read .the file is empty."):
        FileImage(write(tmp_path / "empty.jpg", "")).load()
    with pytest.raises(InputError, match="not a photo that can be read .9 bytes of something else."):
        FileImage(write(tmp_path / "text.jpg", "a letter.")).load()
    with pytest.raises(InputError, match="it is a folder, not a photo"):
        FileImage(tmp_path).load()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(InputError, match="it is no ordinary file"):
        FileImage(tmp_path / "pipe.jpg").load()


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "gif", "bmp", "tif"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_photo_cut_off_anywhere_is_one_sentence(suffix: str, share: float, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    whole = tmp_path / f"whole.{suffix}"
    PIL.Image.fromarray(rng.integers(0, 255, (80, 90, 3), dtype=np.uint8)).save(whole)
    cut = tmp_path / f"cut.{suffix}"
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * share)])
    with pytest.raises(InputError, match=r"cut\.\w+: .*(cut off or damaged|cannot be opened|not a photo)"):
        FileImage(cut).load()


def bomb(path: Path, side: int) -> Path:
    """Writes a PNG of a few hundred bytes whose header claims `side` x `side` pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    return path


@pytest.mark.parametrize("side", [10_001, 30_000])
def test_a_bomb_is_refused_from_its_header(side: int, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"the photo is {side} x {side}, \d+ megapixels; the limit is 100"):
        FileImage(bomb(tmp_path / "bomb.png", side)).size_hw  # noqa: B018


def test_the_limit_is_a_setting_and_beats_pillows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_MAX_MEGAPIXELS", "1000")
    assert FileImage(bomb(tmp_path / "bomb.png", 30_000)).size_hw == (30_000, 30_000)
    monkeypatch.setenv("FOVEATE_MAX_MEGAPIXELS", "0.001")
    with pytest.raises(InputError, match=r"the limit is 0\.001"):
        FileImage(save_photo(tmp_path / "a.png")).load()


@pytest.mark.parametrize("value", ["many", "0", "-1", "nan"])
def test_a_limit_that_is_none(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_MAX_MEGAPIXELS", value)
    with pytest.raises(UsageError, match="FOVEATE_MAX_MEGAPIXELS"):
        FileImage(save_photo(tmp_path / "a.png")).load()


def test_every_kind_of_pixel_becomes_rgb(tmp_path: Path) -> None:
    for mode in ("1", "L", "P", "RGB", "RGBA", "LA", "CMYK"):
        suffix = "tif" if mode == "CMYK" else "png"
        PIL.Image.new("RGB", (6, 4), "red").convert(mode).save(tmp_path / f"{mode}.{suffix}")
        assert FileImage(tmp_path / f"{mode}.{suffix}").load().shape == (4, 6, 3)


def test_16_bit_grey_keeps_its_shades(tmp_path: Path) -> None:
    PIL.Image.fromarray(np.array([[0, 0x8000], [0x4000, 0xFFFF]], dtype=np.uint16)).save(tmp_path / "deep.png")
    assert FileImage(tmp_path / "deep.png").load()[:, :, 0].tolist() == [[0, 128], [64, 255]]


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_32_bit_pixels_are_refused_since_nothing_tells_their_range(dtype: type, tmp_path: Path) -> None:
    PIL.Image.fromarray(np.ones((4, 4), dtype=dtype)).save(tmp_path / "deep.tif")
    with pytest.raises(InputError, match="its pixels have 32 bits"):
        FileImage(tmp_path / "deep.tif").load()


@pytest.mark.parametrize("suffix", ["eps", "ico", "ppm"])
def test_only_what_photos_come_in_is_opened(suffix: str, tmp_path: Path) -> None:
    PIL.Image.new("RGB", (16, 16), "red").save(tmp_path / f"a.{suffix}")
    if suffix == "ppm":
        assert FileImage(tmp_path / "a.ppm").load().shape == (16, 16, 3)
    else:
        with pytest.raises(InputError, match="not a photo that can be read"):
            FileImage(tmp_path / f"a.{suffix}").load()


@pytest.mark.parametrize("error", [RuntimeError("avif"), NotImplementedError("dds"), MemoryError("jp2")])
def test_any_error_of_a_reader_is_the_photos(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    save_photo(tmp_path / "a.png")
    monkeypatch.setattr(PIL.Image.Image, "convert", fail)
    with pytest.raises(InputError, match="cut off or damaged"):
        FileImage(tmp_path / "a.png").load()


def test_what_is_transparent_is_white_and_hidden_colours_stay_hidden(tmp_path: Path) -> None:
    PIL.Image.new("RGBA", (2, 2), (255, 0, 0, 0)).save(tmp_path / "clear.png")
    assert (FileImage(tmp_path / "clear.png").load() == 255).all()


def test_pillows_own_limit_is_left_as_it_was(tmp_path: Path) -> None:
    before = PIL.Image.MAX_IMAGE_PIXELS
    FileImage(save_photo(tmp_path / "a.png")).load()
    assert before == PIL.Image.MAX_IMAGE_PIXELS
