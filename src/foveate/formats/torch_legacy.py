"""Arrays of a file that PyTorch before 1.6 saved (`.pth`, no zip), read without running anything of it.

Such a file is five pickles, then the numbers. A pickle is a program, and an unpickler does what it says. Here its
instructions are only read: the few that a dictionary of arrays needs are followed by the rules below, any other is
refused, and the four names that may be called stand for values of ours, never for the code of those names.
"""

from __future__ import annotations

import io
import math
import pickletools
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError

_MAGIC = 0x1950A86A20F9469CFC6C
_PROTOCOL = 1001
_NUMBERS = {
    "torch DoubleStorage": "<f8",
    "torch FloatStorage": "<f4",
    "torch HalfStorage": "<f2",
    "torch LongStorage": "<i8",
    "torch IntStorage": "<i4",
    "torch ShortStorage": "<i2",
    "torch CharStorage": "<i1",
    "torch ByteStorage": "<u1",
}
_ORDERED_DICT, _REBUILD = "collections OrderedDict", "torch._utils _rebuild_tensor_v2"
_MARK = object()


@dataclass(frozen=True, slots=True)
class _Name:
    """A name that the file may call; only told apart, never looked up."""

    name: str


@dataclass(frozen=True, slots=True)
class _Storage:
    """Numbers that follow the pickles."""

    key: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class _View:
    """An array as a window on a storage, in numbers, not bytes."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def read_torch_legacy(path: Path) -> dict[str, NDArray[Any]]:
    """Returns ``{name: array}`` of a saved dictionary of arrays, each with its numbers in row order.

    Raises:
        InputError: The file is not of this form, asks for anything but arrays, or is cut off.

    References:
        https://github.com/pytorch/pytorch, torch/serialization.py: `_legacy_save`.
    """
    try:
        # From memory, where a length that the file only claims allocates nothing.
        return _read(io.BytesIO(path.read_bytes()))
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        raise InputError(
            str(path), f"it is no dictionary of arrays as old PyTorch saved it ({error})", "Give another file."
        ) from error


def _read(file: io.BytesIO) -> dict[str, NDArray[Any]]:
    magic, protocol, system, views, keys = (_value(file) for _ in range(5))
    if magic != _MAGIC or protocol != _PROTOCOL:
        raise ValueError("it does not begin as such a file does")
    if system.get("little_endian") is not True:
        raise ValueError("its numbers are not little-endian")
    if not all(isinstance(name, str) and isinstance(view, _View) for name, view in views.items()):
        raise ValueError("it holds something else than named arrays")
    storages = {view.storage.key: view.storage for view in views.values()}
    if sorted(storages) != sorted(keys):
        raise ValueError("its arrays and its numbers do not belong together")
    numbers = {key: _numbers(file, storages[key]) for key in keys}
    if file.read(1):
        raise ValueError("something follows its numbers")
    return {name: _array(view, numbers[view.storage.key]) for name, view in views.items()}


def _numbers(file: io.BytesIO, storage: _Storage) -> NDArray[Any]:
    kind = np.dtype(_NUMBERS[storage.kind])
    count = int.from_bytes(file.read(8), "little")
    if count != storage.count:
        raise ValueError(f"{count:,} numbers follow where {storage.count:,} are declared")
    data = file.read(count * kind.itemsize)
    return np.frombuffer(data, kind, count)  # Raises where the file ends too soon.


def _array(view: _View, numbers: NDArray[Any]) -> NDArray[Any]:
    if len(view.shape) != len(view.strides) or min((view.offset, *view.shape, *view.strides), default=0) < 0:
        raise ValueError(f"an array has the shape {view.shape} and the strides {view.strides}")
    count = math.prod(view.shape)
    if count == 0:
        return np.zeros(view.shape, numbers.dtype)
    last = view.offset + sum((side - 1) * stride for side, stride in zip(view.shape, view.strides, strict=True))
    # A stride of 0 could make an array of any size out of one number.
    if last >= len(numbers) or count > len(numbers):
        raise ValueError(f"an array of the shape {view.shape} reaches beyond its {len(numbers):,} numbers")
    strides = [stride * numbers.itemsize for stride in view.strides]
    window = np.lib.stride_tricks.as_strided(numbers[view.offset :], view.shape, strides, writeable=False)
    return np.array(window, order="C")


def _value(file: io.BytesIO) -> Any:
    """Returns what one pickle describes."""
    machine = _Machine()
    with warnings.catch_warnings():
        # Of a damaged text Python warns before it refuses it.
        warnings.simplefilter("ignore", DeprecationWarning)
        for instruction, argument, _ in pickletools.genops(file):
            if instruction.name == "STOP":
                break
            machine.follow(instruction.name, argument)
    (value,) = machine.stack
    return value


class _Machine:
    """Follows the instructions of a pickle that only builds values; refuses every other."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def follow(self, name: str, argument: Any) -> None:
        if name in _PUSHED:
            self.stack.append(_PUSHED[name](argument))
        elif name in _FOLLOWED:
            _FOLLOWED[name](self, argument)
        elif name != "PROTO":
            raise ValueError(f"it uses the instruction {name}, which a dictionary of arrays does not need")

    def pop(self) -> Any:
        value = self.stack.pop()
        if value is _MARK:
            raise ValueError("its instructions do not fit together")
        return value

    def above_mark(self) -> list[Any]:
        at = len(self.stack) - 1 - self.stack[::-1].index(_MARK)
        values = self.stack[at + 1 :]
        del self.stack[at:]
        return values

    def memorise(self, place: int) -> None:
        self._memo[place] = self.stack[-1]

    def recall(self, place: int) -> None:
        self.stack.append(self._memo[place])

    def tuple_of(self, count: int) -> None:
        self.stack.append(tuple(self.pop() for _ in range(count))[::-1])

    def set_items(self, items: list[Any]) -> None:
        if type(self.stack[-1]) is not dict or len(items) % 2:
            raise ValueError("its instructions do not fit together")
        self.stack[-1].update(zip(items[::2], items[1::2], strict=True))

    def append_items(self, items: list[Any]) -> None:
        if type(self.stack[-1]) is not list:
            raise ValueError("its instructions do not fit together")
        self.stack[-1].extend(items)

    def storage(self) -> None:
        said, kind, key, _, count, window = self.pop()
        if said != "storage" or window is not None or not isinstance(kind, _Name) or kind.name not in _NUMBERS:
            raise ValueError("it refers to something that is no numbers")
        if type(key) is not str or type(count) is not int:
            raise ValueError("it refers to numbers without saying which")
        self.stack.append(_Storage(key, kind.name, count))

    def call(self) -> None:
        arguments, called = self.pop(), self.pop()
        if called == _Name(_ORDERED_DICT) and arguments == ():
            self.stack.append({})
        elif called == _Name(_REBUILD):
            storage, offset, shape, strides, *_ = arguments
            whole = (offset, *shape, *strides)
            if type(storage) is not _Storage or not all(type(number) is int for number in whole):
                raise ValueError("an array is not made of numbers")
            self.stack.append(_View(storage, offset, tuple(shape), tuple(strides)))
        else:
            raise ValueError("it calls something in a way that no array needs")

    def forget_state(self) -> None:
        # What PyTorch keeps beside the arrays: the versions of the layers.
        self.pop()
        if type(self.stack[-1]) is not dict:
            raise ValueError("it gives a state to something that has none")


