from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foveate.errors import OutputError
from foveate.sources.new_files import new_file, new_place


@pytest.fixture(params=[True, False], ids=["links", "no links"])
def _with_and_without_links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not request.param:
        monkeypatch.setattr(Path, "hardlink_to", refuse)


def half_written(path: Path, error: BaseException) -> None:
    with new_file(path) as file:
        file.write(b"half")
        raise error


@pytest.mark.usefixtures("_with_and_without_links")
def test_what_was_written_is_there_and_nothing_else(tmp_path: Path) -> None:
    with new_file(tmp_path / "a") as file:
        file.write(b"whole")
        assert not (tmp_path / "a").exists()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"whole")]
    assert (tmp_path / "a").stat().st_nlink == 1


def test_a_writer_may_close_the_file(tmp_path: Path) -> None:
    with new_file(tmp_path / "a") as file, file:
        file.write(b"whole")
    assert (tmp_path / "a").read_bytes() == b"whole"


@pytest.mark.parametrize("error", [ValueError("a bad row"), KeyboardInterrupt()])
def test_what_fails_leaves_nothing(error: BaseException, tmp_path: Path) -> None:
    with pytest.raises(type(error)):
        half_written(tmp_path / "a", error)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="it cannot be written .No space left"):
        half_written(tmp_path / "a", OSError(28, "No space left on device"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_stays_as_it_is_and_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"mine")
    (tmp_path / "to nothing").symlink_to(tmp_path / "b")
    for name, kind in (("a", "file"), ("to nothing", "file"), (".", "folder")):
        with pytest.raises(OutputError, match=f"there is a {kind} already"), new_file(tmp_path / name):
            pytest.fail("the work began")
    assert (tmp_path / "a").read_bytes() == b"mine"
    assert not (tmp_path / "b").exists()


@pytest.mark.usefixtures("_with_and_without_links")
def test_a_file_that_appears_meanwhile_stays_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="a: there is a file already. Choose another --out"), new_file(tmp_path / "a"):
        (tmp_path / "a").write_bytes(b"theirs")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"theirs")]


def test_a_name_that_cannot_be_taken_after_all_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OutputError, match="it cannot be written .Operation not permitted"), new_file(tmp_path / "a"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["no/such/folder/a", "file/a", "x" * 300])
def test_a_place_that_cannot_be_is_told_before_the_work(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="it cannot be written"), new_file(tmp_path / name):
        pytest.fail("the work began")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_kill_leaves_no_half_file(number: int, tmp_path: Path) -> None:
    text = (
        "import sys, time; from pathlib import Path; from foveate.sources.new_files import new_file\n"
        "with new_file(Path(sys.argv[1])) as file:\n"
        "    file.write(b'half'); file.flush(); print('written', flush=True); time.sleep(60)"
    )
    words = [sys.executable, "-c", text, str(tmp_path / "a")]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        process.send_signal(number)
        assert process.wait() == -number
    assert not (tmp_path / "a").exists()
    assert all(path.name.startswith(".") for path in tmp_path.iterdir())
    with new_file(tmp_path / "a") as file:
        file.write(b"whole")
    assert (tmp_path / "a").read_bytes() == b"whole"


def test_of_two_writers_the_first_to_end_is_kept(tmp_path: Path) -> None:
    def write(data: bytes) -> None:
        with new_file(tmp_path / "a") as file:
            file.write(data)

    with pytest.raises(OutputError, match="there is a file already"), new_file(tmp_path / "a"):
        write(b"second")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"second"]


def test_a_place_becomes_a_file_or_a_folder_below_folders_that_are_made(tmp_path: Path) -> None:
    with new_place(tmp_path / "deep" / "a") as part:
        part.write_bytes(b"whole")
    with new_place(tmp_path / "deep" / "b") as part:
        part.mkdir()
        (part / "c").write_bytes(b"whole")
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*")) == [
        "deep",
        "deep/a",
        "deep/b",
        "deep/b/c",
    ]


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_place_that_is_taken_meanwhile_or_fails_leaves_nothing(is_folder: bool, tmp_path: Path) -> None:
    def half_made(out: Path, then: Callable[[], None]) -> None:
        with new_place(out) as part:
            part.mkdir() if is_folder else part.write_bytes(b"ours")
            then()

    def fail() -> None:
        raise KeyError

    with pytest.raises(OutputError, match="a: there is a folder already"):
        half_made(tmp_path / "a", (tmp_path / "a").mkdir)
    with pytest.raises(KeyError):
        half_made(tmp_path / "b", fail)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
