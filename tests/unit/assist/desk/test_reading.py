from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from foveate.assist.desk import DeskSettings, FullError, GoneError, PhotoReader, reading
from foveate.assist.photos import read_photo
from foveate.errors import InputError
from foveate.sources.images import TooManyPixelsError
from tests.helpers import save_photo
from tests.unit.assist.desk.fakes import Break, Say


@pytest.fixture(scope="module")
def reader() -> Iterator[PhotoReader]:
    made = PhotoReader(DeskSettings(seconds=30))
    yield made
    made.close()


def test_a_photo_is_read_elsewhere_as_here_and_is_kept_nowhere(reader: PhotoReader, tmp_path: Path) -> None:
    file = save_photo(tmp_path / "jar.png", (40, 30))
    read = reader.read(file.read_bytes(), "anna", "jar.png")
    np.testing.assert_array_equal(read.pixels, read_photo(file).pixels)
    assert read.name == "jar.png"
    assert not reader._desk._shelf._kept
    assert not reader._desk._jobs


def test_what_is_no_photo_is_told_as_here(reader: PhotoReader) -> None:
    for content in (b"no photo at all", b"", b"\x89PNG\r\n\x1a\n" + b"\0" * 30):
        with pytest.raises(InputError) as here:
            read_photo(content, "jar.png")
        with pytest.raises(InputError) as there:
            reader.read(content, "anna", "jar.png")
        assert str(there.value) == str(here.value)


def test_what_is_too_large_is_not_even_decoded(reader: PhotoReader, tmp_path: Path) -> None:
    whole = save_photo(tmp_path / "wall.png", (200, 300)).read_bytes()
    cut = whole[:100]  # Its header says how large it is; the pixels are not there to be decoded.
    with pytest.raises(InputError, match="cut off or damaged"):
        reader.read(cut, "anna")
    with pytest.raises(TooManyPixelsError, match=r"wall.png: it has more pixels than are read here"):
        reader.read(cut, "anna", "wall.png", megapixels=0.05)
    assert reader.read(whole, "anna", megapixels=0.06).size_hw == (200, 300)


def test_who_brings_many_at_once_is_told_so(reader: PhotoReader, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> str:
        raise GoneError("the photo", "it is not here, or no longer", "Send it again.")

    monkeypatch.setattr(reader._desk, "submit", gone)
    with pytest.raises(FullError, match="too many photos of yours"):
        reader.read(b"anything", "anna")
    assert not reader._desk._shelf._kept


def test_a_file_that_breaks_the_decoder_breaks_nothing_else(
    reader: PhotoReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = save_photo(tmp_path / "jar.png").read_bytes()
    decode = reading._Decode
    monkeypatch.setattr(reading, "_Decode", lambda _megapixels: Break("abort"))
    with pytest.raises(InputError, match=r"jar.png: it cannot be read \(crashed\). Save it anew"):
        reader.read(content, "mallory", "jar.png")
    monkeypatch.setattr(reading, "_Decode", decode)
    assert reader.read(content, "anna").name == "the photo"
    monkeypatch.setattr(reading, "_Decode", lambda _megapixels: Say(seconds=3))
    with pytest.raises(FullError, match="in time"):
        _impatient(reader).read(content, "anna")


def _impatient(reader: PhotoReader) -> PhotoReader:
    reader._desk.settings = DeskSettings(seconds=0.1)
    return reader
