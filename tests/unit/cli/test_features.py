from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from numpy.typing import NDArray
from typer.testing import CliRunner

from foveate.cli.features import _options, features
from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.datasets import toloka_vqa
from foveate.errors import InputError, OutputError, UsageError
from foveate.execution import features as execution
from foveate.execution.features import named_source, store_features
from foveate.formats.feature_files import StoredGridRows
from foveate.perception.region_features import RegionFeatures, region_source

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("features")(features)
PHOTOS = ("000000000000.jpg", "000000000001.jpg", "000000000002.jpg")


class MeanGrid:
    """A photo's mean colour in each of 2 x 2 quarters."""

    name = "mean"
    config: Mapping[str, Any] = {"name": "mean", "grid": 2}
    grid_hw: SizeHW = (2, 2)
    width = 3

    def __init__(self, stops_at: str | None = None) -> None:
        self.asked: list[str] = []
        self._stops_at = stops_at

    def features(self, name: str, image: Image | None) -> NDArray[np.float32]:
        assert image is not None
        if name == self._stops_at:
            raise KeyboardInterrupt
        self.asked.append(name)
        pixels = image.load().astype(np.float32)
        rows, columns = pixels.shape[0] // 2, pixels.shape[1] // 2
        return np.asarray(pixels.reshape(2, rows, 2, columns, 3).mean(axis=(1, 3)))


class Corners:
    """Two boxes of any photo."""

    name = "corners"
    config: Mapping[str, Any] = {"name": "corners"}
    width, needs_image = 2, True
    most: int | None = 4

    def regions(self, name: str, image: Image | None, size_hw: SizeHW) -> RegionFeatures:
        height, width = size_hw
        boxes = np.array([[0, 0, width / 2, height / 2], [width / 2, height / 2, width, height]])
        values = np.array([[int(Path(name).stem), 1], [2, 3]], dtype=np.float32)
        return RegionFeatures(boxes, values, ("cup", ""), size_hw)


def run(*words: Any) -> Any:
    return CliRunner().invoke(APP, [str(word) for word in words], catch_exceptions=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    toloka_vqa.write_tiny(tmp_path / "data")
    return tmp_path / "data"


def test_what_was_stopped_goes_on_and_each_photo_is_looked_at_once(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    first = MeanGrid(stops_at=PHOTOS[2])
    with pytest.raises(KeyboardInterrupt):
        store_features("toloka_vqa:train_sample", root, source=first, out=out)
    second = MeanGrid()
    stored = store_features("toloka_vqa:train_sample", root, source=second, out=out)
    assert (first.asked, second.asked) == ([*PHOTOS[:2]], [PHOTOS[2]])
    assert (stored.n, stored.n_new) == (3, 1)
    rows = StoredGridRows(out)
    assert rows.names == PHOTOS
    assert rows.card.dataset == "toloka_vqa:train_sample"
    assert rows.card.source == {"name": "mean", "grid": 2}
    assert rows.card.versions["foveate"]
    # The first photo is blue-grey, its red rectangle lies to the left of the middle.
    blue_grey = rows.read(PHOTOS[0])[1, 1]
    assert blue_grey == pytest.approx([90, 120, 160], abs=3)
    assert rows.read(PHOTOS[0])[0, 0, 0] > 120


def test_regions_are_read_back_as_a_stored_source(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    store_features("toloka_vqa:train_sample", root, source=Corners(), out=out, limit=2)
    found = region_source({"name": "stored", "path": str(out)}).regions(PHOTOS[1], None, (48, 64))
    wanted = Corners().regions(PHOTOS[1], None, (48, 64))
    assert np.array_equal(found.xyxy, wanted.xyxy)
    assert np.array_equal(found.features, wanted.features)
    assert found.labels == ("cup", "")
    with pytest.raises(InputError, match="no photo 000000000002.jpg; it has 2"):
        region_source({"name": "stored", "path": str(out)}).regions(PHOTOS[2], None, (48, 64))


def test_the_command_tells_what_it_stored(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Mapping[str, Any]] = []

    def made(config: Mapping[str, Any]) -> Corners:
        asked.append(config)
        return Corners()

    monkeypatch.setattr(execution, "region_source", made)
    words = ("toloka_vqa:train_sample", "--root", root, "--regions", "offline", "--set", "most=4", "--set", "ring=yes")
    done = run(*words, "--out", tmp_path / "a.h5")
    assert done.exit_code == 0, done.exception
    assert done.stdout == f"{tmp_path / 'a.h5'}: regions of corners, 2 numbers each, of 3 photos\n"
    assert asked == [{"name": "offline", "most": 4, "ring": True}]
    done = run(*words, "--out", tmp_path / "b.h5", "--json", "--limit", "1")
    assert json.loads(done.stdout) == {
        "out": str(tmp_path / "b.h5"),
        "n": 1,
        "n_new": 1,
        "kind": "regions",
        "source": {"name": "corners"},
        "width": 2,
        "dataset": "toloka_vqa:train_sample",
    }
    again = run(*words, "--out", tmp_path / "a.h5")
    assert isinstance(again.exception, OutputError)


def test_offline_regions_of_a_data_set(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.h5"
    done = run("toloka_vqa:train_sample", "--root", root, "--regions", "offline", "--out", out, "--limit", "1")
    assert done.exit_code == 0, done.exception
    found = region_source({"name": "stored", "path": str(out)}).regions(PHOTOS[0], None, (48, 64))
    # All sides are kept, so that attention is painted where the photo was looked at.
    assert found.features.shape[1] == 384
    assert 10 < len(found) <= 36


def test_what_cannot_be_stored_is_told_before_any_work(root: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one kind of features is needed"):
        named_source(options={})
    with pytest.raises(UsageError, match="one kind of features is needed"):
        named_source(regions="offline", grid="dinov2_s", options={})
    with pytest.raises(UsageError, match="these are stored already"):
        named_source(regions="a.tsv", options={})
    with pytest.raises(UsageError, match="End its name in .h5"):
        store_features("toloka_vqa:train_sample", root, source=Corners(), out=tmp_path / "a.npz")
    (root / "images" / PHOTOS[1]).unlink(missing_ok=True)
    for photo in root.rglob(PHOTOS[1]):
        photo.unlink()
    with pytest.raises(InputError, match="1 of 3 photos are absent: 000000000001.jpg"):
        store_features("toloka_vqa:train_sample", root, source=Corners(), out=tmp_path / "a.h5")


def test_options_are_words_numbers_or_texts() -> None:
    assert _options(["ring=yes", "most=50", "device=cuda:0", "x=No"]) == {
        "ring": True,
        "most": 50,
        "device": "cuda:0",
        "x": False,
    }
