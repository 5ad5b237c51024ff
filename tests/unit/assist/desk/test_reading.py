from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from foveate.assist.desk import DeskSettings, FullError, PhotoReader
from foveate.assist.photos import read_photo
from foveate.errors import InputError
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


def test_a_file_that_breaks_the_decoder_breaks_nothing_else(reader: PhotoReader, tmp_path: Path) -> None:
    content = save_photo(tmp_path / "jar.png").read_bytes()
    decode = reader._work
    reader._work = Break("abort")
    with pytest.raises(InputError, match=r"jar.png: it cannot be read \(crashed\). Save it anew"):
        reader.read(content, "mallory", "jar.png")
    reader._work = decode
    assert reader.read(content, "anna").name == "the photo"
    reader._work = Say(seconds=3)
    with pytest.raises(FullError, match="in time"):
        _impatient(reader).read(content, "anna")


def _impatient(reader: PhotoReader) -> PhotoReader:
    reader._desk.settings = DeskSettings(seconds=0.1)
    return reader
