"""Whole JSON files of annotations, read and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from foveate.errors import InputError
from foveate.formats._sample_forms import FIX
from foveate.formats.tables import json_value, refuse_endless


def read_object(path: Path) -> dict[str, Any]:
    """Returns the object in a JSON file, with or without a byte order mark.

    Raises:
        InputError: The file is missing, or holds no object in which every key is there once.
    """
    refuse_endless(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({error.strerror})", "Look at the name.") from error
    values = json_value(data, str(path), "Save it again from the tool that it is of.")
    if not isinstance(values, dict):
        raise InputError(str(path), f"it is a JSON {type(values).__name__}, not an object", "Give another file.")
    return values


def write_object(values: Any, path: Path) -> None:
    """Writes a value as one JSON file.

    Raises:
        InputError: A text or number in it cannot be written as JSON.
    """
    try:
        path.write_bytes((json.dumps(values, ensure_ascii=False, allow_nan=False) + "\n").encode())
    except ValueError as error:
        raise InputError(str(path), f"a value cannot be written as JSON ({error})", FIX) from error
