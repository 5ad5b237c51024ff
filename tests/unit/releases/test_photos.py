"""Photos that cannot be put into a release, and sums that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from foveate.errors import InputError
from foveate.releases.photos import has_place, put_photos
from foveate.sources.embedded import EmbeddedImage
from foveate.sources.images import FileImage
from foveate.sources.sums import SUMS, differences, read_sums, write_sums
from tests.helpers import save_photo, write


def test_photos_of_another_size_or_kind_are_refused(tmp_path: Path) -> None:
    photo = FileImage(save_photo(tmp_path / "a.png"))
    with pytest.raises(InputError, match="Give the photos that the data set is about"):
        put_photos({"a.png": (photo, (64, 48))}, tmp_path / "out")
    odd = FileImage(save_photo(tmp_path / "a.ppm"))
    with pytest.raises(InputError, match="photos .ppm cannot be stripped"):
        put_photos({"a.ppm": (odd, None)}, tmp_path / "out", strip=["a.ppm"])
    with pytest.raises(InputError, match="is no path below a folder"):
        put_photos({"../a.png": (photo, None)}, tmp_path / "out")


def test_photos_inside_of_a_file_are_written_out_and_absent_ones_named(tmp_path: Path) -> None:
    data = save_photo(tmp_path / "a.png").read_bytes()
    photo = EmbeddedImage("a.png", "row 1", lambda: data)
    put = put_photos({"a.png": (photo, (48, 64)), "b.png": (None, None)}, tmp_path / "out")
    assert (tmp_path / "out" / "a.png").read_bytes() == data
    assert (put.written, put.absent, put.with_place) == (1, ("b.png",), ())
    assert not has_place(write(tmp_path / "no.jpg", "no photo"))


def test_sums_tell_what_is_missing_changed_or_unreadable(tmp_path: Path) -> None:
    write(tmp_path / "a", "1")
    write(tmp_path / "line\nfeed", "2")
    sums = write_sums(tmp_path)
    assert read_sums(tmp_path) == sums
    assert list(differences(tmp_path, sums)) == []
    write(tmp_path / "a", "2")
    (tmp_path / "line\nfeed").unlink()
    assert dict(differences(tmp_path, sums)) == {"a": "changed", "line\nfeed": "missing"}
    line = f"{'0' * 64}  a\n"
    write(tmp_path / SUMS, f"{line}{line.replace('  a', '  b')}{line}")
    with pytest.raises(InputError, match="line 3: a is named a second time"):
        read_sums(tmp_path)
    (tmp_path / SUMS).write_bytes(b"\xff")
    with pytest.raises(InputError, match="it cannot be read as text"):
        read_sums(tmp_path)
    (tmp_path / SUMS).unlink()
    with pytest.raises(InputError, match="there is no such file"):
        read_sums(tmp_path)
