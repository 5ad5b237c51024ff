from __future__ import annotations

import json
import os
import tracemalloc
import zlib
from contextlib import closing
from dataclasses import replace
from io import RawIOBase
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.core.soft_maps import SoftMap
from foveate.errors import InputError, OutputError
from foveate.runs import maps
from foveate.runs.codec import as_object, from_object
from foveate.runs.header import Header
from foveate.runs.maps import MapWriter, StoredMap, stored_map, whole
from foveate.runs.store import FILE, read_run, writing
from tests.helpers import predicted

HEADER = Header("folder:all", "f", "g", {}, n=4, n_dataset=4)
BOX = (0.0, 0.0, 10.0, 10.0)


def soft(seed: int, shape: tuple[int, int] = (7, 5)) -> SoftMap:
    values = np.random.default_rng(seed).random(shape).astype(np.float32)
    return SoftMap(values, (32.5, 17, -4, 0.25))


def made(folder: Path, count: int = 3) -> Path:
    with writing(folder, HEADER, resume=False) as run:
        for n in range(count):
            run.append(replace(predicted(str(n), BOX), map=soft(n, (n + 1, 5))))
        run.append(predicted("without", BOX))
    return folder / FILE


def written(folder: Path, what: SoftMap) -> StoredMap:
    with closing(MapWriter(folder, [])) as writer:
        return writer.append(what)


def stored(folder: Path) -> list[StoredMap]:
    return [p.map for p in read_run(folder).predictions if isinstance(p.map, StoredMap)]


def test_maps_come_back_in_steps_of_their_highest_value_on_their_own_grid(tmp_path: Path) -> None:
    made(tmp_path / "a")
    run = read_run(tmp_path / "a")
    assert run.predictions[3].map is None
    for n, prediction in enumerate(run.predictions[:3]):
        assert prediction.map is not None
        back = prediction.map.load()
        assert back.affine == (32.5, 17.0, -4.0, 0.25)
        assert back.values.shape == (n + 1, 5)
        given = soft(n, (n + 1, 5))
        assert back.values.max() == given.values.max()
        np.testing.assert_allclose(back.values, given.values, atol=given.values.max() / 255 + 1e-6)


def test_attention_that_is_low_everywhere_keeps_its_shape_and_its_peak(tmp_path: Path) -> None:
    values = np.full((4, 5), 0.0009, dtype=np.float32)
    values[1, 2], values[2, 4], values[3, 0] = 0.0019, 0.001899, 0.0
    given = SoftMap(values, (10, 10, 0, 0))
    back = written(tmp_path, given).load()
    assert back.peak() == given.peak() == (25, 15)
    assert back.values[1, 2] == values[1, 2]
    assert back.values[2, 4] < back.values[1, 2]  # As near as can be, and still below.
    assert back.values[3, 0] == 0
    np.testing.assert_allclose(back.values, values, atol=0.0019 / 255)


def test_what_is_the_same_everywhere_has_no_peak_before_or_after(tmp_path: Path) -> None:
    for value in (0.0, 0.0019, 1.0):
        given = SoftMap(np.full((3, 2), value, dtype=np.float32), (1, 1, 0, 0))
        assert written(tmp_path, given).load() == given
        (tmp_path / "maps-00000.bin").unlink()


def test_what_has_255_steps_comes_back_as_it_was(tmp_path: Path) -> None:
    steps = SoftMap((np.arange(256, dtype=np.float32) / np.float32(255)).reshape(16, 16), (1, 1, 0, 0))
    assert written(tmp_path, steps).load() == steps


def test_a_run_can_be_moved_with_its_maps(tmp_path: Path) -> None:
    made(tmp_path / "a")
    (tmp_path / "a").rename(tmp_path / "b")
    assert [found.load().values.shape for found in stored(tmp_path / "b")] == [(1, 5), (2, 5), (3, 5)]


def test_a_full_shard_is_followed_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "SHARD_BYTES", 60)
    made(tmp_path / "a", 6)
    found = stored(tmp_path / "a")
    assert [m.path.name for m in found] == [f"maps-{n:05d}.bin" for n in (0, 0, 0, 1, 2, 3)]
    assert [m.load().values.shape[0] for m in found] == [1, 2, 3, 4, 5, 6]
    with writing(tmp_path / "a", HEADER, resume=True) as run:
        run.append(replace(predicted("last", BOX), map=soft(9, (1, 5))))
    assert stored(tmp_path / "a")[-1].path.name == "maps-00003.bin"
    assert [m.load().values.shape[0] for m in stored(tmp_path / "a")] == [1, 2, 3, 4, 5, 6, 1]


def test_bytes_that_no_line_names_are_cut_off_when_the_run_goes_on(tmp_path: Path) -> None:
    made(tmp_path / "a")
    shard = stored(tmp_path / "a")[0].path
    size = shard.stat().st_size
    shard.write_bytes(shard.read_bytes() + b"a map whose line was never written")
    with writing(tmp_path / "a", HEADER, resume=True) as run:
        run.append(replace(predicted("last", BOX), map=soft(9)))
    assert stored(tmp_path / "a")[-1].offset == size
    assert stored(tmp_path / "a")[-1].load().values.shape == (7, 5)


