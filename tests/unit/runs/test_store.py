from __future__ import annotations

import json
import os
from dataclasses import replace
from io import RawIOBase
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from foveate.core.predictions import Prediction
from foveate.errors import InputError, OutputError, UsageError
from foveate.runs import store
from foveate.runs.codec import to_json
from foveate.runs.header import Header
from foveate.runs.maps import MapWriter
from foveate.runs.store import FILE, is_run, read_run, writing
from tests.helpers import predicted

HEADER = Header("folder:all", "f" * 64, "whole_image", {}, n=4, n_dataset=4)
BOX = (0.0, 0.0, 10.0, 10.0)


def made(folder: Path, count: int = 2, **more: Any) -> Path:
    with writing(folder, HEADER, **({"resume": False} | more)) as run:
        for number in range(count):
            run.append(predicted(str(number), BOX))
    return folder / FILE


def test_what_was_written_is_read(tmp_path: Path) -> None:
    made(tmp_path / "runs" / "a")
    run = read_run(tmp_path / "runs" / "a")
    assert run.header == HEADER
    assert run.predictions == (predicted("0", BOX), predicted("1", BOX))
    assert not run.torn
    assert not run.finished
    assert read_run(run.path) == run


@pytest.mark.parametrize("name", ["other.JSONL", "other.jsonl", "other.ndjson"])
def test_a_run_is_one_whatever_its_file_is_called(name: str, tmp_path: Path) -> None:
    made(tmp_path / "a").rename(tmp_path / name)
    assert is_run(tmp_path / name)
    assert [p.id for p in read_run(tmp_path / name).predictions] == ["0", "1"]
    (tmp_path / name).write_text('{"id": "0"}\n')
    assert not is_run(tmp_path / name)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    os.mkfifo(tmp_path / "a" / FILE)
    for place in (tmp_path / "a", tmp_path / "a" / FILE):
        assert not is_run(place)
        with pytest.raises(InputError, match=r"predictions\.jsonl: it is no ordinary file, and reading it might never"):
            read_run(place)
    with pytest.raises(InputError, match="no ordinary file"), writing(tmp_path / "a", HEADER, resume=True):
        pass


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    before = made(tmp_path / "a").read_bytes()
    with (
        pytest.raises(UsageError, match="there is a run here already. Pass --resume"),
        writing(tmp_path / "a", HEADER, resume=False),
    ):
        pass
    assert (tmp_path / "a" / FILE).read_bytes() == before


def test_resuming_what_is_not_there_begins_it(tmp_path: Path) -> None:
    made(tmp_path / "a", resume=True)
    assert len(read_run(tmp_path / "a").predictions) == 2


def test_resuming_knows_what_is_done(tmp_path: Path) -> None:
    made(tmp_path / "a")
    with writing(tmp_path / "a", HEADER, resume=True) as run:
        assert run.done == {"0", "1"}
        run.append(predicted("2", BOX))
    assert [p.id for p in read_run(tmp_path / "a").predictions] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"grounder": "pocket"}, "the method is another: there whole_image, here pocket"),
        ({"fingerprint": "0" * 64}, "the questions have changed .fingerprints.: there f+.*here 0+"),
        ({"limit": 3}, "--limit is another: there none, here 3"),
        ({"config": {"t": 1}}, "the method has other options"),
        ({"ids": ("0", "1")}, "the questions asked are others: there none, here 2 of them"),
    ],
)
def test_another_run_cannot_be_continued(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    made(tmp_path / "a")
    with (
        pytest.raises(UsageError, match=said),
        writing(tmp_path / "a", replace(HEADER, **change), resume=True),
    ):
        pass


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_cut_off_and_made_again(cut: int, tmp_path: Path) -> None:
    file = made(tmp_path / "a", count=3)
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    run = read_run(tmp_path / "a")
    assert run.torn
    assert len(run.predictions) == 2
    with writing(tmp_path / "a", HEADER, resume=True) as writer:
        assert writer.done == {"0", "1"}
        writer.append(predicted("2", BOX))
    assert file.read_bytes() == whole


def test_zeros_at_the_end_as_after_a_power_cut(tmp_path: Path) -> None:
    file = made(tmp_path / "a")
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"id": "2", "sta' + b"\0" * 100 + b"\n")
    assert read_run(tmp_path / "a").torn
    with writing(tmp_path / "a", HEADER, resume=True):
        pass
    assert file.read_bytes() == whole


def test_damage_in_the_middle_is_not_repaired_in_silence(tmp_path: Path) -> None:
    file = made(tmp_path / "a", count=3)
    lines = file.read_bytes().split(b"\n")
    lines[2] = lines[2][:20]
    file.write_bytes(b"\n".join(lines))
    with pytest.raises(InputError, match=r"predictions\.jsonl, line 3: .*The run is damaged"):
        read_run(tmp_path / "a")


@pytest.mark.parametrize(
    "text", ["{}\n", "[1]\n", "no json\n", '{"foveate_run": {"format": 99}}\n', '{"foveate_run": {}}\n']
)
def test_what_is_not_a_header(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(InputError, match=r"line 1: "):
        read_run(tmp_path)


def test_no_run_and_no_header(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no run here"):
        read_run(tmp_path)
    (tmp_path / FILE).write_text("")
    with pytest.raises(InputError, match="the run has no header"):
        read_run(tmp_path)


def test_a_kill_before_the_header_was_whole_leaves_a_folder_that_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / f"{FILE}.part").write_text('{"foveate_r')
    (tmp_path / "a" / ".lock").touch()
    made(tmp_path / "a", resume=True)
    assert len(read_run(tmp_path / "a").predictions) == 2


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UsageError, match=r"holds other files .thesis\.tex."), writing(tmp_path, HEADER, resume=False):
        pass


def test_two_writers_at_once(tmp_path: Path) -> None:
    made(tmp_path / "a")
    with (
        FileLock(tmp_path / "a" / ".lock"),
        pytest.raises(UsageError, match="another process is writing this run"),
        writing(tmp_path / "a", HEADER, resume=True),
    ):
        pass


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(OutputError, match="it cannot be written .Not a directory.. Choose another --out"),
        writing(tmp_path / "file" / "run", HEADER, resume=False),
    ):
        pass


