from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.analysis import near_duplicates as module
from foveate.analysis.near_duplicates import NearDuplicates, likeness_of, near_duplicates, near_pairs
from foveate.analysis.photo_work import Settings
from foveate.errors import UnavailableError, UsageError
from foveate.sources.images import FileImage
from tests.helpers import SHARED, needs_shared, save_photo


def scene(seed: int) -> NDArray[np.uint8]:
    """Returns a photo of a few soft shapes."""
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (320, 240), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def save(folder: Path, name: str, pixels: NDArray[np.uint8], quality: int = 95) -> FileImage:
    folder.mkdir(parents=True, exist_ok=True)
    PIL.Image.fromarray(pixels).save(folder / name, quality=quality)
    return FileImage(folder / name)


def found(tmp_path: Path, **sets: dict[str, FileImage]) -> NearDuplicates:
    return near_duplicates(sets, Settings(cache=tmp_path / "cache"))


def names(result: NearDuplicates) -> list[list[str]]:
    return [[result.photos[number].name for number in group] for group in result.groups]


@given(
    st.lists(st.integers(0, 2**64 - 1), max_size=30),
    st.integers(0, 16),
    st.lists(st.tuples(st.integers(0, 29), st.sets(st.integers(0, 63), max_size=18)), max_size=20),
)
def test_no_pair_of_near_hashes_is_missed_or_made_up(
    drawn: list[int], distance: int, copies: list[tuple[int, set[int]]]
) -> None:
    hashes = list(drawn)
    for source, bits in copies:
        if source < len(drawn):
            hashes.append(drawn[source] ^ sum(1 << bit for bit in bits))
    wanted = [[a, b] for a, b in combinations(range(len(hashes)), 2) if (hashes[a] ^ hashes[b]).bit_count() <= distance]
    assert near_pairs(np.array(hashes, dtype=np.uint64), distance).tolist() == wanted


@pytest.mark.parametrize("distance", [-1, 17])
def test_a_distance_that_is_none_is_refused(distance: int) -> None:
    with pytest.raises(UsageError, match=f"{distance} is not from 0 to 16"):
        near_pairs(np.zeros(2, dtype=np.uint64), distance)


def test_likeness_is_one_for_equal_pictures_whatever_the_light() -> None:
    grey = cv2.resize(cv2.cvtColor(scene(0), cv2.COLOR_RGB2GRAY), (32, 32)).astype(np.uint8)
    assert likeness_of(grey, grey) == pytest.approx(1.0)
    assert likeness_of(grey, grey // 2 + 20) > 0.99
    assert likeness_of(grey, 255 - grey) < 0


def test_edited_photos_are_found_and_others_are_not(tmp_path: Path) -> None:
    first = scene(1)
    photos = {
        "a.png": save(tmp_path, "a.png", first),
        "b.png": save(tmp_path, "b.png", scene(2)),
        "jpeg.jpg": save(tmp_path, "jpeg.jpg", first, quality=40),
        "half.png": save(tmp_path, "half.png", np.ascontiguousarray(first[::2, ::2])),
        "dark.png": save(tmp_path, "dark.png", np.asarray(first * 0.7, dtype=np.uint8)),
        "c.png": save(tmp_path, "c.png", scene(3)),
    }
    result = found(tmp_path, made=photos)
    assert names(result) == [["a.png", "jpeg.jpg", "half.png", "dark.png"]]
    assert result.identical == []
    assert all(pair.first < pair.second and pair.distance <= 4 and pair.likeness > 0.75 for pair in result.pairs)


def test_equal_bytes_are_found_across_data_sets(tmp_path: Path) -> None:
    ours = {"a.png": save(tmp_path / "ours", "a.png", scene(1)), "b.png": save(tmp_path / "ours", "b.png", scene(2))}
    theirs = {"other.png": save(tmp_path / "theirs", "other.png", scene(1))}
    result = found(tmp_path, ours=ours, theirs=theirs)
    assert names(result) == [["a.png", "other.png"]]
    assert (result.identical, result.pairs) == ([(0, 2)], [])
    assert result.across(result.groups[0])


def test_black_photos_are_set_aside_but_for_equal_bytes(tmp_path: Path) -> None:
    photos = {f"{k}.png": FileImage(save_photo(tmp_path / f"{k}.png", colour=(k, k, k))) for k in range(4)}
    photos["copy.png"] = FileImage(save_photo(tmp_path / "copy.png", colour=(2, 2, 2)))
    result = found(tmp_path, made=photos)
    assert len(result.flat) == 5
    assert names(result) == [["2.png", "copy.png"]]
    assert result.pairs == []


def test_candidates_that_the_second_look_refuses_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photos = {f"{k}.jpg": save(tmp_path, f"{k}.jpg", scene(1), quality=quality) for k, quality in enumerate((95, 60))}
    monkeypatch.setattr(module, "likeness_of", lambda first, second: 0.5)
    result = found(tmp_path, made=photos)
    assert (result.groups, result.pairs) == ([], [])
    assert [(pair.first, pair.second, pair.likeness) for pair in result.refused] == [(0, 1, 0.5)]


def test_a_photo_that_cannot_be_read_is_counted(tmp_path: Path) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"no photo")
    photos = {"broken.jpg": FileImage(tmp_path / "broken.jpg"), "a.png": save(tmp_path, "a.png", scene(1))}
    result = found(tmp_path, made=photos)
    assert list(result.unread) == [0]
    assert "not a photo" in result.unread[0]


def test_without_imagehash_the_command_to_install_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match=r"pip install 'foveate\[analysis\]'"):
        found(tmp_path, made={})


@needs_shared
def test_photos_of_blind_people_are_all_different(tmp_path: Path) -> None:
    photos = {path.name: FileImage(path) for path in sorted((SHARED / "vizwiz" / "images").glob("*.jpg"))}
    result = found(tmp_path, vizwiz=photos)
    assert len(result.photos) == 36
    assert (result.groups, result.refused, result.unread) == ([], [], {})
