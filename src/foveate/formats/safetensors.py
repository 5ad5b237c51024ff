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
        raise InputError(
            str(path),
            f"it is no safetensors file, or it is cut off ({error})",
            "Copy it again from where it came from.",
        ) from error


def _array(told: Mapping[str, Any], data: bytes, start: int) -> NDArray[Any]:
    begin, end = told["data_offsets"]
    shape = tuple(told["shape"])
    kind = np.dtype(_TYPES[told["dtype"]])
    count = int(np.prod(shape, dtype=np.int64))
    if not 0 <= begin <= end <= len(data) - start or end - begin != count * kind.itemsize:
        raise ValueError(f"bytes {begin} to {end} are not the {count:,} numbers of an array {shape}")
    return np.frombuffer(data, kind, count, start + begin).reshape(shape)
