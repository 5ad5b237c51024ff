"""Photos of a folder by file name, however deep they lie."""

from __future__ import annotations

import os
import posixpath
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from foveate.errors import InputError
from foveate.sources._files import sha256_of
from foveate.sources.images import FileImage
from foveate.sources.places import is_file, is_folder

_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".mpo", ".png", ".webp", ".bmp", ".gif"}
    | {".tif", ".tiff", ".avif", ".heic", ".heif", ".ppm", ".pgm", ".jp2"}
)


class PhotoFolder:
    """Finds photos below a folder by their file name, once listed; links to folders are followed.

    Args:
        root: The folder.

    Raises:
        InputError: There is no such folder.
    """

    def __init__(self, root: Path) -> None:
        if not is_folder(root):
            raise InputError(
                str(root), "there is no such folder that can be read", "Give the folder of the photos with --root."
            )
        self.root = root
        self._places: dict[str, list[Path]] | None = None
        self._found: dict[str, FileImage | None] = {}

    def find(self, name: str) -> FileImage | None:
        """Returns the photo of a file name, of a path below the root, or of an address; None where there is none.

        A path must be there as it is written: another photo of the same file name elsewhere is not it. Of an address
        only the file name counts. The same photo is the same object, so that its header is read once.

        Raises:
            InputError: Several files have this name and their bytes differ.
        """
        if name not in self._found:
            self._found[name] = self._look_up(name)
        return self._found[name]

    def _look_up(self, name: str) -> FileImage | None:
        direct = self.root / name
        there = is_file(direct)
        if "/" in name and "://" not in name:
            inside = there and Path(os.path.normpath(direct)).is_relative_to(os.path.normpath(self.root))
            return FileImage(direct) if inside else None
        # An address may go on after a `?`; a letter with an accent is written in two ways, and means one file.
        plain = name.partition("?")[0] if "://" in name else name
        places = self._listed().get(unicodedata.normalize("NFC", posixpath.basename(plain)), [])
        if len(places) > 1:
            _refuse_different(name, places)
        if places:
            return FileImage(places[0])
        return FileImage(direct) if there else None

    def _listed(self) -> dict[str, list[Path]]:
        if self._places is None:
            self._places = {}
            for path in _photos_below(self.root):
                self._places.setdefault(unicodedata.normalize("NFC", path.name), []).append(path)
            for places in self._places.values():
                places.sort()
        return self._places


def _photos_below(root: Path) -> Iterator[Path]:
    """Yields files with a photo's suffix; each real folder once, so that links cannot lead in a circle."""
    seen: set[str] = set()
    for folder, folders, files in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        found = (Path(folder, file) for file in files if Path(file).suffix.lower() in _SUFFIXES)
        yield from (path for path in found if is_file(path))  # A link to nothing is no photo.


def _refuse_different(name: str, places: list[Path]) -> None:
    if len({p.stat().st_size for p in places}) > 1 or len({_digest(p) for p in places}) > 1:
        raise InputError(
            name,
            f"{len(places)} different photos have this name: {places[0]} and {places[1]}",
            "Point --root at the one folder that is meant, or name the photo by its path (./NAME for one in the root).",
        )


def _digest(path: Path) -> str:
    try:
        return sha256_of(path)
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({error.strerror})", "Look at its permissions.") from error
