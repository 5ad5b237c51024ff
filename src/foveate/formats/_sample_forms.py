"""What the forms of whole samples share: a sample, what a reader may be told, and what each form holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.errors import InputError
from foveate.formats._places import all_files
from foveate.formats.tables import OnInvalid, refuse

FIX = "Fix it, or pass --skip-invalid."


@dataclass(frozen=True, slots=True)
class EmbeddedPhoto:
    """A photo whose bytes lie in the file of the samples.

    Attributes:
        name: Its file name, as the row has it.
        where: What messages call it.
        read: Returns its bytes, each time it is asked.
    """

    name: str
    where: str
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Sample:
    """A query with its truth, as files hold them together.

    Attributes:
        query: Without the photo, which the file only names.
        truth: Of the same id and, where both know it, the same size.
        photo: The photo where its bytes are in the file itself.
    """

    query: Query
    truth: Truth
    photo: EmbeddedPhoto | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader of samples is told.

    Attributes:
        settings: Further options by name, as they are written (`split`, `question`, `classes` …).
        on_invalid: Called with the error of each row or shape that cannot be taken; raising stops the reading.
        on_remark: Called with what must be known of the file, beside errors.
        most_pixels: A mask of more pixels by its header is not decoded.
        files: Yields the ordinary files below a folder.
        size_of: Tells the size of a photo by its name from the photo itself, where it is there.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    on_invalid: OnInvalid = refuse
    on_remark: Callable[[str], None] = lambda _: None
    size_of: Callable[[str], SizeHW | None] = lambda _: None
    files: Callable[[Path], Iterable[Path]] = all_files
    most_pixels: float = math.inf


@dataclass(frozen=True, slots=True)
class Form:
    """One form of samples in files.

    Attributes:
        name: As `--to` takes it.
        title: In prose.
        read: Yields the samples of a file or folder.
        write: Writes samples to a path where nothing is, and returns how many it wrote.
        lost: What the form cannot hold (the names of `_losses.FEATURES`), with what becomes of it.
        suffixes: Of its files; empty where it is a folder.
        photos: Where photos lie in the folder that is written, for forms that are a folder.
    """

    name: str
    title: str
    read: Callable[[Path, Reading], Iterator[Sample]]
    write: Callable[[Iterable[Sample], Path], int]
    lost: Mapping[str, str] = field(default_factory=dict)
    suffixes: tuple[str, ...] = ()
    photos: str = ""

    @property
    def is_folder(self) -> bool:
        """Whether it is written as a folder."""
        return not self.suffixes


def put_together(query: Query, truth: Truth, where: str) -> Sample:
    """Returns the sample of a query and its truth, without the photo; what one side knows of the size, both know.

    Raises:
        InputError: They state two sizes, or a target lies outside the size that the query states.
    """
    if query.size_hw and truth.size_hw and query.size_hw != truth.size_hw:
        raise InputError(
            f"{where}, {query.id}",
            f"the question says {query.size_hw[1]} x {query.size_hw[0]}, its truth "
            f"{truth.size_hw[1]} x {truth.size_hw[0]}",
            FIX,
        )
    size_hw = query.size_hw or truth.size_hw
    try:
        return Sample(
            Query(query.id, query.image_name, None, query.question, size_hw, query.given_answer),
            truth if truth.size_hw == size_hw else _resized(truth, size_hw),
        )
    except ValueError as error:
        raise InputError(f"{where}, {query.id}", str(error), FIX) from error


def _resized(truth: Truth, size_hw: SizeHW | None) -> Truth:
    return Truth(
        truth.id, truth.answers, truth.targets, truth.match, truth.answerable, size_hw, truth.polled, truth.facts
    )
