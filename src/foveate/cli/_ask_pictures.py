"""The pictures that `foveate ask` makes: larger, the rest hidden, what is private hidden, the photo as it was read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from foveate.errors import FoveateError, UnavailableError, UsageError

if TYPE_CHECKING:
    from foveate.assist.answers import Answered
    from foveate.assist.photos import Photo
    from foveate.assist.picture import Picture
    from foveate.assist.private import Found

KINDS = ("upright", "larger", "hidden", "private")
_NEED_REGION = frozenset({"larger", "hidden"})


@dataclass(frozen=True)
class Wanted:
    """Which pictures are made.

    Attributes:
        folders: By kind, where they go.
        ending: Of their files, with the dot.
        straighten: Whether a tilted panel of text is made straight when it is shown larger.
        contrast: Whether what is shown larger has its contrast enhanced.
    """

    folders: Mapping[str, Path]
    ending: str
    straighten: bool = False
    contrast: bool = False


@dataclass(frozen=True)
class Made:
    """The pictures of one answer.

    Attributes:
        pictures: By kind, the file and what is told of it; None where there is no region to show.
        problems: Why one could not be made.
    """

    pictures: dict[str, tuple[Path, Picture] | None] = field(default_factory=dict)
    problems: list[FoveateError] = field(default_factory=list)

    def with_(self, more: Made) -> Made:
        """Returns these pictures and more."""
        return Made({**self.pictures, **more.pictures}, [*self.problems, *more.problems])


class PictureMaker:
    """Makes and writes the pictures, photo after photo.

    Args:
        wanted: Which.
        photos: The files of all photos that are asked, none of which is ever written over.
        questions: How many are asked about each photo.
    """

    def __init__(self, wanted: Wanted, photos: Iterable[Path], questions: int) -> None:
        from foveate.assist.naming import Names

        self._wanted = wanted
        self._questions = questions
        self._photos = set(_identities(photos)) if wanted.folders else set()
        self._names = Names(self._is_free)
        self._name = ""
        self._found: tuple[Found, ...] | None = None

    def begin(self, photo: Photo, file: Path | None) -> Made:
        """Takes the next photo, and writes it as it was read where that is wanted."""
        self._name = self._names.next(file.name if file else "photo")
        self._found = None
        made = Made()
        if "upright" in self._wanted.folders:
            from foveate.assist import upright

            self._put(made, "upright", self._name, partial(upright, photo))
        return made

    def skip(self, file: Path | None) -> None:
        """Passes over a photo, whose name stays its own: those after it are called the same whoever was asked."""
        self._names.next(file.name if file else "photo")

    def make(self, photo: Photo, answered: Answered, number: int) -> Made:
        """Returns the pictures of an answer, written.

        Raises:
            OutputError: One cannot be written; so the next cannot.
            UnavailableError: The finders of what is private have no weights.
        """
        made = Made()
        name = self._name if self._questions == 1 else f"{self._name}-q{number}"
        for kind in (kind for kind in KINDS if kind in self._wanted.folders and kind != "upright"):
            if kind in _NEED_REGION and answered.prediction.final is None:
                made.pictures[kind] = None
            else:
                self._put(made, kind, name, partial(self._picture, kind, photo, answered))
        return made

    def _picture(self, kind: str, photo: Photo, answered: Answered) -> Picture:
        from foveate import assist

        region, said = answered.prediction.final, answered.prediction.answer or ""
        if kind == "private":
            if self._found is None:
                self._found = assist.find_private(photo.pixels)
            return assist.hide_private(photo, region, found=self._found)
        if region is None:
            raise ValueError(f"a picture of the kind {kind} has a region")
        if kind == "hidden":
            return assist.hide_rest(photo, region, said=said)
        shown = assist.straighten if self._wanted.straighten else assist.larger
        return shown(photo, region, contrast=self._wanted.contrast, said=said)

    def _put(self, made: Made, kind: str, name: str, make: Callable[[], Picture]) -> None:
        from foveate.cli._output import save_bytes

        made.pictures[kind] = None
        path = self._path(kind, name)
        try:
            picture = make()
            content = picture.encode(self._wanted.ending)
        except UnavailableError:
            raise
        except FoveateError as error:  # A panorama is too long for some formats; the answer is there all the same.
            made.problems.append(error)
            return
        save_bytes(content, path)
        made.pictures[kind] = path, picture

    def _path(self, kind: str, name: str) -> Path:
        return self._wanted.folders[kind] / f"{name}-{kind}{self._wanted.ending}"

    def _is_free(self, name: str) -> bool:
        """Returns whether no file of a name is one of the photos, under whatever link or capitals."""
        numbers = range(1, self._questions + 1) if self._questions > 1 else ()
        names = [name, *(f"{name}-q{number}" for number in numbers)]
        paths = [self._path(kind, each) for kind in self._wanted.folders for each in names]
        return self._photos.isdisjoint(_identities(paths))


def _identities(paths: Iterable[Path]) -> Iterator[tuple[int, int]]:
    """Yields what the system knows the files that there are by."""
    for path in paths:
        with suppress(OSError, ValueError):
            known = path.stat()
            yield known.st_dev, known.st_ino


def wanted_of(folders: Mapping[str, Path | None], format_: str, straighten: bool, contrast: bool) -> Wanted:
    """Returns which pictures are made.

    Raises:
        UsageError: There is no such format, or something is to be made of what is not to be shown larger.
    """
    from foveate.assist.fresh import find_format

    kept = {kind: folder for kind, folder in folders.items() if folder is not None}
    for option, holds in (("--straighten", straighten), ("--contrast", contrast)):
        if holds and "larger" not in kept:
            raise UsageError(option, "it changes what is shown larger, and nothing is", "Add --magnify DIR.")
    return Wanted(kept, find_format(format_).endings[0], straighten, contrast)
