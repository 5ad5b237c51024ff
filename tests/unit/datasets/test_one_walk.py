"""A folder is walked once for a reading or a check, and not at all where no photo is asked for."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foveate import plugins
from foveate.datasets import own
from foveate.datasets._check import check
from foveate.datasets._convert import convert
from foveate.datasets._open import Dataset, open_dataset
from foveate.formats.sample_forms import FORMS
from foveate.sources.folders import listing_of, one_reading
from foveate.sources.listing import Listing
from tests.helpers import save_photo

NAMES = [name for name in plugins.modules("datasets") if name not in {"photos", "own"}]


@pytest.fixture(name="walked")
def _walked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts how often each folder is listed; `os.walk` lists by the same function."""
    counts: Counter[str] = Counter()
    scandir = os.scandir

    def counted(path: Any = ".") -> Any:
        folder = str(path) if isinstance(path, int) else os.path.realpath(path)
        # Which splits were made is asked of a folder of a few names, beside the walk.
        if Path(folder).name != "made":
            counts[folder] += 1
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counted)
    return counts


def opened(name: str, root: Path, walked: Counter[str]) -> Dataset:
    module = plugins.load("datasets", name)
    module.write_tiny(root)
    walked.clear()
    return open_dataset(f"{name}:{next(iter(module.CARD.splits))}", root)


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_is_walked_once_for_pairs(name: str, tmp_path: Path, walked: Counter[str]) -> None:
    data = opened(name, tmp_path, walked)
    assert sum(1 for _ in data.pairs()) > 0
    assert walked
    assert set(walked.values()) == {1}


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_is_walked_once_for_samples_and_for_a_check(name: str, tmp_path: Path, walked: Counter[str]) -> None:
    data = opened(name, tmp_path, walked)
    assert sum(1 for _ in data.samples()) > 0
    assert set(walked.values()) == {1}
    walked.clear()
    check(data.name, tmp_path)
    assert set(walked.values()) == {1}


@pytest.mark.parametrize("form", FORMS)
def test_own_data_are_walked_once_whatever_their_form(form: str, tmp_path: Path, walked: Counter[str]) -> None:
    own.write_tiny(tmp_path / "in")
    out = tmp_path / "own" / f"out{FORMS[form].suffixes[0]}" if FORMS[form].suffixes else tmp_path / "own"
    convert(open_dataset("own", tmp_path / "in"), out, to=form, lossy=True, photos="copy")
    walked.clear()
    assert sum(1 for _ in open_dataset("own", tmp_path / "own").pairs()) > 0
    ours = {folder: n for folder, n in walked.items() if Path(folder).is_relative_to(tmp_path)}
    assert ours
    assert set(ours.values()) == {1}


@pytest.mark.parametrize("form", [form for form in FORMS if form != "yolo"])
def test_a_check_of_own_data_walks_once(form: str, tmp_path: Path, walked: Counter[str]) -> None:
    own.write_tiny(tmp_path / "in")
    out = tmp_path / "own" / f"out{FORMS[form].suffixes[0]}" if FORMS[form].suffixes else tmp_path / "own"
    convert(open_dataset("own", tmp_path / "in"), out, to=form, lossy=True, photos="copy")
    walked.clear()
    check(str(tmp_path / "own"))
    assert {n for folder, n in walked.items() if Path(folder).is_relative_to(tmp_path)} == {1}


@pytest.mark.parametrize("name", ["toloka_vqa", "coco", "gqa"])
def test_nothing_is_walked_until_a_photo_is_asked_for(name: str, tmp_path: Path, walked: Counter[str]) -> None:
    data = opened(name, tmp_path, walked)
    walked.clear()
    for reading in (data.truths(), data.queries(with_images=False), data.pairs(with_images=False)):
        assert sum(1 for _ in reading) > 0
    assert not walked
    next(data.queries())
    assert set(walked.values()) == {1}


def test_each_reading_sees_the_folder_of_its_moment(tmp_path: Path, walked: Counter[str]) -> None:
    data = opened("toloka_vqa", tmp_path, walked)
    photo = tmp_path / "images" / "000000000000.jpg"
    photo.unlink()
    assert next(data.queries()).image is None
    save_photo(photo)
    assert next(data.queries()).image is not None


def test_between_two_things_a_reading_is_not_seen(tmp_path: Path) -> None:
    def reader() -> Iterator[Listing]:
        yield listing_of(tmp_path)
        yield listing_of(tmp_path)

    reading = one_reading(reader())
    first = next(reading)
    assert listing_of(tmp_path) is not first
    assert next(reading) is first
    assert next(one_reading(reader())) is not first
