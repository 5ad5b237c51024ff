"""Writes files as PyTorch did before 1.6, by hand, so that neither PyTorch is needed nor its good manners."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAGIC = 0x1950A86A20F9469CFC6C
STOP = b"."
NONE, TRUE, FALSE = b"N", b"\x88", b"\x89"


@dataclass(frozen=True)
class View:
    """An array as a window on a storage."""

    key: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def text(value: str) -> bytes:
    data = value.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def whole(value: int) -> bytes:
    if -(2**31) <= value < 2**31:
        return b"J" + struct.pack("<i", value)
    data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(data)]) + data


def several(*values: bytes) -> bytes:
    return b"(" + b"".join(values) + b"t"


def name(module: str, function: str) -> bytes:
    return b"c" + f"{module}\n{function}\n".encode()


def mapping(items: Mapping[str, bytes], *, ordered: bool = False) -> bytes:
    empty = name("collections", "OrderedDict") + b")R" if ordered else b"}"
    return empty + b"(" + b"".join(text(key) + value for key, value in items.items()) + b"u"


def listing(*values: bytes) -> bytes:
    return b"](" + b"".join(values) + b"e"


def pickled(value: bytes) -> bytes:
    return b"\x80\x02" + value + STOP


def stored(key: str, count: int, kind: str = "FloatStorage") -> bytes:
    return several(text("storage"), name("torch", kind), text(key), text("cpu"), whole(count), NONE) + b"Q"


def rebuilt(view: View, count: int, kind: str = "FloatStorage") -> bytes:
    shape, strides = (several(*map(whole, numbers)) for numbers in (view.shape, view.strides))
    hooks = name("collections", "OrderedDict") + b")R"
    arguments = several(stored(view.key, count, kind), whole(view.offset), shape, strides, FALSE, hooks)
    return name("torch._utils", "_rebuild_tensor_v2") + arguments + b"R"


def legacy(
    views: Mapping[str, View], storages: Mapping[str, NDArray[np.float32]], *, little: bool = True, state: bytes = b""
) -> bytes:
    """A whole file; `state` is what stands between the dictionary and the end of its pickle."""
    rows = {key: rebuilt(view, len(storages[view.key])) for key, view in views.items()}
    return framed(mapping(rows, ordered=True) + state, storages, little=little)


def framed(value: bytes, storages: Mapping[str, NDArray[np.float32]], *, little: bool = True) -> bytes:
    """A whole file around the value that it saves."""
    system = {"protocol_version": whole(1001), "little_endian": TRUE if little else FALSE}
    pickles = [whole(MAGIC), whole(1001), mapping(system), value, listing(*map(text, storages))]
    numbers = [struct.pack("<q", len(values)) + values.tobytes() for values in storages.values()]
    return b"".join(map(pickled, pickles)) + b"".join(numbers)
