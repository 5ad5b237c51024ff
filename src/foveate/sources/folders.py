"""Photos of a folder by file name, however deep they lie."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast

from foveate.errors import InputError
from foveate.sources._files import sha256_of
from foveate.sources.images import FileImage
from foveate.sources.listing import Listing
from foveate.sources.places import exists, is_file, is_folder

PHOTO_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".mpo", ".png", ".webp", ".bmp", ".gif"}
    | {".tif", ".tiff", ".avif", ".heic", ".heif", ".ppm", ".pgm", ".jp2"}
)

_REMEMBERED = 4_096
T = TypeVar("T")


@dataclass
class Survey:
    """What readers came upon while a data set was looked over.

    Attributes:
        listings: Of each folder that was walked.
        official: The files of each official name that was asked for; the first is the one that is read.
        differing: Why no photo could be told from its name, by the name.
        other_case: Photos found by a name whose suffix is written in another case.
    """

    listings: dict[Path, Listing] = field(default_factory=dict)
    official: dict[str, list[Path]] = field(default_factory=dict)
    differing: dict[str, InputError] = field(default_factory=dict)
    other_case: dict[str, Path] = field(default_factory=dict)


_survey: ContextVar[Survey | None] = ContextVar("survey", default=None)


@contextmanager
def surveying() -> Iterator[Survey]:
    """Looks a data set over: each folder is walked once, and doubtful photos are noted and left out, not refused."""
    survey = Survey()
    token = _survey.set(survey)
    try:
        yield survey
    finally:
        _survey.reset(token)


_listings: ContextVar[dict[Path, Listing] | None] = ContextVar("listings", default=None)


def one_reading(things: Iterator[T]) -> Iterator[T]:
    """Yields what a reader yields; all that it asks of a folder while it reads is answered by one walk.

    A reader inside another one shares its walks. Nothing of this is seen by whoever takes the things, though he works
    between two of them: a reader runs in a context of its own.
    """
    context, end = copy_context(), object()
    if context.get(_listings) is None:
        context.run(_listings.set, {})
    while (thing := context.run(next, things, end)) is not end:
        yield cast(T, thing)


def survey_here() -> Survey | None:
    """Returns the survey that goes on, if one does."""
    return _survey.get()


def listing_of(root: Path) -> Listing:
    """Returns what lies below a folder: of this moment, or of when the reading or survey that goes on came to it."""
    survey = _survey.get()
    known = _listings.get() if survey is None else survey.listings
    if known is None:
        return Listing(root)
    if root not in known:
        known[root] = Listing(root)
    return known[root]


def files_below(root: Path) -> Iterator[Path]:
    """Yields the ordinary files below a folder, folder by folder, each in the order of its names; hidden ones not.

    Raises:
        InputError: A folder cannot be listed, so that what is in it would be lost.
    """
    listing = listing_of(root)
    for folder, why in listing.closed:
        raise InputError(folder, f"the folder cannot be listed ({why})", "Look at its permissions.")
    return map(Path, listing.files)


def folder_problem(root: Path) -> str | None:
    """Returns why a path is no folder to look into, or None."""
    if is_folder(root):
        return None
    return "it is a file, not a folder" if exists(root) else "there is no such folder that can be read"


def first_different(paths: Sequence[Path]) -> Path | None:
    """Returns the first file whose bytes are not those of the first one, or None.

    Raises:
        InputError: One cannot be read.
    """
    try:
        sizes = [path.stat().st_size for path in paths]
        for path, size in zip(paths[1:], sizes[1:], strict=True):
            if size != sizes[0]:
                return path
        whole = sha256_of(paths[0]) if len(paths) > 1 else ""
        return next((path for path in paths[1:] if sha256_of(path) != whole), None)
    except OSError as error:
        where = str(error.filename or paths[0])
        raise InputError(where, f"it cannot be read ({error.strerror})", "Look at its permissions.") from error


class PhotoFolder:
    """Finds photos below a folder by their file name, once listed; links to folders are followed.

    Args:
        root: The folder.

    Raises:
        InputError: There is no such folder.
    """

    def __init__(self, root: Path) -> None:
        problem = folder_problem(root)
        if problem:
            raise InputError(str(root), problem, "Give the folder of the photos with --root.")
        self.root = root
        self._listing: Listing | None = None
        # The latest few thousand: of a million names that are read once each, none need be remembered.
        self._find = lru_cache(maxsize=_REMEMBERED)(self._look_up)

    def find(self, name: str) -> FileImage | None:
        """Returns the photo of a file name, of a path below the root, or of an address; None where there is none.

        A path must be there as it is written: another photo of the same file name elsewhere is not it. Of an address
        only the file name counts. A suffix may be written in other letters (`.JPG`), and an accent in two ways. A
        photo that was asked for not long before is the same object, so that its header is read once.

        Raises:
            InputError: Several files have this name and their bytes differ.
        """
        return self._find(name)

    def _look_up(self, name: str) -> FileImage | None:
        if "/" in name and "://" not in name:
            direct = self.root / name
            inside = Path(os.path.normpath(direct)).is_relative_to(os.path.normpath(self.root))
            return FileImage(direct) if inside and is_file(direct) else None
        # An address may go on after a `?`.
        plain = posixpath.basename(name.partition("?")[0] if "://" in name else name)
        if self._listing is None:
            self._listing = listing_of(self.root)
        is_photo = posixpath.splitext(plain)[1].lower() in PHOTO_SUFFIXES
        places = self._listing.named(plain) if is_photo else []
        if places:
            return _the_one(name, plain, places)
        if is_photo and not plain.startswith(".") and not self._listing.strange:
            return None
        # What is hidden, not to be listed, or has no photo's suffix, is taken from the folder itself only.
        direct = self.root / plain
        return FileImage(direct) if is_file(direct) else None


def _the_one(name: str, plain: str, places: list[Path]) -> FileImage | None:
    survey = _survey.get()
    if survey is None and len(places) == 1:
        return FileImage(places[0])
    try:
        _refuse_different(name, places)
    except InputError as error:
        if survey is None:
            raise
        survey.differing[name] = error
        return None
    if survey is not None and places[0].suffix != Path(plain).suffix:
        survey.other_case[name] = places[0]
    return FileImage(places[0])


def _refuse_different(name: str, places: list[Path]) -> None:
    other = first_different(places) if len(places) > 1 else None
    if other:
        raise InputError(
            name,
            f"{len(places)} different photos have this name: {places[0]} and {other}",
            "Point --root at the one folder that is meant, or name the photo by its path (./NAME for one in the root).",
        )
