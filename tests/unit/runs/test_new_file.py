from __future__ import annotations

from pathlib import Path

import pytest

from foveate.errors import OutputError
from foveate.runs._new_file import new_file


def half_written(path: Path, error: BaseException) -> None:
    with new_file(path) as file:
        file.write(b"half")
        raise error


@pytest.mark.parametrize("error", [ValueError("a bad row"), KeyboardInterrupt()])
def test_what_fails_leaves_no_half_file(error: BaseException, tmp_path: Path) -> None:
    with pytest.raises(type(error)):
        half_written(tmp_path / "a", error)
    assert not (tmp_path / "a").exists()


def test_a_full_disk_is_one_sentence_and_leaves_no_half_file(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="it cannot be written .No space left"):
        half_written(tmp_path / "a", OSError(28, "No space left on device"))
    assert not (tmp_path / "a").exists()


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"mine")
    with pytest.raises(OutputError, match="there is a file already"), new_file(tmp_path / "a"):
        pass
    assert (tmp_path / "a").read_bytes() == b"mine"
