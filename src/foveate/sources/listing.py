"""What lies below a folder, by one walk, however many files there are."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

# Folders in which macOS and its archives keep shadows of files, beside those whose name begins with a dot.
_SHADOWS = frozenset({"__MACOSX", "$RECYCLE.BIN", "System Volume Information"})


class Listing:
    """The files below a folder; links are followed, and each real folder is looked into once.

    What is hidden (`._a.jpg`, `.git`, `__MACOSX`) is counted and not looked into.

    Args:
        root: The folder.

    Attributes:
        root: The folder.
        files: The paths, folder by folder, each in the order of its names.
        hidden: Paths of what is hidden.
        strange: `(path, what it is)` of what cannot be looked into or read: a link to nothing, a pipe, a closed folder.
        closed: `(path, why)` of the folders that cannot be listed; they are among what is strange.
        circles: Paths of links to a folder that was looked into before.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: list[str] = []
        self.hidden: list[str] = []
        self.strange: list[tuple[str, str]] = []
        self.closed: list[tuple[str, str]] = []
        self.circles: list[str] = []
        self._first: dict[str, str] = {}
        self._more: dict[str, list[str]] = {}
        self._walk(os.fspath(root))

    def named(self, name: str) -> list[Path]:
        """Returns the files of a name, in either spelling of its accents; of a suffix in other case too, if none else.

        The suffix tells what kind of file it is, and cameras write it in capitals; any other letter may tell one photo
        from another.
        """
        key = _key(name)
        if key not in self._more:
            return [Path(self._first[key])] if key in self._first else []
        found = sorted(map(Path, self._more[key]))
        composed = unicodedata.normalize("NFC", name)
        exact = [path for path in found if unicodedata.normalize("NFC", path.name) == composed]
        return exact or found

    def alike(self, name: str) -> list[Path]:
        """Returns the files whose name is the same but for capitals; slow, for what was not found."""
        folded = unicodedata.normalize("NFC", name).casefold()
        paths = (Path(path) for path in self.files)
        return [path for path in paths if unicodedata.normalize("NFC", path.name).casefold() == folded]

    def with_suffix(self, suffixes: frozenset[str]) -> Iterator[str]:
        """Yields the files of some suffixes, which are given in small letters."""
        return (path for path in self.files if os.path.splitext(path)[1].lower() in suffixes)  # noqa: PTH122

    def _walk(self, root: str) -> None:
        waiting, seen = [root], set()
        while waiting:
            folder = waiting.pop()
            try:
                real = os.stat(folder)  # noqa: PTH116
                with os.scandir(folder) as entries:
                    found = sorted(entries, key=attrgetter("name"))
            except OSError as error:
                self.closed.append((folder, error.strerror or str(error)))
                self.strange.append((folder, f"a folder that cannot be listed ({error.strerror})"))
                continue
            if (real.st_dev, real.st_ino) in seen:
                self.circles.append(folder)
                continue
            seen.add((real.st_dev, real.st_ino))
            waiting += reversed([entry.path for entry in found if self._is_folder(entry)])

    def _is_folder(self, entry: os.DirEntry[str]) -> bool:
        """Returns whether an entry is a folder to look into; notes it where it is anything else."""
        if entry.name.startswith(".") or entry.name in _SHADOWS:
            self.hidden.append(entry.path)
            return False
        try:
            if entry.is_dir():
                return True
            is_file = entry.is_file()
        except OSError:
            is_file = False
        if is_file:
            self._take(entry.name, entry.path)
        else:
            self.strange.append((entry.path, _what(entry)))
        return False

    def _take(self, name: str, path: str) -> None:
        self.files.append(path)
        key = _key(name)
        first = self._first.setdefault(key, path)
        if first is not path:
            self._more.setdefault(key, [first]).append(path)


def _key(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    key = f"{stem}{dot}{suffix.lower()}" if stem else name
    return key if key.isascii() else unicodedata.normalize("NFC", key)


def _what(entry: os.DirEntry[str]) -> str:
    try:
        mode = os.stat(entry.path).st_mode  # noqa: PTH116
    except FileNotFoundError:
        return "a link to nothing"
    except OSError as error:
        return f"a link that leads nowhere ({error.strerror})"
    return "a pipe or a device" if not stat.S_ISREG(mode) else "a file that cannot be looked at"
