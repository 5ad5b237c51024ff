"""What `foveate ask` is asked: which photos, and which questions about each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from foveate.errors import InputError, UsageError

if TYPE_CHECKING:
    from foveate.assist.photos import Photo

STDIN = "-"


@dataclass(frozen=True)
class Source:
    """Where a photo comes from.

    Attributes:
        path: The file; None for the standard input.
    """

    path: Path | None

    @property
    def said(self) -> str:
        """What it is called in results: the path as it was given, or "-"."""
        return STDIN if self.path is None else str(self.path)

    def read(self) -> Photo:
        """Returns the photo.

        Raises:
            InputError: It cannot be read.
        """
        from foveate.assist.photos import read_photo

        if self.path is not None:
            return read_photo(self.path)
        if sys.stdin is None:
            raise InputError("the standard input", "it is closed", "Send the bytes of a photo, or name its file.")
        return read_photo(sys.stdin.buffer, "the standard input")


@dataclass(frozen=True)
class Asking:
    """Photos, and what is asked about each of them.

    Attributes:
        photos: Each once, in the order in which they were named; those of a folder in the order of its names.
        questions: In the order in which they were asked.
        is_one: Whether it is one question about one photo, by name: what fails then is the command's own error.
    """

    photos: tuple[Source, ...]
    questions: tuple[str, ...]
    is_one: bool


def asking_of(words: Sequence[str], questions: Sequence[str]) -> Asking:
    """Returns what is asked: the words are photos where there are questions, else a photo and its question.

    Raises:
        UsageError: No question, an empty one, or one that is the name of a photo.
        InputError: A folder has no photo in it, or cannot be looked into.
    """
    from foveate.assist.asking import check_question

    if not questions:
        _refuse_photos(words[1:])
        words, questions = words[:1], [" ".join(words[1:])]
    for question in questions:
        check_question(question)
    photos = {source.said: source for word in words for source in _sources(word)}
    is_one = len(words) == len(questions) == 1 and [*photos] == [str(Path(words[0]))]
    return Asking(tuple(photos.values()), tuple(questions), is_one)


def _refuse_photos(words: Sequence[str]) -> None:
    from foveate.sources.folders import PHOTO_SUFFIXES
    from foveate.sources.places import exists

    if not words:
        raise UsageError("the question", "there is none", 'Ask something, such as "What is this?", or put it after -q.')
    for word in words:
        if Path(word).suffix.lower() in PHOTO_SUFFIXES and exists(Path(word)):
            raise UsageError(word, "it is a photo and stands where the question stands", "Put the question after -q.")


def _sources(word: str) -> list[Source]:
    from foveate.sources.folders import PHOTO_SUFFIXES, files_below
    from foveate.sources.places import is_folder

    if word == STDIN:
        return [Source(None)]
    path = Path(word)
    if not is_folder(path):
        return [Source(path)]
    found = [each for each in files_below(path) if each.suffix.lower() in PHOTO_SUFFIXES]
    if not found:
        raise InputError(
            word, "there is no photo in this folder", f"Photos end in {', '.join(sorted(PHOTO_SUFFIXES))}."
        )
    return [Source(each) for each in found]
