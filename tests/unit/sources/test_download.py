"""Indexes and servers that misbehave."""

from __future__ import annotations

import logging
import random
import socket
from pathlib import Path

import pytest
from filelock import FileLock

from foveate.errors import UnavailableError, UsageError
from foveate.sources import _download
from foveate.sources.pinned import Member, member_path

from .conftest import Demo
from .index_server import Behaviour, serving


def _closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _part(home: Path, member: Member) -> Path:
    return home / "downloads" / f"{member.archive.sha256}.part"


def _cut_off(demo: Demo, home: Path) -> None:
    """Leaves 300,000 bytes of a download that was given up, and forgets the requests for it."""
    demo.index.cuts = [100_000, 200_000, 300_000]
    said = rf"stopped 3 times, after 300,000 of {len(demo.data):,} bytes \("
    with pytest.raises(UnavailableError, match=said) as caught:
        member_path(demo.big)
    assert caught.value.where == "big.bin of demo-1.0.tar.gz"
    assert caught.value.remedy.startswith("What arrived is kept, and the next try goes on from there: run it again")
    assert _part(home, demo.big).read_bytes() == demo.data[:300_000]
    assert demo.index.downloads() == [None, "bytes=100000-", "bytes=200000-"]
    demo.index.requests.clear()


def test_a_download_that_is_cut_twice_goes_on_by_itself(demo: Demo) -> None:
    demo.index.cuts = [200_000, 500_000]
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == [None, "bytes=200000-", "bytes=500000-"]


def test_it_waits_before_it_tries_again(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(_download, "_PAUSES", (1.0, 3.0))
    monkeypatch.setattr("time.sleep", waited.append)
    demo.index.cuts = [1, 2]
    member_path(demo.big)
    assert waited == [1.0, 3.0]


def test_a_download_that_was_given_up_goes_on_where_it_stopped(demo: Demo, home: Path) -> None:
    _cut_off(demo, home)
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == ["bytes=300000-"]


def test_a_host_of_files_that_is_not_there(demo: Demo) -> None:
    demo.index.files_url = f"http://127.0.0.1:{_closed_port()}"
    with pytest.raises(UnavailableError, match="Nothing arrived yet"):
        member_path(demo.big)


def test_an_address_that_cannot_be_used_is_tried_once(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.index.files_url = "gopher://me:s3cret@127.0.0.1"
    monkeypatch.setattr(_download, "_PAUSES", (600.0,))
    with pytest.raises(UnavailableError, match=r"gopher://\*\*\*@127\.0\.0\.1/demo-1\.0\.tar\.gz does not give it"):
        member_path(demo.big)


def test_an_interrupt_keeps_what_arrived_and_frees_the_lock(demo: Demo, home: Path) -> None:
    def interrupt(done_bytes: int, total_bytes: int, label: str) -> None:
        if done_bytes:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        member_path(demo.big, progress=interrupt)
    arrived = _part(home, demo.big).read_bytes()
    assert 0 < len(arrived) < len(demo.data)
    assert demo.data.startswith(arrived)
    with FileLock(_part(home, demo.big).with_suffix(".lock"), timeout=0):
        pass
    member_path(demo.big)
    assert demo.index.downloads() == [None, f"bytes={len(arrived)}-"]


def test_a_server_that_ignores_ranges_starts_over(demo: Demo, home: Path) -> None:
    _cut_off(demo, home)
    demo.index.honours_range = False
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == ["bytes=300000-"]


def test_a_server_that_answers_another_range_starts_over(demo: Demo, home: Path) -> None:
    _cut_off(demo, home)
    demo.index.wrong_range = True
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]
    assert demo.index.downloads() == ["bytes=300000-", None]


def test_a_cut_without_a_declared_length(demo: Demo, home: Path) -> None:
    demo.index.declares_length = False
    _cut_off(demo, home)
    assert member_path(demo.big).read_bytes() == demo.contents[demo.big]


def test_a_fault_of_the_server_leaves_the_part(demo: Demo, home: Path) -> None:
    _cut_off(demo, home)
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
    with pytest.raises(UnavailableError, match="It was deleted") as caught:
        member_path(demo.big)
    assert caught.value.where == "big.bin of demo-1.0.tar.gz"
    expected = f"expected {demo.big.archive.sha256[:12]} ({len(demo.data):,} bytes)"
    assert caught.value.problem.startswith("the download is another file, it has sha256 ")
    assert caught.value.problem.endswith(expected)
    assert ("(more than " in caught.value.problem) is (size > 0)
    assert not _part(home, demo.big).exists()


def test_an_index_that_declares_another_hash_is_not_downloaded_from(demo: Demo) -> None:
    demo.index.hashes[demo.filename] = "0" * 64
    with pytest.raises(UnavailableError, match=" 0{12}, expected " + demo.big.archive.sha256[:12] + r"\."):
        member_path(demo.big)
    assert demo.index.downloads() == []


def test_an_index_that_is_not_there(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", f"http://me:s3cret@127.0.0.1:{_closed_port()}/simple")
    with pytest.raises(
        UnavailableError, match=r"^big\.bin of demo-1\.0\.tar\.gz: no usable answer from http://"
    ) as caught:
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
    with pytest.raises(
        UnavailableError, match=r"no package index or folder has this file of demo==1\.0 \(asked: "
    ) as e:
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
    with pytest.raises(UnavailableError, match="does not give it: 404"):
        member_path(demo.big)


def test_a_local_file_that_cannot_be_read(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder" / demo.filename).mkdir(parents=True)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "folder"))
    with pytest.raises(UnavailableError, match="does not give it: Is a directory"):
        member_path(demo.big)


def test_what_unearth_says_to_a_debugger_is_not_swallowed(demo: Demo, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "unearth.collector"):
        member_path(demo.small)
    assert any(record.levelno == logging.DEBUG for record in caplog.records)
