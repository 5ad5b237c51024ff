from __future__ import annotations

import json
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
from foveate.runs.codec import from_object
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


def test_maps_come_back_in_255_steps_on_their_own_grid(tmp_path: Path) -> None:
    made(tmp_path / "a")
    run = read_run(tmp_path / "a")
    assert run.predictions[3].map is None
    for n, prediction in enumerate(run.predictions[:3]):
        assert prediction.map is not None
        back = prediction.map.load()
        assert back.affine == (32.5, 17.0, -4.0, 0.25)
        assert back.values.shape == (n + 1, 5)
        np.testing.assert_allclose(back.values, soft(n, (n + 1, 5)).values, atol=0.5 / 255 + 1e-6)


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
    first.path.unlink()
    with pytest.raises(InputError, match="No such file or directory.*Copy the run again with its files maps"):
        first.load()


GOOD: dict[str, Any] = {"shard": "maps-00000.bin", "offset": 0, "bytes": 9, "shape": [2, 3], "affine": [1, 1, 0, 0]}


@pytest.mark.parametrize(
    "change",
    [
        {"shard": "/etc/passwd"},
        {"shard": "maps-/../x"},
        {"shard": 5},
        {"offset": -1},
        {"bytes": "x"},
        {"shape": [2]},
        {"shape": [2, -3]},
        {"affine": [1, 1, 0]},
    ],
)
def test_what_is_no_place_of_a_map_is_damage(change: dict[str, Any], tmp_path: Path) -> None:
    assert stored_map(GOOD, tmp_path).as_object() == GOOD
    with pytest.raises(ValueError, match="not the place of a score map"):
        stored_map(GOOD | change, tmp_path)


def test_a_grid_of_another_shape_is_told(tmp_path: Path) -> None:
    found = written(tmp_path, soft(0))
    with pytest.raises(InputError, match="the score map cannot be read .cannot reshape"):
        replace(found, shape=(7, 6)).load()


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
