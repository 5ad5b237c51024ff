"""Numbers of regions that stand in texts (base64), and names of classes that stand in lists."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError
from foveate.formats._places import is_file

# Lists of classes as bottom-up attention and its heirs name them.
_LISTS = ("objects_vocab.txt",)


def whole(where: str, field: str, text: bytes) -> int:
    """Returns a whole number above 0.

    Raises:
        InputError: It is none.
    """
    if not text.strip().isdigit() or int(text) < 1:
        shown = text[:20].decode(errors="replace")
        raise InputError(where, f"{field} is {shown!r}, not a whole number above 0", _columns_remedy())
    return int(text)


def numbers(where: str, field: str, text: bytes, kind: str, count: int) -> NDArray[np.generic]:
    """Returns ``(count, width)`` numbers of a base64 text.

    Args:
        where: The file and the row.
        field: The column, for messages.
        text: Base64.
        kind: The type of the numbers, such as `<f4`.
        count: How many rows they make.

    Raises:
        InputError: It is no base64, or not a whole number of rows; a row that is cut off is so.
    """
    try:
        data = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError(where, f"{field} is no base64 ({error})", _columns_remedy()) from error
    size = np.dtype(kind).itemsize * count
    if not data or len(data) % size:
        problem = f"{field} has {len(data):,} bytes, which {count} boxes of {kind} numbers do not divide"
        raise InputError(where, f"{problem}; the row is cut off or of another form", _columns_remedy())
    return np.frombuffer(data, kind).reshape(count, -1)


def finite(where: str, field: str, values: NDArray[np.generic], width: int | None = None) -> NDArray[np.float32]:
    """Returns ``float32 (R, width)``.

    Raises:
        InputError: There are more or fewer columns, or one is no finite number.
    """
    if width is not None and values.shape[1:] != (width,):
        problem = f"{field} has {values.shape[1]} numbers a region, not {width}"
        raise InputError(where, problem, _columns_remedy())
    found = np.asarray(values, dtype=np.float32)
    if not np.isfinite(found).all():
        row = int(np.argmin(np.isfinite(found).all(axis=1)))
        raise InputError(where, f"{field} of region {row + 1} has what is no number", "Store the photo again.")
    return found


def class_names(path: Path, settings: Mapping[str, str]) -> tuple[str, ...] | None:
    """Returns the names of classes by their number: of the list that is named, or that lies beside; else None.

    Of several names that a line has, parted by commas, the first is taken.

    Raises:
        InputError: The list that is named is not there.
    """
    folder = path if path.is_dir() else path.parent
    named = settings.get("labels")
    files = [Path(named)] if named else [folder / name for name in _LISTS]
    found = next((file for file in files if is_file(file)), None)
    if found is None:
        if named:
            raise InputError(named, "there is no such list of classes", "Give a text file, one name a line.")
        return None
    lines = found.read_text(encoding="utf-8").splitlines()
    return tuple(line.partition(",")[0].strip() for line in lines)


def labels_of(where: str, classes: tuple[str, ...] | None, ids: NDArray[np.generic] | None) -> tuple[str, ...] | None:
    """Returns the name of each region's class; None where classes have no names here.

    Raises:
        InputError: A number is beyond the list.
    """
    if classes is None or ids is None:
        return None
    found = [int(number) for number in np.asarray(ids).reshape(-1)]
    beyond = next((number for number in found if not 0 <= number < len(classes)), None)
    if beyond is not None:
        problem = f"it has the class {beyond}, and the list has {len(classes):,} names"
        raise InputError(where, problem, "Give the list that belongs to these features: labels=FILE.")
    return tuple(classes[number] for number in found)


def _columns_remedy() -> str:
    return "Copy the file again; if its columns are others, say them: fields=image_id,image_w,…"