def test_a_disk_that_fills_up_says_how_to_go_on(tmp_path: Path) -> None:
    class Full(RawIOBase):
        def write(self, data: Any) -> int:
            raise OSError(28, "No space left on device")

    writer = store.RunWriter(Full(), tmp_path / "a", frozenset(), MapWriter(tmp_path, []))
    with pytest.raises(OutputError, match="No space left on device.*Make room, then pass --resume"):
        writer.append(predicted("a", BOX))


def test_going_on_under_another_version_is_recorded_once(tmp_path: Path) -> None:
    made(tmp_path / "a")
    newer = replace(HEADER, provenance={"foveate": "9"})
    for _ in range(2):
        with writing(tmp_path / "a", newer, resume=True):
            pass
    assert read_run(tmp_path / "a").resumed == ({"foveate": "9"},)


def test_a_write_that_takes_only_a_part_is_continued(tmp_path: Path) -> None:
    written = bytearray()

    class Slow(RawIOBase):
        def write(self, data: Any) -> int:
            written.extend(data[:7])
            return min(7, len(data))

    maps = MapWriter(tmp_path, [])
    store.RunWriter(Slow(), tmp_path / "a", frozenset(), maps).append(predicted("a", BOX))
    assert written.decode() == to_json(predicted("a", BOX)) + "\n"


def test_a_second_prediction_for_one_query_is_damage(tmp_path: Path) -> None:
    file = made(tmp_path / "a")
    file.write_bytes(file.read_bytes() + to_json(predicted("0", BOX)).encode() + b"\n")
    with pytest.raises(InputError, match="line 4: a second prediction for 0"):
        read_run(tmp_path / "a")


@pytest.mark.parametrize("text", ["garbage\n", '{"id": 5}\n', "[" * 100_000 + "\n", '{"resumed": 5}\n'])
def test_a_whole_line_that_is_no_prediction_is_damage(text: str, tmp_path: Path) -> None:
    file = made(tmp_path / "a")
    file.write_bytes(file.read_bytes() + text.encode())
    with pytest.raises(InputError, match="line 4: .*damaged"):
        read_run(tmp_path / "a")


@pytest.mark.parametrize(
    "change",
    [
        {"n": "x"},
        {"n": -3},
        {"places": None},
        {"places": {"root": 5}},
        {"places": {"x": "y"}},
        {"dataset": 5},
        {"ids": [["a"]]},
    ],
)
def test_an_edited_header_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    file = made(tmp_path / "a")
    header, rest = file.read_text().split("\n", 1)
    values = json.loads(header)
    values["foveate_run"].update(change)
    file.write_text(json.dumps(values) + "\n" + rest)
    with pytest.raises(InputError, match="line 1: the header is damaged"):
        read_run(tmp_path / "a")


def test_folders_with_odd_bytes_in_their_name(tmp_path: Path) -> None:
    odd = os.fsdecode(b"odd\xff")
    with writing(tmp_path / odd, replace(HEADER, places={"root": odd}), resume=False):
        pass
    assert read_run(tmp_path / odd).header.places == {"root": odd}


def test_half_a_character_is_kept_and_costs_nothing(tmp_path: Path) -> None:
    odd = Prediction("a", "error", reason="the file odd\udcff is no photo")
    with writing(tmp_path / "a", HEADER, resume=False) as run:
        run.append(odd)
    assert read_run(tmp_path / "a").predictions == (odd,)


@pytest.mark.parametrize("side", ["1e400", "1" + "0" * 400])
def test_numbers_beyond_all_bounds_are_damage(side: str, tmp_path: Path) -> None:
    file = made(tmp_path / "a")
    file.write_text(file.read_text().replace("10.0", side))
    with pytest.raises(InputError, match="line 2: .*damaged"):
        read_run(tmp_path / "a")


def test_permissions_are_told_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    made(tmp_path / "a")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match="the run cannot be read .Permission denied"):
        read_run(tmp_path / "a")
    monkeypatch.undo()
    monkeypatch.setattr(FileLock, "acquire", refuse)
    with (
        pytest.raises(OutputError, match="it cannot be written .Permission denied"),
        writing(tmp_path / "a", HEADER, resume=True),
    ):
        pass