@pytest.mark.parametrize("lost", ["the end of the shard", "the shard"])
def test_a_prediction_whose_map_was_lost_is_made_again(lost: str, tmp_path: Path) -> None:
    made(tmp_path / "a")
    shard = stored(tmp_path / "a")[0].path
    if lost == "the shard":
        shard.unlink()
    else:
        shard.write_bytes(shard.read_bytes()[:-1])
    with writing(tmp_path / "a", HEADER, resume=True) as run:
        assert run.done == (frozenset() if lost == "the shard" else {"0", "1"})
        run.append(replace(predicted("2", BOX), map=soft(2, (3, 5))))
    assert all(whole(found) for found in stored(tmp_path / "a"))
    assert stored(tmp_path / "a")[-1].load().values.shape == (3, 5)


def test_a_damaged_or_missing_map_is_told_when_it_is_asked_for(tmp_path: Path) -> None:
    made(tmp_path / "a")
    first, second, _ = stored(tmp_path / "a")
    data = bytearray(first.path.read_bytes())
    data[second.offset + 3] ^= 255
    first.path.write_bytes(data)
    first.load()
    with pytest.raises(InputError, match=rf"maps-00000.bin, byte {second.offset}: the score map cannot be read"):
        second.load()
    with pytest.raises(
        InputError, match=rf"byte 5: the score map cannot be read .it reaches to byte {10**12 + 5}, the"
    ):
        replace(first, offset=5, length=10**12).load()
    first.path.unlink()
    with pytest.raises(InputError, match="No such file or directory.*Copy the run again with its files maps"):
        first.load()


GOOD: dict[str, Any] = {
    "shard": "maps-00000.bin",
    "offset": 0,
    "bytes": 9,
    "shape": [2, 3],
    "affine": [1, 1, 0, 0],
    "max": 0.5,
}


@pytest.mark.parametrize(
    "change",
    [
        {"shard": "/etc/passwd"},
        {"shard": "maps-/../x"},
        {"shard": 5},
        {"shard": "maps-zz.bin"},
        {"shard": "maps-1.bin"},
        {"shard": "maps-000001.bin"},
        {"shard": "maps-٠٠٠٠٠.bin"},
        {"shard": "maps-00000.bin\n"},
        {"shard": f"maps-{'9' * 5000}.bin"},
        {"offset": -1},
        {"offset": 0.0},
        {"offset": True},
        {"bytes": "x"},
        {"bytes": 0},
        {"bytes": 10**12},
        {"bytes": 10**30},
        {"shape": [2]},
        {"shape": [2, -3]},
        {"shape": [0, 3]},
        {"shape": [2.0, 3]},
        {"shape": ["2", 3]},
        {"shape": [10**6, 10**6]},
        {"shape": [10**300, 10**300]},
        {"affine": [1, 1, 0]},
        {"affine": [0, 1, 0, 0]},
        {"affine": [1, float("inf"), 0, 0]},
        {"affine": [1, 1, float("nan"), 0]},
        {"affine": [1, 10**400, 0, 0]},
        {"affine": ["1", 1, 0, 0]},
        {"max": 1.5},
        {"max": "0.5"},
        {"max": True},
        {"max": float("nan")},
        {"max": None},
        {"max": "high"},
        {"reading": "lanczos"},
        {"reading": None},
    ],
    ids=str,
)
def test_what_is_no_place_of_a_map_is_damage(change: dict[str, Any], tmp_path: Path) -> None:
    assert stored_map(GOOD, tmp_path).as_object() == GOOD
    with pytest.raises(ValueError, match="not the place of a score map"):
        stored_map(GOOD | change, tmp_path)


@pytest.mark.parametrize("key", GOOD)
def test_a_place_is_told_as_a_whole(key: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"not the place of a score map .KeyError: '{key}'"):
        stored_map({name: value for name, value in GOOD.items() if name != key}, tmp_path)


@pytest.mark.parametrize(
    "change", [{"bytes": 10**12}, {"bytes": 10**30}, {"shard": "maps-zz.bin"}, {"shape": [9**9, 9]}]
)
@pytest.mark.parametrize("where", [0, 1, 2])
def test_a_damaged_place_is_told_with_its_line_also_by_resume(
    change: dict[str, Any], where: int, tmp_path: Path
) -> None:
    before = damaged(tmp_path / "a", where, change)
    with pytest.raises(
        InputError, match=rf"predictions\.jsonl, line {where + 2}: this is not the place of a score map"
    ):
        read_run(tmp_path / "a")
    with (
        pytest.raises(InputError, match=rf"predictions\.jsonl, line {where + 2}: this is not the place of a score map"),
        writing(tmp_path / "a", HEADER, resume=True),
    ):
        pass
    assert (tmp_path / "a" / FILE).read_bytes() == before


