"""Stored grids, written here in the raw layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.errors import InputError
from foveate.formats.grid_files import open_grids


def planes(count: int, width: int, side: int) -> NDArray[np.float32]:
    return np.random.default_rng(8).normal(size=(count, width, side, side)).astype(np.float32)


def write_h5(path: Path, values: Any, name: str = "features") -> Path:
    with h5py.File(path, "w") as file:
        file[name] = values
    return path


def test_clevrs_file_is_read_by_the_number_of_the_photo(tmp_path: Path) -> None:
    values = planes(3, 5, 4)
    grids = open_grids(write_h5(tmp_path / "features.h5", values))
    assert grids.shape == (4, 4, 5)
    for name, row in (("CLEVR_val_000002.png", 2), ("val/CLEVR_val_000000.png", 0), ("1", 1)):
        found = grids.read(name)
        assert found.dtype == np.float32
        assert (found == np.moveaxis(values[row], 0, 2)).all()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("CLEVR_val_000003.png", r"features\.h5, CLEVR_val_000003\.png: it has 3 rows, and row 3 is asked for"),
        ("photo.png", "the photo's name ends in no number"),
    ],
)
def test_what_clevrs_file_has_not_is_told(name: str, said: str, tmp_path: Path) -> None:
    grids = open_grids(write_h5(tmp_path / "features.h5", planes(3, 5, 4)))
    with pytest.raises(InputError, match=said):
        grids.read(name)


def gqa(folder: Path) -> NDArray[np.float32]:
    values = planes(4, 6, 7)
    write_h5(folder / "gqa_spatial_0.h5", values[:1])
    write_h5(folder / "gqa_spatial_1.h5", values[1:])
    info = {"2375429": {"file": 0, "idx": 0}, "n161313": {"file": 1, "idx": 2}, "7": {"file": 1, "idx": 9}}
    (folder / "gqa_spatial_info.json").write_text(json.dumps(info))
    return values


def test_gqas_files_are_read_by_their_table(tmp_path: Path) -> None:
    values = gqa(tmp_path)
    grids = open_grids(tmp_path)
    assert grids.shape == (7, 7, 6)
    assert (grids.read("2375429.jpg") == np.moveaxis(values[0], 0, 2)).all()
    assert (grids.read("n161313.jpg") == np.moveaxis(values[3], 0, 2)).all()


def test_what_gqas_table_has_not_is_told(tmp_path: Path) -> None:
    gqa(tmp_path)
    grids = open_grids(tmp_path)
    with pytest.raises(InputError, match=r"gqa_spatial_info\.json, 8\.jpg: it has no such photo"):
        grids.read("8.jpg")
    with pytest.raises(InputError, match=r"gqa_spatial_1\.h5, row 9: it cannot be read"):
        grids.read("7.jpg")
    (tmp_path / "gqa_spatial_info.json").write_text('{"8": {"file": 0}}')
    with pytest.raises(InputError, match=r"it tells no row \(\{'file': 0\}\)"):
        open_grids(tmp_path).read("8.jpg")
    (tmp_path / "gqa_spatial_info.json").write_text('{"8": 3}')
    with pytest.raises(InputError, match="it is no table of photos"):
        open_grids(tmp_path)


def test_one_file_with_a_table_beside_it(tmp_path: Path) -> None:
    values = planes(2, 3, 2)
    write_h5(tmp_path / "spatial.h5", values)
    (tmp_path / "spatial_info.json").write_text('{"a": {"index": 1}}')
    assert (open_grids(tmp_path / "spatial.h5").read("a.jpg") == np.moveaxis(values[1], 0, 2)).all()


@pytest.mark.parametrize("ending", [".npy", ".npz"])
@pytest.mark.parametrize("whole_name", [True, False])
@pytest.mark.parametrize("cells_last", [True, False])
def test_one_file_a_photo(ending: str, whole_name: bool, cells_last: bool, tmp_path: Path) -> None:
    values = planes(1, 5, 3)[0]
    stored = values.transpose(1, 2, 0) if cells_last else values
    path = tmp_path / f"{'photo.jpg' if whole_name else 'photo'}{ending}"
    np.save(path, stored) if ending == ".npy" else np.savez(path, x=stored, boxes=np.zeros(2))
    grids = open_grids(tmp_path)
    assert grids.shape == (3, 3, 5)
    found = grids.read("photo.jpg")
    assert found.flags.c_contiguous
    assert (grids.read("val/photo.jpg") == found).all(), "a folder before the name does not count where it is not there"
    assert (found == values.transpose(1, 2, 0)).all()


def test_a_shape_that_does_not_tell_is_asked_for(tmp_path: Path) -> None:
    values = np.arange(24, dtype=np.float16).reshape(2, 3, 4)
    np.save(tmp_path / "a.npy", values)
    with pytest.raises(InputError, match=r"its shape \(2, 3, 4\) does not tell how it is laid out\. Say order=hwd"):
        open_grids(tmp_path)
    assert (open_grids(tmp_path, "hwd").read("a.png") == values).all()
    assert (open_grids(tmp_path, "dhw").read("a.png") == values.transpose(1, 2, 0)).all()


def write_array(path: Path, values: Any) -> None:
    np.save(path, values, allow_pickle=True)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (np.zeros((2, 2)), r"it has float64 numbers of the shape \(2, 2\), not a grid of three sides"),
        (np.full((2, 2, 3), "a"), "not a grid of three sides"),
        (np.array({"features": 1}), "it is no file of numbers"),
        (np.zeros((2, 2, 4)), r"its grid is \(2, 2, 4\), those of others are \(2, 2, 3\)"),
    ],
)
def test_a_photos_file_that_is_none_is_told(values: Any, said: str, tmp_path: Path) -> None:
    write_array(tmp_path / "a.npy", np.zeros((2, 2, 3)))
    write_array(tmp_path / "b.npy", values)
    with pytest.raises(InputError, match=said):
        open_grids(tmp_path).read("b.jpg")


def test_several_arrays_without_a_known_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", one=np.zeros((2, 2, 3)), two=np.zeros(2))
    with pytest.raises(InputError, match=r"a\.npz: which of one, two is the grid\? Call it `features`"):
        open_grids(tmp_path)


def test_a_cut_file_and_what_is_not_there(tmp_path: Path) -> None:
    path = write_h5(tmp_path / "whole.h5", planes(3, 5, 4))
    (tmp_path / "cut.h5").write_bytes(path.read_bytes()[:1000])
    with pytest.raises(InputError, match=r"cut\.h5: it is no HDF5 file, or it is cut off"):
        open_grids(tmp_path / "cut.h5")
    with pytest.raises(InputError, match=r"its features are \(3, 5\), not \(N, D, h, w\)"):
        open_grids(write_h5(tmp_path / "flat.h5", np.zeros((3, 5))))
    with pytest.raises(InputError, match="it has no array features"):
        open_grids(write_h5(tmp_path / "other.h5", np.zeros(3), "boxes"))
    with pytest.raises(InputError, match="there is no such file or folder"):
        open_grids(tmp_path / "none.h5")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no file in it ends in \.npz or \.npy"):
        open_grids(tmp_path / "empty")
    (tmp_path / "empty" / "gqa_spatial_info.json").write_text("{}")
    with pytest.raises(InputError, match=r"gqa_spatial_0\.h5 and the like are not beside it"):
        open_grids(tmp_path / "empty")
    np.save(tmp_path / "a.npy", np.zeros((2, 2, 3)))
    with pytest.raises(InputError, match=r", b\.jpg: no features are stored of this photo"):
        open_grids(tmp_path).read("b.jpg")
