"""Files made of fetched ones: made once, whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from foveate.errors import OutputError, UnavailableError
from foveate.sources import converted as module
from foveate.sources import pinned
from foveate.sources.converted import Conversion, converted, discard, state

from .conftest import Demo


class Maker:
    """Counts the calls; turns a fetched file round."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, files: Mapping[str, Path]) -> bytes:
        self.calls += 1
        return files["big.bin"].read_bytes()[::-1]


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def conversion(demo: Demo, maker: Maker) -> Conversion:
    return Conversion("big.onnx", (demo.big, demo.small), 1, maker)


@pytest.fixture
def result(demo: Demo) -> bytes:
    return demo.contents[demo.big][::-1]


def next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_verified", {})
    monkeypatch.setattr(pinned, "_verified", {})


def test_it_is_made_once_and_lies_in_the_cache_with_its_hash(
    conversion: Conversion, maker: Maker, result: bytes, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert state(conversion) == "absent"
    path = converted(conversion)
    assert path == home / "converted" / conversion.key / "big.onnx"
    assert path.read_bytes() == result
    assert (path.parent / "big.onnx.sha256").read_text() == f"{hashlib.sha256(result).hexdigest()}  big.onnx\n"
    next_process(monkeypatch)
    assert converted(conversion) == path
    assert maker.calls == 1


def test_once_made_it_needs_no_network_and_not_even_what_it_is_made_of(
    demo: Demo, conversion: Conversion, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = converted(conversion)
    for member in (demo.big, demo.small):
        (home / "files" / member.sha256 / member.name).unlink()
    next_process(monkeypatch)
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    assert converted(conversion) == path


def test_offline_and_not_made_it_says_what_is_missing(conversion: Conversion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    with pytest.raises(UnavailableError, match=r"big\.bin and 1 more file of demo-1\.0\.tar\.gz: they are not in"):
        converted(conversion)


def test_what_it_is_made_of_comes_by_one_download(demo: Demo, conversion: Conversion) -> None:
    converted(conversion)
    pinned.member_path(demo.small)
    assert demo.index.downloads() == [None]


@pytest.mark.parametrize("damage", [b"", b"x", None])
def test_a_damaged_result_is_made_anew(
    conversion: Conversion, maker: Maker, result: bytes, damage: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = converted(conversion)
    if damage is None:
        (path.parent / "big.onnx.sha256").unlink()
        next_process(monkeypatch)
    else:
        path.write_bytes(damage + result[1:])
    assert state(conversion) == "damaged"
    assert converted(conversion).read_bytes() == result
    assert maker.calls == 2


def test_a_result_of_another_recipe_is_another_file(demo: Demo, conversion: Conversion) -> None:
    others = [replace(conversion, version=2), replace(conversion, name="b"), replace(conversion, members=(demo.big,))]
    assert len({other.key for other in [conversion, *others]}) == 4


def test_discarded_it_is_made_again(conversion: Conversion, maker: Maker) -> None:
    converted(conversion)
    discard(conversion)
    discard(conversion)
    assert state(conversion) == "absent"
    converted(conversion)
    assert maker.calls == 2


def test_a_maker_that_is_interrupted_leaves_nothing(conversion: Conversion, result: bytes) -> None:
    def interrupted(files: Mapping[str, Path]) -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        converted(replace(conversion, make=interrupted))
    assert state(conversion) == "absent"
    # The lock is free.
    assert converted(conversion).read_bytes() == result


@pytest.mark.parametrize("name", ["big.onnx.part", "big.onnx.sha256"])
def test_killed_while_it_was_written(conversion: Conversion, result: bytes, name: str) -> None:
    """What a kill leaves behind at each step: half a file; a hash without its file."""
    folder = conversion.path.parent
    folder.mkdir(parents=True)
    (folder / name).write_bytes(b"half")
    assert state(conversion) == "absent"
    assert converted(conversion).read_bytes() == result
    assert sorted(path.name for path in folder.iterdir()) == ["big.onnx", "big.onnx.sha256"]


def test_a_full_disk_is_not_left_fuller(conversion: Conversion, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        plain(path, data[:100])
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    pinned.fetch(conversion.members)
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match=r"big\.onnx\.part: the disk is full, 900,000 bytes are needed"):
        converted(conversion)
    assert list(conversion.path.parent.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which is always full")
def test_a_disk_that_is_really_full(conversion: Conversion) -> None:
    conversion.path.parent.mkdir(parents=True)
    conversion.path.with_name("big.onnx.part").symlink_to("/dev/full")
    with pytest.raises(OutputError, match="the disk is full, 900,000 bytes are needed"):
        converted(conversion)
    assert state(conversion) == "absent"


def test_a_cache_that_may_only_be_read(conversion: Conversion, monkeypatch: pytest.MonkeyPatch) -> None:
    path = converted(conversion)
    next_process(monkeypatch)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path.parent))

    # Not by its mode: a test that runs as root may write anywhere.
    for function in ("write_bytes", "write_text", "mkdir", "replace", "touch", "unlink"):
        monkeypatch.setattr(Path, function, refuse)
    assert converted(conversion) == path
    other = replace(conversion, version=2)
    with pytest.raises(OutputError, match=r"network big\.onnx cannot be kept here: Read-only .*Set FOVEATE_HOME"):
        converted(other)


def test_two_threads_make_it_once(conversion: Conversion, maker: Maker) -> None:
    pinned.fetch(conversion.members)
    go_on, begun = threading.Event(), threading.Event()

    def slow(files: Mapping[str, Path]) -> bytes:
        begun.set()
        assert go_on.wait(30)
        return maker(files)

    with ThreadPoolExecutor() as threads:
        first = threads.submit(converted, replace(conversion, make=slow))
        assert begun.wait(30)
        second = threads.submit(converted, conversion)
        go_on.set()
        assert first.result(30) == second.result(30)
    assert maker.calls == 1


CODE = """
import sys, time
from pathlib import Path
from foveate.sources.converted import Conversion, converted
def make(files):
    with open(sys.argv[1], "a") as log:
        log.write("made\\n")
    time.sleep(0.5)
    return bytes(1000)
print(converted(Conversion("zeros.bin", (), 1, make)))
"""


def test_two_processes_make_it_once(tmp_path: Path, home: Path) -> None:
    log = tmp_path / "log"
    running = [
        subprocess.Popen([sys.executable, "-c", CODE, str(log)], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    places = {process.communicate(timeout=60)[0].strip() for process in running}
    assert [process.returncode for process in running] == [0, 0]
    assert len(places) == 1
    assert Path(places.pop()).read_bytes() == bytes(1000)
    assert log.read_text() == "made\n"
