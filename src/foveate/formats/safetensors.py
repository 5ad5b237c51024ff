"""Arrays of a safetensors file: a JSON header, then the numbers as they are; nothing in it can run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}


def read_metadata(path: Path) -> dict[str, str]:
    """Returns the texts that a file says of itself; none where it says nothing.

    Raises:
        InputError: The header is not of this form.
    """
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > path.stat().st_size - 8:
                raise ValueError(f"its header would have {length:,} bytes")
            told = json.loads(file.read(length)).get("__metadata__", {})
        return {str(name): str(text) for name, text in told.items()}
    except (ValueError, AttributeError) as error:
        raise _broken(path, error) from error


def read_safetensors(path: Path) -> dict[str, NDArray[Any]]:
    """Returns ``{name: array}``; the arrays read the file's bytes and cannot be changed.

    Raises:
        InputError: The header is not of this form, or names numbers that are not there.

    References:
        https://github.com/huggingface/safetensors, "Format".
    """
    data = path.read_bytes()
    try:
        start = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:start])
        header.pop("__metadata__", None)
        return {name: _array(told, data, start) for name, told in header.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _broken(path, error) from error


def _array(told: Mapping[str, Any], data: bytes, start: int) -> NDArray[Any]:
    begin, end = told["data_offsets"]
    shape = tuple(told["shape"])
    kind = np.dtype(_TYPES[told["dtype"]])
    count = int(np.prod(shape, dtype=np.int64))
    if not 0 <= begin <= end <= len(data) - start or end - begin != count * kind.itemsize:
        raise ValueError(f"bytes {begin} to {end} are not the {count:,} numbers of an array {shape}")
    return np.frombuffer(data, kind, count, start + begin).reshape(shape)


def _broken(path: Path, error: Exception) -> InputError:
    problem = f"it is no safetensors file, or it is cut off ({error})"
    return InputError(str(path), problem, "Copy it again from where it came from.")
