"""Files of a hub, through the hub's own library, from a hub on the loopback. The real one is never asked."""

from __future__ import annotations

import errno
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from foveate.cli.weights import app
from foveate.errors import InputError, OutputError, UnavailableError, UsageError
from foveate.sources import hub
from foveate.sources.hub import HubFile, cached_hub_path, hub_path, parse_hub_file
from foveate.sources.weights import declared, paths

from .hub_server import REVISION, Hub, serving

DATA = bytes(range(256)) * 40
SHA256 = hashlib.sha256(DATA).hexdigest()
FILE = HubFile("some/model", REVISION, "weights/model.bin", SHA256, len(DATA), "MIT")
SPEC = f"hf:some/model@{REVISION}/weights/model.bin#{SHA256}"


class Told:
    def __init__(self) -> None:
        self.calls: list[tuple[int, int, str]] = []

    def __call__(self, done_bytes: int, total_bytes: int, label: str) -> None:
        self.calls.append((done_bytes, total_bytes, label))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(hub, "_verified", {})
    with serving(Hub({"some/model/weights/model.bin": DATA})) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def test_a_file_is_fetched_once_and_then_found_without_asking(server: Hub, tmp_path: Path) -> None:
    told = Told()
    assert cached_hub_path(FILE) is None
    path = hub_path(FILE, told)
    assert path.read_bytes() == DATA
    assert path.is_relative_to(tmp_path / "hub")
    assert told.calls[-1] == (len(DATA), len(DATA), "model.bin")
    asked = list(server.requests)
    assert ("GET", f"/some/model/resolve/{REVISION}/weights/model.bin") in asked
    assert (cached_hub_path(FILE), hub_path(FILE)) == (path, path)
    assert server.requests == asked


def test_it_works_offline_once_it_is_there(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    with pytest.raises(UnavailableError, match=r"model\.bin: it is not in the hub's cache and FOVEATE_OFFLINE is set"):
        hub_path(FILE)
    monkeypatch.setenv("FOVEATE_OFFLINE", "0")
    path = hub_path(FILE)
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    server.status = 500
    assert hub_path(FILE) == path


def test_a_download_that_is_cut_goes_on(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    server.cuts.append(5000)
    assert hub_path(FILE).read_bytes() == DATA
    assert [kind for kind, _ in server.requests].count("GET") == 2


def test_a_damaged_file_is_fetched_again(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    path = hub_path(FILE)
    path.write_bytes(b"x" + DATA[1:])
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    with pytest.raises(UnavailableError, match="it is damaged in the hub's cache"):
        hub_path(FILE)
    monkeypatch.setenv("FOVEATE_OFFLINE", "0")
    assert hub_path(FILE).read_bytes() == DATA


def test_another_file_than_the_pinned_one(server: Hub) -> None:
    server.files["some/model/weights/model.bin"] = b"x" + DATA[1:]
    with pytest.raises(
        UnavailableError, match=rf"the download is another file, it has sha256 .* expected {SHA256[:12]}"
    ):
        hub_path(FILE)


@pytest.mark.parametrize("status", [401, 403, 500])
def test_a_hub_that_refuses(server: Hub, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    server.status = status
    with pytest.raises(UnavailableError, match=r"the hub does not give it: .*\. Check the network, HF_ENDPOINT"):
        hub_path(FILE)


def test_a_file_that_is_not_there_and_a_hub_that_is_not(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    server.files.clear()
    with pytest.raises(UnavailableError, match="the hub does not give it"):
        hub_path(FILE)
    # A port that nothing listens on.
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(UnavailableError, match="the hub does not give it"):
        hub_path(FILE)


def test_without_the_library_the_command_to_install_it(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UnavailableError, match=r"huggingface-hub is not installed\. Say: pip install 'foveate\[hf\]'"):
        hub_path(FILE)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, r"the hub's cache cannot be written \(.*Read-only")],
)
def test_a_cache_that_cannot_be_written(server: Hub, monkeypatch: pytest.MonkeyPatch, code: int, sentence: str) -> None:
    def refuse(*, local_files_only: bool = False, **_: Any) -> str:
        raise FileNotFoundError if local_files_only else OSError(code, "Read-only file system", "hub")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", refuse)
    with pytest.raises(OutputError, match=rf"{sentence}.*set HF_HOME to a folder"):
        hub_path(FILE)


def test_the_spelled_form() -> None:
    file = parse_hub_file(SPEC)
    assert (file.repo, file.revision, file.path, file.sha256) == ("some/model", REVISION, "weights/model.bin", SHA256)
    assert (file.name, file.bytes) == ("model.bin", None)
    assert str(FILE) == "hf:some/model@0123456789ab/weights/model.bin"


@pytest.mark.parametrize(
    "spec",
    [
        "hf:",
        "hf:model",
        f"hf:some/model@main/a#{SHA256}",
        f"hf:some/model@{REVISION}/a",
        f"hf:some/model@{REVISION}#{SHA256}",
    ],
)
def test_other_forms_are_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="Say hf:OWNER/NAME@REVISION/PATH#SHA256"):
        declared(spec)


def test_pins_are_checked() -> None:
    with pytest.raises(ValueError, match="40 lower-case hex digits"):
        HubFile("some/model", "main", "a", SHA256, 1, "MIT")
    with pytest.raises(ValueError, match="64 lower-case hex digits"):
        HubFile("some/model", REVISION, "a", "f", 1, "MIT")
    with pytest.raises(ValueError, match="plain name"):
        HubFile("some/model", REVISION, "a/..", SHA256, 1, "MIT")


def test_the_same_door_as_for_the_index(server: Hub) -> None:
    assert not declared(SPEC).cached
    assert paths(SPEC)["model.bin"].read_bytes() == DATA
    assert declared(SPEC).cached


def test_the_command_line_takes_it_too(server: Hub) -> None:
    runner = CliRunner()
    absent = runner.invoke(app, ["verify", SPEC])
    assert isinstance(absent.exception, UnavailableError)
    assert isinstance(runner.invoke(app, ["path", SPEC]).exception, UnavailableError)
    assert runner.invoke(app, ["pull", SPEC]).exit_code == 0
    path = Path(runner.invoke(app, ["path", SPEC]).stdout.strip())
    assert path.read_bytes() == DATA
    assert "model.bin: ok" in runner.invoke(app, ["verify", SPEC]).stdout
    path.write_bytes(b"x" + DATA[1:])
    damaged = runner.invoke(app, ["verify", SPEC])
    assert isinstance(damaged.exception, InputError)
    assert "it has sha256" in damaged.exception.problem
