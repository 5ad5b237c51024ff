"""Nothing in a zip leaves its folder, fills the disk, or becomes anything but a file."""

from __future__ import annotations

import stat
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from foveate.challenges.unpacking import Most, unpack
from foveate.errors import InputError


def archive(at: Path, *files: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(at, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files:
            made.writestr(name, data)
    return at


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


GOOD = ("cup/challenge.toml", b"slug")


def test_a_folder_comes_out_as_it_went_in(tmp_path: Path) -> None:
    path = archive(
        tmp_path / "a.zip", GOOD, ("cup/data/x.csv", b"1"), ("__MACOSX/cup/._x", b"2"), ("cup/.DS_Store", b"")
    )
    assert unpack(path, tmp_path / "out") == tmp_path / "out" / "cup"
    files = {one.relative_to(tmp_path / "out").as_posix() for one in (tmp_path / "out").rglob("*") if one.is_file()}
    assert files == {"cup/challenge.toml", "cup/data/x.csv"}
    assert unpack(archive(tmp_path / "b.zip", ("challenge.toml", b"")), tmp_path / "top") == tmp_path / "top"


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ("../evil", "no plain name"),
        ("/etc/evil", "no plain name"),
        ("cup/../../evil", "no plain name"),
        ("cup//evil", "no plain name"),
        ("cup\\..\\evil", "no plain name"),
        ("C:evil", "no plain name"),
        ("cup/e\u202evil", "no plain name"),
        ("cup/" + "e" * 300, "no plain name"),
        (link("cup/data"), "a link or a device"),
        ("cup/Challenge.toml", "two files of this name"),
        ("cup/challenge.toml/x", "a file and a folder of this name"),
    ],
)
def test_what_is_no_plain_file_is_refused(tmp_path: Path, member: str | zipfile.ZipInfo, said: str) -> None:
    path = archive(tmp_path / "a.zip", GOOD, (member, b"x"))
    with pytest.raises(InputError, match=said):
        unpack(path, tmp_path / "deep" / "out")
    assert not list(tmp_path.glob("evil*"))
    assert not (tmp_path / "deep" / "evil").exists()


def test_a_bomb_is_stopped_while_it_grows_whatever_it_says_of_itself(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", GOOD, ("cup/zeros", bytes(5_000_000)))
    # The directory says 10 bytes; what comes out is counted.
    lying = path.read_bytes().replace((5_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    for data in (path.read_bytes(), lying):
        path.write_bytes(data)
        out = tmp_path / f"out{len(list(tmp_path.iterdir()))}"
        with pytest.raises(InputError):
            unpack(path, out, Most(bytes=1_000_000))
        assert sum(one.stat().st_size for one in out.rglob("*") if one.is_file()) <= 1_000_010
    with pytest.raises(InputError, match="2 files; at most 1"):
        unpack(path, tmp_path / "few", Most(files=1))


def test_what_is_no_zip_or_no_challenge_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InputError, match="not a zip that can be read"):
        unpack(tmp_path / "a.zip", tmp_path / "a")
    with pytest.raises(InputError, match=r"there is no challenge\.toml"):
        unpack(archive(tmp_path / "b.zip", ("a/b/challenge.toml", b"")), tmp_path / "b")
    with pytest.raises(InputError, match="2 files"):
        unpack(archive(tmp_path / "c.zip", GOOD, ("b/challenge.toml", b"")), tmp_path / "c")


def test_an_encrypted_file_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", GOOD)
    data = bytearray(path.read_bytes())
    # Bit 0 of the flags, in the local header and in the directory.
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="encrypted"):
        unpack(path, tmp_path / "out")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_unpack_in_blocks_are_refused_unopened(tmp_path: Path, packing: int) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", packing) as made:
        made.writestr("cup/challenge.toml", bytes(10_000_000))
    with pytest.raises(InputError, match="packed in an unusual way"):
        unpack(tmp_path / "a.zip", tmp_path / "out")


def test_a_list_of_files_that_fills_the_memory_is_not_read(tmp_path: Path) -> None:
    one = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    listed = one * 60_000
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 60_000, 60_000, len(listed), 0, 0)
    (tmp_path / "a.zip").write_bytes(listed + end)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="it holds 60,000 files; at most 20,000"):
            unpack(tmp_path / "a.zip", tmp_path / "out")
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("cup/x.csv", b"a\n" + b"x" * (2**20 + 1), r"a\.zip, cup/x\.csv, line 2: the line has more than 1 MiB"),
        ("cup/x.csv", bytes(2**20), r"a\.zip, cup/x\.csv: this is a file with bytes of 0"),
        ("cup/x.json", b"[" * 100, r"a\.zip, cup/x\.json: its lists and objects lie more than 32 deep"),
        ("cup/x.dat", b"x" * 3_000_000, "its texts and tables have 2.861 MiB; at most 2 MiB"),
    ],
)
def test_data_that_take_the_memory_when_they_are_read_are_refused(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    path = archive(tmp_path / "a.zip", GOOD, (name, data))
    with pytest.raises(InputError, match=said):
        unpack(path, tmp_path / "out", Most(tables=2 * 2**20))


def test_an_archive_inside_and_pictures_are_as_they_are_for_entries(tmp_path: Path) -> None:
    inner = archive(tmp_path / "inner.zip", ("a.png", b"PK\3\4"))
    with pytest.raises(InputError, match=r"a\.zip, cup/masks\.zip, a\.png: there is a zip inside the zip"):
        unpack(archive(tmp_path / "a.zip", GOOD, ("cup/masks.zip", inner.read_bytes())), tmp_path / "out")
    # Pictures are no tables, and an empty file is none either.
    path = archive(tmp_path / "b.zip", GOOD, ("cup/a.jpg", bytes(3_000_000)), ("cup/empty.csv", b""))
    assert unpack(path, tmp_path / "pictures", Most(tables=100)).name == "cup"