def _name(argument: str) -> _Name:
    if argument not in {_ORDERED_DICT, _REBUILD, *_NUMBERS}:
        raise ValueError(f"it names {argument.replace(' ', '.')}, which no array needs")
    return _Name(argument)


_PUSHED: dict[str, Callable[[Any], Any]] = {
    "MARK": lambda _: _MARK,
    "NONE": lambda _: None,
    "NEWTRUE": lambda _: True,
    "NEWFALSE": lambda _: False,
    "EMPTY_TUPLE": lambda _: (),
    "EMPTY_LIST": lambda _: [],
    "EMPTY_DICT": lambda _: {},
    "GLOBAL": _name,
    **{name: lambda value: value for name in ("BININT", "BININT1", "BININT2", "LONG1", "BINUNICODE")},
}
_FOLLOWED: dict[str, Callable[[_Machine, Any], None]] = {
    "BINPUT": _Machine.memorise,
    "LONG_BINPUT": _Machine.memorise,
    "BINGET": _Machine.recall,
    "LONG_BINGET": _Machine.recall,
    "TUPLE": lambda machine, _: machine.stack.append(tuple(machine.above_mark())),
    "TUPLE1": lambda machine, _: machine.tuple_of(1),
    "TUPLE2": lambda machine, _: machine.tuple_of(2),
    "TUPLE3": lambda machine, _: machine.tuple_of(3),
    "SETITEM": lambda machine, _: machine.set_items([machine.pop(), machine.pop()][::-1]),
    "SETITEMS": lambda machine, _: machine.set_items(machine.above_mark()),
    "APPEND": lambda machine, _: machine.append_items([machine.pop()]),
    "APPENDS": lambda machine, _: machine.append_items(machine.above_mark()),
    "BINPERSID": lambda machine, _: machine.storage(),
    "REDUCE": lambda machine, _: machine.call(),
    "BUILD": lambda machine, _: machine.forget_state(),
}
