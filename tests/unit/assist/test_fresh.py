"""Files that hold their pixels and nothing else, for every format: containers are taken apart by hand."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.assist import Photo, fresh, hide_rest, larger, read_photo, soften
from foveate.assist.fresh import FORMATS, encode, find_format
from foveate.assist.picture import Picture
from foveate.core.regions import Box
from foveate.errors import OutputError, UsageError
from tests.unit.assist.containers import ALLOWED, PARTS

SMOOTH = np.stack(np.meshgrid(np.arange(96), np.arange(64)), axis=2).astype(np.uint8)
PIXELS = np.dstack([SMOOTH, SMOOTH[:, :, :1]])


@pytest.fixture(scope="module", name="marked")
def _marked() -> bytes:
    """The bytes of a JPEG with a place, a thumbnail, a comment, a profile and XMP, each with a word to look for."""
    photo = PIL.Image.fromarray(PIXELS)
    exif = PIL.Image.Exif()
    exif[0x010E] = "SECRET description"
    exif.get_ifd(0x8825)[1] = "SECRET"
    out = io.BytesIO()
    photo.save(
        out, "jpeg", exif=exif, comment=b"SECRET", icc_profile=b"SECRET" * 30, xmp=b"<x>SECRET</x>"
    )  # fmt: skip
    assert out.getvalue().count(b"SECRET") > 5
    return out.getvalue()


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_holds_pixels_and_nothing_of_the_photos_file(name: str, marked: bytes) -> None:
    photo = read_photo(marked)
    for picture in (hide_rest(photo, Box((10, 10, 40, 40))), larger(photo, Box((10, 10, 40, 40)))):
        content = picture.encode(name)
        assert b"SECRET" not in content
        assert set(PARTS[name](content)) <= ALLOWED[name]


@pytest.mark.parametrize("name", FORMATS)
def test_the_parsers_see_what_they_must_not_find(name: str) -> None:
    """The same containers written with EXIF, a profile and so on: else a parser that sees nothing would pass."""
    out = io.BytesIO()
    exif = PIL.Image.Exif()
    exif[0x010E] = "SECRET"
    PIL.Image.fromarray(PIXELS).save(out, name, exif=exif, icc_profile=b"SECRET")
    assert set(PARTS[name](out.getvalue())) > ALLOWED[name] & set(PARTS[name](encode(PIXELS, name)))
    assert set(PARTS[name](out.getvalue())) - ALLOWED[name]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("size_hw", [(1, 1), (1, 300), (64, 96)])
def test_pixels_come_back(name: str, size_hw: tuple[int, int]) -> None:
    pixels = np.resize(PIXELS, (*size_hw, 3)) if size_hw != (64, 96) else PIXELS
    content = encode(pixels, name)
    with PIL.Image.open(io.BytesIO(content)) as file:
        assert file.format is not None
        assert file.format.lower() == name
        back = np.asarray(file.convert("RGB")).astype(int)
    if FORMATS[name].lossless:
        assert np.array_equal(back, pixels)
    elif size_hw == (64, 96):
        assert np.abs(back - pixels).mean() < 3
    assert encode(pixels, name) == content


def test_quality_names_and_what_is_refused(tmp_path: Path) -> None:
    assert len(encode(PIXELS, "jpg", 30)) < len(encode(PIXELS, ".JPEG", 95))
    for wrong in ("gif", "", "txt"):
        with pytest.raises(UsageError, match="png"):
            find_format(wrong)
    with pytest.raises(UsageError, match="1 to 100"):
        encode(PIXELS, "webp", 0)
    with pytest.raises(UsageError, match="16,383"):
        encode(np.zeros((1, 16_384, 3), dtype=np.uint8), "webp")
    picture = Picture(PIXELS, "a picture")
    assert picture.save(tmp_path / "a.jpg").read_bytes() == picture.encode("jpeg")
    with pytest.raises(UsageError, match="ending"):
        picture.save(tmp_path / "a.gif")
    with pytest.raises(OutputError, match="cannot be written"):
        picture.save(tmp_path / "no" / "a.png")
    for how in ("blur", "pixelate", "feather"):
        soft = soften(Photo("a", PIXELS), Box((10, 10, 40, 40)), how)
        with pytest.raises(UsageError, match="screen only"):
            soft.save(tmp_path / "b.png")
        assert not (tmp_path / "b.png").exists()
        assert soft.encode("png")


@pytest.mark.parametrize(
    ("name", "in_haste"),
    [
        ("png", {"compress_level": 3}),
        ("webp", {"quality": 90, "method": 2}),
        ("avif", {"quality": 85, "subsampling": "4:4:4", "speed": 9, "max_threads": 1}),
    ],
)
def test_large_pictures_are_written_in_haste(
    name: str, in_haste: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = np.random.default_rng(5).integers(0, 256, (64, 96, 3), dtype=np.uint8)
    before = encode(noise, name)
    monkeypatch.setattr(fresh, "LARGE", 64 * 96)
    assert encode(noise, name) == before, "not above it"
    monkeypatch.setattr(fresh, "LARGE", 64 * 96 - 1)
    out = io.BytesIO()
    PIL.Image.fromarray(noise).save(out, name, **in_haste)
    assert encode(noise, name) == out.getvalue() != before


def test_a_picture_that_a_format_has_no_room_for_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise ValueError("encoding error 6")  # Pillow's words for what WebP says of 49 megapixels of noise.

    monkeypatch.setattr(PIL.Image.Image, "save", full)
    with pytest.raises(UsageError, match="webp cannot hold it .encoding error 6.. Write a PNG"):
        encode(PIXELS, "webp")
