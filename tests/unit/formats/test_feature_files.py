from __future__ import annotations

import json
import multiprocessing
import pickle
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from foveate.errors import InputError, OutputError
from foveate.formats import feature_writer
from foveate.formats.feature_files import FeatureCard, StoredGridRows, StoredRegionRows
from foveate.formats.feature_writer import TOGETHER, FeatureWriter, part_of
from foveate.formats.region_files import open_regions

GRID = FeatureCard(kind="grid", source={"name": "made", "side": 3}, width=4, grid_hw=(2, 3), dataset="tiny:val")
REGIONS = FeatureCard(kind="regions", source={"name": "made"}, width=4, most=3)
NAMES = ["b.jpg", "a/ü.jpg", "c.jpg"]


def grid(row: int) -> np.ndarray[Any, Any]:
    # Whole numbers, which 16 bits hold as they are.
    return np.random.default_rng(row).integers(-99, 99, (2, 3, 4)).astype(np.float32)


def regions(row: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], list[str]]:
    draw, count = np.random.default_rng(row), row % 3 + 1
    low = draw.uniform(0, 20, (count, 2))
    labels = [f"kind {at}" if row else "" for at in range(count)]
    return np.concatenate([low, low + 1 / 3], axis=1), draw.integers(-99, 99, (count, 4)).astype(np.float32), labels


def test_grids_are_read_back_by_name_in_any_order(tmp_path: Path) -> None:
    out = tmp_path / "new" / "a.h5"
    with FeatureWriter(out, GRID, NAMES) as writer:
        assert not writer.done.any()
        for row in (2, 0, 1):
            writer.grid(row, grid(row), (40 + row, 60))
    assert [path.name for path in out.parent.iterdir()] == ["a.h5"]
    stored = StoredGridRows(out)
    assert (stored.card, stored.names, stored.width, stored.shape) == (GRID, tuple(NAMES), 4, (2, 3, 4))
    for row, name in enumerate(NAMES):
        found = stored.read(name)
        assert np.array_equal(found, grid(row))
        assert found.dtype == np.float32
        assert stored.size_hw(name) == (40 + row, 60)
    with pytest.raises(InputError, match="no photo d.jpg; it has 3, such as b.jpg"):
        stored.read("d.jpg")
    with pytest.raises(InputError, match="holds grid features of made, and regions is asked for.*--regions NAME"):
        StoredRegionRows(out)


