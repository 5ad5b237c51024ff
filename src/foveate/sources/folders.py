"""Photos of a folder by file name, however deep they lie."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from foveate.errors import InputError
from foveate.sources.images import FileImage

_SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff", ".avif"}


class PhotoFolder:
    """Finds photos below a folder by their file name, once listed.

    Args:
        root: The folder; links to folders are not followed, so that a loop cannot arise.

    Raises:
        InputError: There is no such folder.
    """

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise InputError(str(root), "there is no such folder", "Give the folder of the photos with --root.")
        self.root = root
        self._places: dict[str, list[Path]] | None = None

    def find(self, name: str) -> FileImage | None:
        """Returns the photo of a file name or of a path below the root, or None where there is none.

        Raises:
            InputError: Several files have this name and their bytes differ.
        """
        if "/" in name:
            direct = self.root / name
            if direct.is_file() and direct.resolve().is_relative_to(self.root.resolve()):
                return FileImage(direct)
        places = self._listed().get(os.path.basename(name), [])  # noqa: PTH119  (a URL is not a path)
        if len(places) > 1:
            _refuse_different(name, places)
        return FileImage(places[0]) if places else None

    def _listed(self) -> dict[str, list[Path]]:
        if self._places is None:
            self._places = {}
            for folder, _, files in os.walk(self.root):
                for file in files:
                    if Path(file).suffix.lower() in _SUFFIXES:
                        self._places.setdefault(file, []).append(Path(folder, file))
            for places in self._places.values():
                places.sort()
        return self._places


def _refuse_different(name: str, places: list[Path]) -> None:
    if len({p.stat().st_size for p in places}) > 1 or len({_digest(p) for p in places}) > 1:
        raise InputError(
            name,
            f"{len(places)} different photos have this name: {places[0]} and {places[1]}",
            "Point --root at the one folder that is meant, or name the photo by its path below the root.",
        )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
