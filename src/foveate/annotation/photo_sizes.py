"""The sizes of photos by their names: from the photos themselves, or from a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from foveate.core.boxes import SizeHW, size_difference
from foveate.errors import InputError
from foveate.formats.fields import PixelRow
from foveate.formats.tables import read_rows, typed
from foveate.sources.folders import PhotoFolder

_COLUMNS = ("image", "width", "height")


class _SizeRow(PixelRow):
    image: str


def photo_sizes(photos: Path | None = None, table: Path | None = None) -> Callable[[str], SizeHW | None]:
    """Returns what tells the height and width of an upright photo by its name; None where nothing tells it.

    Args:
        photos: A folder of photos, whose headers are read.
        table: A CSV or JSON lines with `image`, `width` and `height`.

    Raises:
        InputError: The folder or table is not there or broken; later, a photo is, or is of another size than the table
            says.
    """
    folder = PhotoFolder(photos) if photos else None
    stated = _table(table) if table else {}

    def size_of(name: str) -> SizeHW | None:
        photo = folder.find(name) if folder else None
        if photo is None:
            return stated.get(name)
        difference = size_difference(photo.size_hw, stated.get(name, photo.size_hw))
        if difference:
            raise InputError(str(photo.path), f"the photo is {difference} as {table} says", "Look at which is right.")
        return photo.size_hw

    return size_of


def _table(path: Path) -> dict[str, SizeHW]:
    found: dict[str, SizeHW] = {}
    for row in read_rows(path, _COLUMNS):
        size = typed(row, _SizeRow, "Fix the row.")
        if size.size_hw is None:
            raise InputError(row.where, "width and height are empty", "Fix the row.")
        if found.setdefault(size.image, size.size_hw) != size.size_hw:
            raise InputError(row.where, f"{size.image} is here a second time with another size", "Keep one row.")
    return found
