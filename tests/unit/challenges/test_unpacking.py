"""Nothing in a zip leaves its folder, fills the disk, or becomes anything but a file."""

from __future__ import annotations

import stat
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
    with pytest.raises(InputError, match="2 files, more than 1"):
        unpack(path, tmp_path / "few", Most(files=1))


def test_what_is_no_zip_or_no_challenge_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InputError, match="no zip that can be read"):
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
