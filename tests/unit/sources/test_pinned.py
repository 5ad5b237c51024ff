"""Fetching, keeping and verifying when all goes well, and the cache when it does not."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from foveate.errors import OutputError, UnavailableError
from foveate.sources import pinned
from foveate.sources.pinned import Member, PinnedFile, fetch, is_cached, member_path

from .conftest import Demo
from .index_server import html_page, member, pin, sha256, wheel


class Told:
    """A progress that remembers."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, int, str]] = []

    def __call__(self, done_bytes: int, total_bytes: int, label: str) -> None:
        self.calls.append((done_bytes, total_bytes, label))


def _files(home: Path) -> list[str]:
    return sorted(str(p.relative_to(home)) for p in home.rglob("*") if p.is_file() and p.suffix != ".lock")


@pytest.mark.parametrize("as_json", [False, True])
def test_members_of_an_sdist_come_by_one_download(demo: Demo, home: Path, as_json: bool) -> None:
    demo.index.as_json = as_json
    told = Told()
    assert not is_cached(demo.big)
    found = fetch([demo.big, demo.small, demo.big], told)
    assert {m: path.read_bytes() for m, path in found.items()} == demo.contents
    assert found[demo.small] == home / "files" / demo.small.sha256 / "names"
    assert demo.index.downloads() == [None]
    # The archive is gone, and nothing else of it was unpacked.
    assert _files(home) == sorted(f"files/{m.sha256}/{m.name}" for m in demo.contents)
    assert told.calls[0] == (0, len(demo.data), demo.filename)
    assert told.calls[-1] == (len(demo.data), len(demo.data), demo.filename)
    assert is_cached(demo.big)


