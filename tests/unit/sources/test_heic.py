"""HEIC as phones write it: samples of libheif's encoder, whose corners are known."""

from __future__ import annotations

import io
from pathlib import Path

import PIL.Image
import pytest

from foveate.assist import read_photo
from foveate.errors import InputError
from foveate.releases.photos import has_place
from foveate.sources.images import FileImage
from tests import heic
from tests.unit.sources.test_images import corners

FOUR = ["red", "green", "blue", "white"]


@pytest.mark.parametrize("sample", ["CORNERS", "TURNED", "TWO"])
def test_heic_comes_out_upright(sample: str, tmp_path: Path) -> None:
    path = tmp_path / "IMG_0001.HEIC"
    path.write_bytes(getattr(heic, sample))
    image = FileImage(path)
    assert image.size_hw == (24, 32)
    assert image.orientation == 1  # libheif turned it; nobody may turn it once more.
    assert image.load().shape == (24, 32, 3)
    assert corners(image.load()) == FOUR


def test_of_several_pictures_the_first_is_taken_and_said() -> None:
    photo = read_photo(heic.TWO)
    assert photo.notes == ("It holds several pictures; the first one was taken.",)
    assert corners(photo.pixels) == FOUR


def test_transparency_lies_on_white() -> None:
    assert read_photo(heic.CLEAR).pixels.min() >= 250


def test_a_place_is_told_of_heic_too(tmp_path: Path) -> None:
    for name, told in (("CORNERS", False), ("TURNED", True)):
        path = tmp_path / f"{name}.heic"
        path.write_bytes(getattr(heic, name))
        assert has_place(path) == told


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_heic_that_is_cut_off_is_one_sentence(share: float) -> None:
    with pytest.raises(InputError):
        read_photo(heic.SALT[: int(len(heic.SALT) * share)])


def test_every_byte_may_be_wrong_without_harm() -> None:
    for at in range(0, len(heic.CORNERS), 7):
        bent = bytearray(heic.CORNERS)
        bent[at] ^= 0xFF
        try:
            photo = read_photo(bytes(bent))
        except InputError:
            continue
        assert photo.pixels.ndim == 3


def test_a_bomb_is_refused_from_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_MAX_MEGAPIXELS", "0.0005")
    with pytest.raises(InputError, match="the photo is 32 x 24"):
        read_photo(heic.TURNED)


def test_avif_is_read(tmp_path: Path) -> None:
    with PIL.Image.open(io.BytesIO(heic.CORNERS), formats=("HEIF",)) as photo:
        photo.convert("RGB").save(tmp_path / "a.avif", quality=95)
    assert corners(FileImage(tmp_path / "a.avif").load()) == FOUR