@pytest.mark.parametrize("change", [{"offset": 10**12}, {"offset": 10**30}, {"offset": 1}, {"shard": "maps-00009.bin"}])
@pytest.mark.parametrize("where", [0, 1, 2])
def test_a_place_that_does_not_follow_the_one_before_cuts_nothing_off(
    change: dict[str, Any], where: int, tmp_path: Path
) -> None:
    before = damaged(tmp_path / "a", where, change)
    shard = (tmp_path / "a" / "maps-00000.bin").read_bytes()
    with pytest.raises(InputError) as caught, writing(tmp_path / "a", HEADER, resume=True):
        pass
    assert str(caught.value) == (
        f"{tmp_path / 'a' / FILE}, line {where + 2}: its score map does not begin where the one before it ends. The "
        "run is damaged; make it again in a new folder."
    )
    assert (tmp_path / "a" / FILE).read_bytes() == before
    assert (tmp_path / "a" / "maps-00000.bin").read_bytes() == shard
    assert len(read_run(tmp_path / "a").predictions) == 4  # Its boxes can still be scored.
    with pytest.raises(InputError, match=r"maps-\d+\.bin, byte \d+: the score map cannot be read"):
        stored(tmp_path / "a")[where].load()


def damaged(folder: Path, where: int, change: dict[str, Any]) -> bytes:
    """Makes a run, changes the place of one map; returns the bytes of the file."""
    file = made(folder)
    lines = file.read_text().splitlines(keepends=True)
    values = json.loads(lines[where + 1])
    values["map"] |= change
    lines[where + 1] = json.dumps(values) + "\n"
    file.write_text("".join(lines))
    return file.read_bytes()


@pytest.mark.parametrize("place", [0, "", [], {}, "maps-00000.bin"])
def test_a_place_that_is_no_object_is_damage(place: object) -> None:
    values = {**as_object(predicted("a", BOX)), "map": place}
    with pytest.raises(ValueError, match="not the place of a score map"):
        from_object(values)


@pytest.mark.parametrize(
    ("shape", "said"), [((7, 6), "it unpacks to less than 42 values"), ((7, 4), "it unpacks to more than 28 values")]
)
def test_a_grid_of_another_shape_is_told(shape: tuple[int, int], said: str, tmp_path: Path) -> None:
    found = written(tmp_path, soft(0))
    with pytest.raises(InputError, match=f"the score map cannot be read .{said}"):
        replace(found, shape=shape).load()


def test_what_would_unpack_without_end_is_not_unpacked(tmp_path: Path) -> None:
    data = zlib.compress(b"\0" * 2**26)
    (tmp_path / "maps-00000.bin").write_bytes(data)
    tracemalloc.start()
    with pytest.raises(InputError, match="it unpacks to more than 300,000 values"):
        StoredMap(tmp_path / "maps-00000.bin", 0, len(data), (500, 600), (1, 1, 0, 0), 1.0).load()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**22  # Of 64 MiB.


def test_a_map_without_its_last_bytes_or_with_more_is_damage(tmp_path: Path) -> None:
    found = written(tmp_path, soft(0))
    found.path.write_bytes(found.path.read_bytes() + b"x")
    for length in (found.length - 1, found.length + 1):
        with pytest.raises(InputError, match="the score map cannot be read .its packing ends elsewhere"):
            replace(found, length=length).load()


def test_a_shard_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    found = written(tmp_path, soft(0))
    found.path.unlink()
    os.mkfifo(found.path)
    with pytest.raises(InputError, match="maps-00000.bin: it is no ordinary file"):
        found.load()


def test_a_write_that_takes_only_a_part_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = bytearray()

    class Slow(RawIOBase):
        def write(self, data: Any) -> int:
            written.extend(data[:7])
            return min(7, len(data))

    writer = MapWriter(tmp_path, [])
    whole_bytes = writer.append(soft(0)).path.read_bytes()
    writer.close()
    again = MapWriter(tmp_path, [])
    monkeypatch.setattr(again, "_file", Slow())
    again.append(soft(0))
    assert bytes(written) == whole_bytes


def test_a_full_disk_is_told_with_the_shard(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="maps-00000.bin: it cannot be written"):
        MapWriter(tmp_path / "gone", []).append(soft(0))


def test_runs_of_format_1_are_read(tmp_path: Path) -> None:
    made(tmp_path / "a", 0)
    header, line = (tmp_path / "a" / FILE).read_text().splitlines()
    old = json.loads(header)
    old["foveate_run"]["format"] = 1
    values = json.loads(line)
    del values["map"]
    (tmp_path / "a" / FILE).write_text(json.dumps(old) + "\n" + json.dumps(values) + "\n")
    assert read_run(tmp_path / "a").predictions == (predicted("without", BOX),)
    assert from_object(values).map is None