def test_what_is_cached_is_not_asked_for_again(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    path = member_path(demo.big)
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    told = Told()
    assert member_path(demo.big, progress=told) == path
    assert told.calls == []
    assert len(demo.index.downloads()) == 1


def test_a_wheel_of_another_platform(demo: Demo) -> None:
    data = wheel({"demo/photo.png": b"png", "demo/evil.py": b"raise SystemExit"})
    archive = pin("demo-1.0-cp39-cp39-win_arm64.whl", data)
    demo.index.files[archive.filename] = data
    assert member_path(member(archive, "demo/photo.png", b"png")).read_bytes() == b"png"


def test_several_archives_and_only_what_is_missing(demo: Demo) -> None:
    data = wheel({"demo/photo.png": b"png"})
    photo = member(pin("demo-1.0-py3-none-any.whl", data), "demo/photo.png", b"png")
    demo.index.files[photo.archive.filename] = data
    member_path(demo.small)
    found = fetch([demo.small, photo])
    assert found[photo].read_bytes() == b"png"
    assert [path for path, _, _ in demo.index.requests if path.startswith("/files/")] == [
        f"/files/{demo.filename}",
        f"/files/{photo.archive.filename}",
    ]


def test_a_redirected_file(demo: Demo) -> None:
    demo.index.redirects = True
    assert member_path(demo.small).read_bytes() == demo.contents[demo.small]


def test_a_folder_of_packages(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my wheels"
    folder.mkdir()
    (folder / demo.filename).write_bytes(demo.data)
    monkeypatch.setenv("PIP_FIND_LINKS", folder.as_uri())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert member_path(demo.small).read_bytes() == demo.contents[demo.small]
    assert demo.index.requests == []


def test_a_plain_path_of_packages_comes_before_the_network(
    demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / demo.filename).write_bytes(demo.data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PIP_FIND_LINKS", "nowhere .")
    assert member_path(demo.small).read_bytes() == demo.contents[demo.small]
    assert demo.index.requests == []


def test_an_index_that_is_a_folder(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "simple" / "demo" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_bytes(html_page("..", {demo.filename: b""}, {demo.filename: sha256(demo.data)}))
    (tmp_path / "simple" / demo.filename).write_bytes(demo.data)
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    assert member_path(demo.small).read_bytes() == demo.contents[demo.small]


def test_the_password_of_the_index_is_used(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", f"{demo.index.url.replace('//', '//me:s3cret@')}/simple")
    member_path(demo.small)
    assert {credentials for _, _, credentials in demo.index.requests} == {"Basic bWU6czNjcmV0"}


@pytest.mark.parametrize("damage", [b"", b"x"])
def test_a_damaged_file_is_fetched_again(demo: Demo, damage: bytes) -> None:
    path = member_path(demo.big)
    path.write_bytes(damage + demo.contents[demo.big][1:])
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert len(demo.index.downloads()) == 2


def test_a_file_of_an_earlier_process_is_hashed_once(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    path = member_path(demo.big)
    monkeypatch.setattr(pinned, "_verified", {})
    hashed: list[Path] = []

    def hash_of(path: Path) -> str:
        hashed.append(path)
        return demo.big.sha256

    monkeypatch.setattr(pinned, "sha256_of", hash_of)
    assert [member_path(demo.big), member_path(demo.big)] == [path, path]
    assert hashed == [path]
    assert len(demo.index.downloads()) == 1


def test_a_cached_file_that_cannot_be_read_is_fetched_again(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    # Not by its mode: a test that runs as root may read any file.
    path = member_path(demo.big)
    monkeypatch.setattr(pinned, "_verified", {})
    monkeypatch.setattr(pinned, "sha256_of", refuse)
    assert member_path(demo.big) == path
    assert len(demo.index.downloads()) == 2


def test_a_damaged_file_offline_is_refused(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    path = member_path(demo.big)
    path.write_bytes(b"x" + demo.contents[demo.big][1:])
    monkeypatch.setenv("FOVEATE_OFFLINE", "yes")
    with pytest.raises(UnavailableError, match=r"gz: it is damaged in the cache \(.*\) and FOVEATE_OFFLINE is set"):
        member_path(demo.big)
    # What is not there is told first.
    with pytest.raises(UnavailableError, match=r"^names of demo-1\.0\.tar\.gz: it is not in the cache"):
        fetch([demo.big, demo.small])


def test_an_unreadable_file_offline_is_not_said_to_be_damaged(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    path = member_path(demo.big)
    monkeypatch.setattr(pinned, "_verified", {})

    def refuse(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    # Whoever owns the machine may read everything, so that the rights are only pretended.
    monkeypatch.setattr(pinned, "sha256_of", refuse)
    monkeypatch.setattr("os.access", lambda file, mode: mode == os.F_OK)
    monkeypatch.setenv("FOVEATE_OFFLINE", "yes")
    with pytest.raises(UnavailableError, match=rf"gz: {re.escape(str(path))} cannot be read\. Give yourself the right"):
        member_path(demo.big)


def test_offline_and_empty_names_the_largest_file_and_the_remedy(
    demo: Demo, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    with pytest.raises(UnavailableError) as caught:
        fetch([demo.small, demo.big])
    assert str(caught.value) == (
        f"big.bin and 1 more file of demo-1.0.tar.gz: they are not in the cache ({home}) and FOVEATE_OFFLINE is set. "
        "Unset it and run `foveate weights pull`, or copy the cache of a machine that has them."
    )
    assert demo.index.requests == []


def test_a_home_that_cannot_be_made(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Below a file, since a test that runs as root may write into any folder.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(OutputError, match=r"file/home.*Not a directory\. Set FOVEATE_HOME"):
        member_path(demo.big)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which is always full")
def test_a_full_disk(demo: Demo, home: Path) -> None:
    (home / "downloads").mkdir(parents=True)
    (home / "downloads" / f"{demo.big.archive.sha256}.part").symlink_to("/dev/full")
    needed = len(demo.data) + demo.big.bytes
    with pytest.raises(OutputError, match=f"the disk is full, {needed:,} bytes are needed"):
        member_path(demo.big)


@pytest.mark.parametrize("path", ["", "a/..", "a\\b", "a/b\0"])
def test_a_member_needs_a_plain_name(demo: Demo, path: str) -> None:
    with pytest.raises(ValueError, match="plain name"):
        Member(demo.big.archive, path, demo.big.sha256, 1)


def test_pins_are_checked() -> None:
    with pytest.raises(ValueError, match="64 lower-case hex digits"):
        PinnedFile("demo", "1.0", "demo-1.0.tar.gz", "../../etc", 1, "MIT")
    with pytest.raises(ValueError, match="number of bytes"):
        PinnedFile("demo", "1.0", "demo-1.0.tar.gz", "0" * 64, -1, "MIT")
    with pytest.raises(ValueError, match="plain name"):
        PinnedFile("demo", "1.0", "../demo-1.0.tar.gz", "0" * 64, 1, "MIT")