def test_regions_are_read_back_without_what_fills_up(tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    with FeatureWriter(out, REGIONS, NAMES) as writer:
        for row in range(3):
            writer.regions(row, *regions(row), (40, 60))
    stored = open_regions(out)
    assert stored.width == 4
    for row, name in enumerate(NAMES):
        boxes, features, labels = regions(row)
        found = stored.read(name)
        assert np.array_equal(found.xyxy, boxes)
        assert np.array_equal(found.features, features)
        assert found.labels == (tuple(labels) if row else None)
        assert found.size_hw == (40, 60)
    with h5py.File(out) as file:
        # The layout of the docs, read by the library alone.
        assert json.loads(file.attrs["foveate"])["source"] == {"name": "made"}
        assert file["names"].asstr()[:].tolist() == NAMES
        assert file["features"].dtype == np.float16
        assert file["features"][0, 1:].any() == np.False_
        assert file["labels"].asstr()[1].tolist() == ["kind 0", "kind 1", ""]
        assert file["there"][:].tolist() == [1, 1, 1]


def test_a_long_label_loses_its_end_and_no_half_letter_stays(tmp_path: Path) -> None:
    with FeatureWriter(tmp_path / "a.h5", REGIONS, ["a.jpg"]) as writer:
        writer.regions(0, *regions(0)[:2], ["é" * 40], (40, 60))
    assert StoredRegionRows(tmp_path / "a.h5").read("a.jpg").labels == ("é" * 32,)


def test_what_was_begun_goes_on_for_the_same_photos_and_source_only(tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    with FeatureWriter(out, GRID, NAMES) as writer:
        writer.grid(1, grid(1), (40, 60))
    assert not out.exists()
    begun = StoredGridRows(part_of(out))
    assert np.array_equal(begun.read("a/ü.jpg"), grid(1))
    with pytest.raises(InputError, match=r"row 1 \(b.jpg\): its features are not written yet"):
        begun.read("b.jpg")
    del begun
    other = GRID.model_copy(update={"source": {"name": "other"}})
    with pytest.raises(InputError, match='begun there is grid of {"name": "made", "side": 3}, not grid of'):
        FeatureWriter(out, other, NAMES)
    with pytest.raises(InputError, match="begun there is 3 photos, not these 2"):
        FeatureWriter(out, GRID, NAMES[:2])
    with FeatureWriter(out, GRID, NAMES) as writer:
        assert writer.done.tolist() == [False, True, False]
        for row in (0, 2):
            writer.grid(row, grid(row), (40, 60))
    assert all(np.array_equal(StoredGridRows(out).read(name), grid(row)) for row, name in enumerate(NAMES))
    with pytest.raises(OutputError, match="it is there already"):
        FeatureWriter(out, GRID, NAMES)


def test_an_error_of_who_makes_the_features_keeps_what_is_there(tmp_path: Path) -> None:
    def stopped() -> None:
        with FeatureWriter(tmp_path / "a.h5", GRID, NAMES) as writer:
            for row in range(3):
                writer.grid(row, grid(row), (40, 60))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stopped()
    # All are there, but who made them was not done.
    assert not (tmp_path / "a.h5").exists()
    with FeatureWriter(tmp_path / "a.h5", GRID, NAMES) as writer:
        assert writer.done.all()
    assert (tmp_path / "a.h5").exists()


def test_numbers_beyond_16_bits_and_places_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    with FeatureWriter(tmp_path / "a.h5", GRID, NAMES) as writer:
        for value, told in ((1e5, "a feature is 100000"), (np.nan, "a feature is nan")):
            with pytest.raises(InputError, match=f"b.jpg: {told}"):
                writer.grid(0, np.full((2, 3, 4), value), (40, 60))
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="the features cannot be written"):
        FeatureWriter(tmp_path / "file" / "a.h5", GRID, NAMES)


def test_a_file_that_is_no_such_or_is_cut_off_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file["grid"] = np.zeros(3)
    with pytest.raises(InputError, match="not written by foveate features"):
        StoredGridRows(path)
    with h5py.File(path, "w") as file:
        file.attrs["foveate"] = '{"form": 9}'
    with pytest.raises(InputError, match="its card is broken"):
        StoredGridRows(path)
    with FeatureWriter(tmp_path / "b.h5", GRID, NAMES) as writer:
        for row in range(3):
            writer.grid(row, grid(row), (40, 60))
    (tmp_path / "b.h5").write_bytes((tmp_path / "b.h5").read_bytes()[:-60])
    with pytest.raises(InputError, match="it is cut off"):
        StoredGridRows(tmp_path / "b.h5").read("c.jpg")


def _sum(stored: StoredGridRows) -> float:
    return float(stored.read("c.jpg").sum())


def test_a_reader_opens_the_file_anew_in_another_process(tmp_path: Path) -> None:
    with FeatureWriter(tmp_path / "a.h5", GRID, NAMES) as writer:
        for row in range(3):
            writer.grid(row, grid(row), (40, 60))
    stored = StoredGridRows(tmp_path / "a.h5")
    wanted = _sum(stored)
    assert _sum(pickle.loads(pickle.dumps(stored))) == wanted
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(_sum, (stored,)) == wanted


_KILLED = """
import sys, time
sys.path[:0] = [{repository!r}]
from pathlib import Path
from foveate.formats.feature_writer import FeatureWriter
from tests.unit.formats.test_feature_files import REGIONS, regions
names = [f"{{row}}.jpg" for row in range(200)]
with FeatureWriter(Path(sys.argv[1]), REGIONS, names) as writer:
    for row, done in enumerate(writer.done):
        if not done:
            writer.regions(row, *regions(row), (40, 60))
            if row == 3:
                print("begun", flush=True)
            time.sleep(0.001)
"""


def test_a_writer_that_is_killed_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    names, code = [f"{row}.jpg" for row in range(200)], _KILLED.format(repository=str(Path(__file__).parents[3]))
    with FeatureWriter(tmp_path / "whole.h5", REGIONS, names) as writer:
        for row in range(200):
            writer.regions(row, *regions(row), (40, 60))
    out = tmp_path / "a.h5"
    doing = subprocess.Popen([sys.executable, "-c", code, str(out)], stdout=subprocess.PIPE)
    assert doing.stdout is not None
    assert doing.stdout.readline() == b"begun\n"
    time.sleep(random.Random(1).uniform(0.02, 0.2))
    doing.kill()
    doing.wait()
    doing.stdout.close()
    with FeatureWriter(out, REGIONS, names) as writer:
        before = int(writer.done.sum())
        assert before % TOGETHER == 0
        for row in np.flatnonzero(~writer.done).tolist():
            writer.regions(row, *regions(row), (40, 60))
    assert before < 200
    assert out.read_bytes() == (tmp_path / "whole.h5").read_bytes()


def test_what_is_said_to_be_there_is_there_wherever_the_writer_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each step that reaches the disk, the file as it is then is whole and says the truth."""
    monkeypatch.setattr(feature_writer, "TOGETHER", 2)
    copies: list[Path] = []
    sync = FeatureWriter._sync

    def kept(writer: FeatureWriter) -> None:
        sync(writer)
        copies.append(tmp_path / f"{len(copies)}.h5")
        shutil.copy(part_of(tmp_path / "a.h5"), copies[-1])

    monkeypatch.setattr(FeatureWriter, "_sync", kept)
    names = [f"{row}.jpg" for row in range(5)]
    with FeatureWriter(tmp_path / "a.h5", GRID, names) as writer:
        for row in range(5):
            writer.grid(row, grid(row), (40, 60))
    there = []
    for copy in copies:
        stored, count = StoredGridRows(copy), 0
        with h5py.File(copy) as file:
            done = file["there"][:].astype(bool)
        for row in np.flatnonzero(done).tolist():
            assert np.array_equal(stored.read(names[row]), grid(row))
            count += 1
        there.append(count)
    assert there == [0, 2, 2, 4, 4, 5]


def test_the_same_features_are_the_same_bytes_at_any_time(tmp_path: Path) -> None:
    for name in ("a.h5", "b.h5"):
        with FeatureWriter(tmp_path / name, REGIONS, ["a.jpg"]) as writer:
            writer.regions(0, *regions(0), (40, 60))
        time.sleep(1.01)  # HDF5 counts in seconds.
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()
