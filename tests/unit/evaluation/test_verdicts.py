"""Verdicts of people, and the ids that come of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from foveate.errors import InputError, OutputError
from foveate.evaluation.verdicts import read_ids, read_verdicts, write_ids, wrong_ids
from tests.helpers import write

TABLE = 'rank,id,verdict,why\n1,b,wrong,"off, far"\n2,a,,\n3,c, Right ,\n4,d,unsure,\n5,"e,1",wrong,\n'


def test_the_wrong_ones_become_a_list(tmp_path: Path) -> None:
    path = write(tmp_path / "v.csv", TABLE)
    assert read_verdicts(path) == {"b": "wrong", "c": "right", "d": "unsure", "e,1": "wrong"}
    ids = wrong_ids(path, ["a", "b", "c", "d", "e,1"], "made:val")
    assert ids == ["b", "e,1"]
    write_ids(tmp_path / "new" / "ids.txt", ids)
    assert (tmp_path / "new" / "ids.txt").read_text(encoding="utf-8") == "b\ne,1\n"
    assert read_ids(tmp_path / "new" / "ids.txt") == ids
    assert read_ids(write(tmp_path / "x.txt", "\ufeffa\r\n\r\n b \n")) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,verdict\na,bad\n", '"bad" is no verdict on a'),
        ("id,verdict\na,wrong\na,right\n", "a is right here and wrong before"),
        ("id,verdict\na,\n", "it holds no verdict"),
        ("id,verdict\nz,wrong\n", "made:val has no sample z"),
        ("id,why\na,wrong\n", "verdict"),
    ],
)
def test_tables_that_cannot_be_applied(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        wrong_ids(write(tmp_path / "v.csv", text), ["a"], "made:val")


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_ids(tmp_path / "none.txt")
    (tmp_path / "latin").write_bytes(b"\xff\xfe\xfd\n")
    with pytest.raises(InputError, match="it is not UTF-8"):
        read_ids(tmp_path / "latin")
    with pytest.raises(OutputError, match="cannot be written"):
        write_ids(tmp_path / "latin" / "ids.txt", ["a"])


@pytest.mark.parametrize("name", ["two\nlines", "a\u2028b", " lead", "tail\r"])
def test_an_id_that_a_line_cannot_hold_is_no_two_ids(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one id a line cannot hold it"):
        write_ids(tmp_path / "ids.txt", ["a", name])
    assert not (tmp_path / "ids.txt").exists()


def test_ids_are_never_written_over_the_verdicts_they_come_of(tmp_path: Path) -> None:
    path = write(tmp_path / "v.csv", TABLE)
    with pytest.raises(OutputError, match="there is a file already"):
        write_ids(path, ["b"])
    assert path.read_text(encoding="utf-8") == TABLE
