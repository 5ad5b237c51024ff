from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.errors import InputError
from foveate.formats.safetensors import read_metadata, read_safetensors


def write(path: Path, header: Any, numbers: bytes) -> Path:
    told = json.dumps(header).encode()
    (path / "a.safetensors").write_bytes(len(told).to_bytes(8, "little") + told + numbers)
    return path / "a.safetensors"


def told(kind: str, shape: list[int], begin: int, end: int) -> dict[str, Any]:
    return {"dtype": kind, "shape": shape, "data_offsets": [begin, end]}


def test_arrays_by_name(tmp_path: Path) -> None:
    floats, places = np.arange(6, dtype="<f4"), np.array([7, -1], dtype="<i8")
    header = {
        "__metadata__": {"format": "pt"},
        "places": told("I64", [2], 24, 40),
        "kernel": told("F32", [2, 3], 0, 24),
        "scalar": told("F32", [], 20, 24),
        "none": told("F32", [0, 3], 40, 40),
    }
    found = read_safetensors(write(tmp_path, header, floats.tobytes() + places.tobytes()))
    assert found.keys() == {"places", "kernel", "scalar", "none"}
    assert found["kernel"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert found["places"].tolist() == [7, -1]
    assert found["scalar"] == 5
    assert found["none"].shape == (0, 3)


@pytest.mark.parametrize(
    "header",
    [
        {"a": told("F32", [3], 0, 8)},
        {"a": told("F32", [3], 0, 12)},
        {"a": told("F32", [2], -8, 0)},
        {"a": told("F32", [2], 8, 0)},
        {"a": told("F32", [-2, -1], 0, 8)},
        {"a": told("BF16", [4], 0, 8)},
        {"a": {"dtype": "F32"}},
        {"a": 3},
        [1],
    ],
)
def test_headers_that_do_not_fit_the_numbers(tmp_path: Path, header: Any) -> None:
    with pytest.raises(InputError, match=r"a\.safetensors: it is no safetensors file, or it is cut off"):
        read_safetensors(write(tmp_path, header, bytes(8)))


@pytest.mark.parametrize("data", [b"", b"12345678", b"\xff" * 20, b"\x02\0\0\0\0\0\0\0{"])
def test_what_is_no_such_file(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.safetensors").write_bytes(data)
    with pytest.raises(InputError, match="no safetensors file"):
        read_safetensors(tmp_path / "a.safetensors")


def test_what_a_file_says_of_itself(tmp_path: Path) -> None:
    assert read_metadata(write(tmp_path, {"__metadata__": {"format": "pt"}}, b"")) == {"format": "pt"}
    assert read_metadata(write(tmp_path, {}, b"")) == {}


@pytest.mark.parametrize(
    "data", [b"", b"\xff" * 8, (9).to_bytes(8, "little") + b"{}", (4).to_bytes(8, "little") + b"[1] "]
)
def test_a_broken_header_is_told(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(data)
    with pytest.raises(InputError, match="no safetensors file"):
        read_metadata(tmp_path / "a.safetensors")
