from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.errors import InputError, OutputError
from foveate.formats.prior_npz import PriorFile, PriorGroup, read_prior, write_prior


def prior(groups: int = 2) -> PriorFile:
    mean = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)
    made = tuple(
        PriorGroup("question", f"what is {k}\x00 ünï", 5 + k, (0.25, 0.5), mean / np.float32(k + 1))
        for k in range(groups)
    )
    return PriorFile("made:all", "ab" * 32, 9, {"question": "lower case"}, (0.4, 0.6), mean, made)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_prior(tmp_path / "deep" / "prior.npz", prior())
    found, wanted = read_prior(tmp_path / "deep" / "prior.npz"), prior()
    assert (found.dataset, found.fingerprint, found.n, found.notes) == (
        "made:all",
        "ab" * 32,
        9,
        {"question": "lower case"},
    )
    assert found.centre == wanted.centre
    np.testing.assert_array_equal(found.mean, wanted.mean)
    for ours, theirs in zip(found.groups, wanted.groups, strict=True):
        assert (ours.kind, ours.key, ours.n, ours.centre) == (theirs.kind, theirs.key, theirs.n, theirs.centre)
        np.testing.assert_array_equal(ours.mean, theirs.mean)


def test_numpy_reads_it_without_pickles(tmp_path: Path) -> None:
    write_prior(tmp_path / "prior.npz", prior())
    with np.load(tmp_path / "prior.npz", allow_pickle=False) as arrays:
        assert sorted(arrays) == ["about", "centres", "counts", "means", "overall", "overall_centre"]
        assert arrays["counts"].tolist() == [5, 6]
        assert json.loads(arrays["about"].tobytes())["keys"][1] == ["question", "what is 1\x00 ünï"]


def test_the_same_prior_gives_the_same_bytes(tmp_path: Path) -> None:
    write_prior(tmp_path / "a.npz", prior())
    write_prior(tmp_path / "b.npz", prior())
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_prior_without_groups_is_one_too(tmp_path: Path) -> None:
    write_prior(tmp_path / "prior.npz", prior(0))
    assert read_prior(tmp_path / "prior.npz").groups == ()


def changed(path: Path, **arrays: Any) -> Path:
    """Writes the prior with other arrays in it."""
    write_prior(path, prior())
    with np.load(path) as found:
        kept = dict(found)
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in (kept | arrays).items():
            data = io.BytesIO()
            np.save(data, array, allow_pickle=True)
            archive.writestr(f"{name}.npy", data.getvalue())
    return path


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"overall": np.full((3, 4), 1.5)}, "not from 0 to 1"),
        ({"overall": np.full((3, 4), np.nan)}, "not from 0 to 1"),
        ({"overall": np.zeros(4)}, "of 2 dimensions"),
        ({"counts": np.array([5])}, "2 keys"),
        ({"means": np.zeros((2, 3, 5))}, "2 keys"),
        ({"counts": np.array([{}, {}], dtype=object)}, "Object arrays cannot be loaded"),
        ({"about": np.frombuffer(b'{"version": 3}', dtype=np.uint8)}, "version 3, this program reads up to version 2"),
        ({"about": np.frombuffer(b"[]", dtype=np.uint8)}, "it is no prior"),
    ],
)
def test_what_is_no_prior_is_refused(tmp_path: Path, arrays: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_prior(changed(tmp_path / "prior.npz", **arrays))


def test_a_file_that_is_cut_off_or_absent_is_refused(tmp_path: Path) -> None:
    write_prior(tmp_path / "prior.npz", prior())
    whole = (tmp_path / "prior.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    for name in ("cut.npz", "absent.npz"):
        with pytest.raises(InputError, match="foveate analyze"):
            read_prior(tmp_path / name)


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="the prior cannot be written"):
        write_prior(tmp_path / "file" / "prior.npz", prior())


def test_the_best_box_is_kept_and_an_older_file_has_none(tmp_path: Path) -> None:
    write_prior(tmp_path / "new.npz", replace(prior(), best_box=(0.0, 0.25, 0.5, 1.0), best_box_value=0.125))
    found = read_prior(tmp_path / "new.npz")
    assert (found.best_box, found.best_box_value) == ((0.0, 0.25, 0.5, 1.0), 0.125)
    about = {"version": 1, "dataset": "made:all", "fingerprint": "ab", "n": 9, "notes": {}, "keys": [["q", "a"]] * 2}
    old = read_prior(changed(tmp_path / "old.npz", about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)))
    assert (old.n, old.best_box, old.best_box_value) == (9, None, None)


@pytest.mark.parametrize("sides", [(0.5, 0, 0.5, 1), (0, 0, 1, 1.5), (-0.1, 0, 1, 1), (0, 0, 1, float("nan"))])
def test_a_best_box_beyond_the_photo_is_refused(tmp_path: Path, sides: tuple[float, float, float, float]) -> None:
    write_prior(tmp_path / "prior.npz", replace(prior(), best_box=sides, best_box_value=0.5))
    with pytest.raises(InputError, match="no box of shares from 0 to 1"):
        read_prior(tmp_path / "prior.npz")
