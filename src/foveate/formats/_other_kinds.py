"""What stands in the place of a table: a workbook, a page, a picture; and columns that other tables call otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from foveate.errors import InputError

_LOOKED_AT = 4096
_CSV = "Save it as CSV: UTF-8, commas between the columns, their names in the first line."
_NUL = "a file with bytes of 0"
# By their first bytes; of two that begin alike the longer one stands first.
_KINDS: Sequence[tuple[bytes, str]] = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xd0\xcf\x11\xe0", "a workbook of an old Excel (XLS)"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "a database"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)
# What other tables call the columns of the cup.
_COLUMNS = {
    "left": ("xmin", "x_min", "x1", "x0", "min_x", "l"),
    "top": ("ymin", "y_min", "y1", "y0", "min_y", "t"),
    "right": ("xmax", "x_max", "x2", "max_x", "r"),
    "bottom": ("ymax", "y_max", "y2", "max_y", "b"),
    "image": ("image_id", "image_name", "file_name", "filename", "file", "photo", "img", "url"),
}


def kind_of_bytes(start: bytes) -> str | None:
    r"""Returns what a file is that is no text of its own right, by its first bytes; None for plain text.

    Example:
        >>> kind_of_bytes(b"\x89PNG..."), kind_of_bytes(b"image,left")
        ('a PNG picture', None)
    """
    if start.startswith(b"PK\x03\x04"):
        return "a workbook of Excel (XLSX)" if b"[Content_Types].xml" in start or b"xl/" in start else "a zip"
    found = next((kind for mark, kind in _KINDS if start.startswith(mark)), None)
    if found:
        return found
    plain = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if plain.startswith((b"<!doctype html", b"<html", b"<?xml")):
        return "a page of HTML or XML"
    if plain.startswith((b"{", b"[{", b"[\n", b"[\r", b"[ ")):
        return "JSON"
    # In a later line it is a fault of that row.
    return _NUL if b"\0" in start.partition(b"\n")[0] else None


def refuse_other_kind(path: Path) -> None:
    """Refuses a file in the place of a CSV that is something else.

    Raises:
        InputError: It is; what cannot be opened is left to whoever opens it.
    """
    start = b""
    with suppress(OSError), path.open("rb") as file:
        start = file.read(_LOOKED_AT)
    kind = kind_of_bytes(start)
    if kind is None:
        return
    if kind == "UTF-16 text":
        raise InputError(str(path), "the file is not UTF-8 text but UTF-16", "Save it as UTF-8.", got="UTF-16")
    remedy = "Call it .jsonl (an object a line) or .json (COCO results)." if kind == "JSON" else _CSV
    raise InputError(str(path), f"this is {kind}, not a table of text", remedy, expected="CSV", got=kind)


def foreign_columns(header: Sequence[str], missing: Sequence[str]) -> str:
    """Returns a sentence more for whoever gave no names of columns, or those of another table; else nothing.

    Example:
        >>> foreign_columns(["image", "xmin"], ["left"]), foreign_columns(["a.jpg", "1", "2.5"], ["left"])
        (' Write left for xmin.', ' It begins with a row of values here.')
    """
    if any(_is_number(name) for name in header):
        return " It begins with a row of values here."
    meant = {column: name for column in missing for name in header if name.strip().lower() in _COLUMNS.get(column, ())}
    told = ", ".join(f"{column} for {name}" for column, name in meant.items())
    return f" Write {told}." if told else ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
