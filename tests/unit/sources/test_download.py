"""Indexes and servers that misbehave."""

from __future__ import annotations

import random
import socket
from pathlib import Path

import pytest

from foveate.errors import FoveateError, InputError, UnavailableError, UsageError
from foveate.sources.pinned import Member, member_path

from .conftest import Demo
from .index_server import Behaviour, serving


def _closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _part(home: Path, member: Member) -> Path:
    return home / "downloads" / f"{member.archive.sha256}.part"


def _cut_once(demo: Demo, home: Path, after: int = 300_000) -> None:
    demo.index.cut_after = after
    with pytest.raises(UnavailableError, match=f"stopped after {after} of {len(demo.data)} bytes") as caught:
        member_path(demo.big)
    assert f"kept in {_part(home, demo.big)}, and the next try goes on from there" in caught.value.remedy
    assert _part(home, demo.big).read_bytes() == demo.data[:after]
    demo.index.cut_after = None


def test_a_cut_download_goes_on_where_it_stopped(demo: Demo, home: Path) -> None:
    _cut_once(demo, home)
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == [None, "bytes=300000-"]


def test_a_server_that_ignores_ranges_starts_over(demo: Demo, home: Path) -> None:
    _cut_once(demo, home)
    demo.index.honours_range = False
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == [None, "bytes=300000-"]


def test_a_server_that_answers_another_range_starts_over(demo: Demo, home: Path) -> None:
    _cut_once(demo, home)
    demo.index.wrong_range = True
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == [None, "bytes=300000-", None]


def test_a_cut_without_a_declared_length(demo: Demo, home: Path) -> None:
    demo.index.declares_length = False
    _cut_once(demo, home)
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]


def test_a_fault_of_the_server_leaves_the_part(demo: Demo, home: Path) -> None:
    _cut_once(demo, home)
    demo.index.file_status, demo.index.honours_range = 503, False
    with pytest.raises(UnavailableError, match="does not give it: 503"):
        member_path(demo.big)
    assert _part(home, demo.big).stat().st_size == 300_000


def test_a_complete_part_is_used_as_it_is(demo: Demo, home: Path) -> None:
    _part(home, demo.big).parent.mkdir(parents=True)
    _part(home, demo.big).write_bytes(demo.data)
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == []


def test_a_part_that_is_too_long_is_begun_anew(demo: Demo, home: Path) -> None:
    _part(home, demo.big).parent.mkdir(parents=True)
    _part(home, demo.big).write_bytes(demo.data + b"more")
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == [None]


@pytest.mark.parametrize("size", [100, 0, -100])
def test_another_archive_of_that_name(demo: Demo, home: Path, size: int) -> None:
    demo.index.hashes.clear()
    other = random.Random(8).randbytes(len(demo.data) + size)
    demo.index.files[demo.filename] = other
    with pytest.raises(InputError, match="It was deleted") as caught:
        member_path(demo.big)
    assert demo.big.archive.sha256 in caught.value.problem
    assert "the download has sha256" in caught.value.problem
    assert not _part(home, demo.big).exists()


def test_an_index_that_declares_another_hash_is_not_downloaded_from(demo: Demo) -> None:
    demo.index.hashes[demo.filename] = "0" * 64
    with pytest.raises(InputError, match="0{64}, expected " + demo.big.archive.sha256):
        member_path(demo.big)
    assert demo.index.downloads() == []


def test_an_index_that_is_not_there(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", f"http://me:s3cret@127.0.0.1:{_closed_port()}/simple")
    with pytest.raises(UnavailableError, match="no usable answer from http://") as caught:
        member_path(demo.big)
    assert "s3cret" not in str(caught.value)
    assert "PIP_INDEX_URL" in caught.value.remedy


def test_an_index_that_is_down_does_not_hide_another(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"{demo.index.url}/simple")
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{_closed_port()}/simple")
    assert member_path(demo.small).read_bytes() == demo.contents[demo.small]


@pytest.mark.parametrize("status", [401, 403, 500])
def test_an_index_that_refuses(demo: Demo, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    demo.index.status = status
    monkeypatch.setenv("PIP_INDEX_URL", f"{demo.index.url.replace('//', '//me:s3cret@')}/simple")
    with pytest.raises(UnavailableError, match=rf"Error\({status}\)") as caught:
        member_path(demo.big)
    assert "s3cret" not in str(caught.value)


def test_an_index_without_a_certificate_that_is_not_trusted(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://me:s3cret@index.invalid/simple")
    with pytest.raises(UnavailableError, match="not being trusted") as caught:
        member_path(demo.big)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("gone", ["file", "project"])
def test_an_index_that_does_not_have_it(demo: Demo, monkeypatch: pytest.MonkeyPatch, gone: str) -> None:
    demo.index.files = {"demo-1.0-py3-none-any.whl": b""} if gone == "file" else demo.index.files
    simple = "simple" if gone == "file" else "other"
    monkeypatch.setenv("PIP_INDEX_URL", f"{demo.index.url.replace('//', '//me:s3cret@')}/{simple}")
    with pytest.raises(UnavailableError, match=r"demo==1\.0: no package index or folder has demo-1\.0\.tar\.gz") as e:
        member_path(demo.big)
    assert "s3cret" not in str(e.value)
    assert "PIP_FIND_LINKS" in e.value.remedy


def test_no_index_at_all(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "true")
    with pytest.raises(UnavailableError, match="asked: none is configured"):
        member_path(demo.big)
    assert demo.index.requests == []


def test_a_proxy_is_used(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Behaviour()) as proxy:
        monkeypatch.setenv("PIP_PROXY", proxy.url)
        for trusted in ("", "127.0.0.1"):
            monkeypatch.setenv("PIP_TRUSTED_HOST", trusted)
            with pytest.raises(UnavailableError):
                member_path(demo.big)
        assert [path for path, _, _ in proxy.requests] == [f"{demo.index.url}/simple/demo/"] * 2
    assert demo.index.requests == []


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PIP_CERT", "/nonexistent/ca.pem", "No such file"),
        ("PIP_PROXY", "gopher://me:s3cret@127.0.0.1:1", "cannot be used"),
    ],
)
def test_a_setting_that_cannot_be_used(
    demo: Demo, monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=said) as caught:
        member_path(demo.big)
    assert "s3cret" not in str(caught.value)


def test_certificates_of_a_folder_are_taken(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CERT", str(tmp_path))
    assert member_path(demo.small).read_bytes() == demo.contents[demo.small]


def test_a_local_file_that_vanished(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "links.html").write_text(f'<a href="{demo.filename}">it</a>')
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "links.html"))
    with pytest.raises(FoveateError, match="does not give it: 404"):
        member_path(demo.big)


def test_a_local_file_that_cannot_be_read(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder" / demo.filename).mkdir(parents=True)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "folder"))
    with pytest.raises(UnavailableError, match="does not give it: Is a directory"):
        member_path(demo.big)
