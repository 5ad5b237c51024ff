"""Text in photos without a target: of samples that have none, and of photos that no sample names.

Such a photo is read as a whole, as all are (`text_in_evidence`). It tells how often there is text in photos of a kind,
and how often the answer is written somewhere in them, but not whether it is the evidence.

A photo that no sample names belongs to the split when it lies in a folder with photos of the split, is called as they
are but for digits (`VizWiz_val_00000042.jpg`), and no other split of the data set names it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.analysis._regions import answer_of
from foveate.analysis.columns import Analysis
from foveate.analysis.photo_work import Job, Settings, look
from foveate.analysis.text_in_evidence import (
    Rule,
    TextFound,
    as_lines,
    exact,
    read_evidence,
    reading,
    text_of,
    words_of,
)
from foveate.core.queries import Image
from foveate.datasets._open import Dataset
from foveate.datasets._options import HiddenError
from foveate.errors import FoveateError, UsageError, did_you_mean
from foveate.execution.ground import RunProgress
from foveate.formats.photo_names import image_name
from foveate.perception.text_lines import TextLine
from foveate.sources.folders import PHOTO_SUFFIXES
from foveate.sources.images import FileImage
from foveate.sources.places import is_file

# Whose photos are read: those of samples with a target, of all samples, or also those that no sample names.
Of = Literal["targets", "samples", "all"]


@dataclass(frozen=True)
class WholePhoto:
    """What was read of one photo.

    Attributes:
        photo: Its name.
        sample: The sample that asks about it; None where no sample names it.
        answer: The sample's most common answer, None where it has none.
        lines: The lines of the photo.
    """

    photo: str
    sample: str | None
    answer: str | None
    lines: tuple[TextLine, ...]


@dataclass(frozen=True)
class PhotosRead:
    """Photos without a target.

    Attributes:
        seen: One a sample, or one a photo without a sample, of those that could be read.
        photos: How many photos are there.
        unread: Why one of these could not be read, by its name.
        absent: How many others are not there.
    """

    seen: Sequence[WholePhoto] = ()
    photos: int = 0
    unread: Mapping[str, str] = field(default_factory=dict)
    absent: int = 0


@dataclass(frozen=True)
class Text:
    """All text of a data set's photos, by what is known of them; the counts of each are its own.

    Attributes:
        evidence: Of samples with a target.
        untargeted: Of samples without one.
        unnamed: Of photos that no sample names.
    """

    evidence: TextFound
    untargeted: PhotosRead = field(default_factory=PhotosRead)
    unnamed: PhotosRead = field(default_factory=PhotosRead)


@dataclass(frozen=True, eq=False)
class PhotoVerdicts:
    """What follows for each of `PhotosRead.seen`, ``bool (M,)`` each.

    Attributes:
        photos: The name of each photo.
        has_text: Whether it has text.
        answered: Whether there is an answer to look for.
        in_photo: Whether that is found.
    """

    photos: Sequence[str]
    has_text: NDArray[np.bool_]
    answered: NDArray[np.bool_]
    in_photo: NDArray[np.bool_]


def of_named(name: str) -> Of:
    """Returns whose photos are meant.

    Raises:
        UsageError: There is no such kind.
    """
    if name not in get_args(Of):
        raise UsageError(f"--text-of {name}", "there are no photos of this kind", did_you_mean(name, get_args(Of)))
    return cast(Of, name)


def read_text_of(
    data: Dataset,
    analysis: Analysis,
    images: Mapping[str, Image | None],
    settings: Settings,
    *,
    of: Of = "all",
    crops: bool = False,
    progress: RunProgress | None = None,
) -> Text:
    """Returns the text of a data set's photos.

    Args:
        data: The data set.
        analysis: Of the same.
        images: Its photos by name.
        settings: How photos are read, and where that is kept.
        of: Whose photos are read.
        crops: Also read the box around each region by itself.
        progress: Is told how far it is.

    Raises:
        FoveateError: What was read cannot be kept, or the reader does not work.
    """
    evidence = read_evidence(data, analysis, images, settings, crops=crops, progress=progress)
    untargeted = [] if of == "targets" else _without_target(data)
    unnamed = photos_beside(data, images) if of == "all" else []
    return Text(
        evidence,
        _read(untargeted, images, settings, "reading text of samples without a target", progress),
        _read(
            [(photo.name, None, None) for photo in unnamed],
            {photo.name: photo for photo in unnamed},
            settings,
            "reading text of photos that no sample names",
            progress,
        ),
    )


def photos_beside(data: Dataset, images: Mapping[str, Image | None]) -> list[FileImage]:
    """Returns the photos of a split that no sample names, in the order of their paths.

    Args:
        data: The data set.
        images: Its photos by name.
    """
    ours = {image.path for image in images.values() if isinstance(image, FileImage)}
    shapes = {_shape(path.name) for path in ours}
    named = {image_name(name) for name in images} | {path.name for path in ours}
    found = {
        path.name: path
        for folder in sorted({path.parent for path in ours})
        for path in _photos_in(folder)
        if _shape(path.name) in shapes and path.name not in named
    }
    if found:
        for name in _named_elsewhere(data, shapes):
            found.pop(name, None)
    return [FileImage(path) for path in sorted(found.values())]


def photo_verdicts(read: PhotosRead, rule: Rule = exact) -> PhotoVerdicts:
    """Returns what follows from the text of each photo.

    Args:
        read: The photos.
        rule: How an answer is looked for: `exact`, `fuzzy`, or one's own.
    """
    texts = [text_of(one.lines) for one in read.seen]
    answers = [one.answer if one.answer and words_of(one.answer) else None for one in read.seen]
    found = [answer is not None and rule(answer, text) for answer, text in zip(answers, texts, strict=True)]
    return PhotoVerdicts(
        photos=[one.photo for one in read.seen],
        has_text=np.array([bool(text) for text in texts], dtype=bool),
        answered=np.array([answer is not None for answer in answers], dtype=bool),
        in_photo=np.array(found, dtype=bool),
    )


def _without_target(data: Dataset) -> list[tuple[str, str | None, str | None]]:
    """Returns photo, sample and answer of the samples without a target; where targets are hidden, of all."""
    found: list[tuple[str, str | None, str | None]] = []
    try:
        for query, truth in data.pairs(with_images=False):
            if not truth.targets:
                found.append((query.image_name, query.id, answer_of(truth)))
    except HiddenError:
        # Some data sets see it when all is read; answers may be there all the same.
        answers = {sample: answer for _, sample, answer in found}
        found = [(one.image_name, one.id, answers.get(one.id)) for one in data.queries(with_images=False)]
    return found


def _read(
    wanted: Sequence[tuple[str, str | None, str | None]],
    images: Mapping[str, Image | None],
    settings: Settings,
    what: str,
    progress: RunProgress | None,
) -> PhotosRead:
    if not wanted:
        return PhotosRead()
    names = dict.fromkeys(photo for photo, _, _ in wanted)
    jobs = {name: Job(image) for name in names if (image := images.get(name)) is not None}
    looked = look(jobs, reading(), settings, what, progress)
    lines = {name: as_lines(kept, jobs[name].image.size_hw) for name, kept in looked.made.items()}
    seen = [WholePhoto(photo, sample, answer, lines[photo]) for photo, sample, answer in wanted if photo in lines]
    return PhotosRead(seen, len(jobs), looked.unread, len(names) - len(jobs))


def _shape(name: str) -> str:
    return re.sub(r"\d+", "#", name.lower())


def _photos_in(folder: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            # Asked of the path: an entry raises where its links go in a circle, which would end the folder.
            if Path(entry.name).suffix.lower() in PHOTO_SUFFIXES and is_file(Path(entry.path)):
                yield Path(entry.path)


def _named_elsewhere(data: Dataset, shapes: set[str]) -> Iterator[str]:
    """Yields the photos that samples name: of other splits, and of this one where not all its samples are taken."""
    for split in data.card.splits:
        whole = replace(data, split=split, skip_invalid=True, only_one_region=False, skipped=[], remarks=[])
        # A split whose files are not here, or cannot be read at all, names no photo.
        with suppress(FoveateError):
            for query in whole.queries(with_images=False):
                name = image_name(query.image_name)
                if _shape(name) not in shapes:
                    break  # All photos of a split are called alike, so that nothing of this one can be meant.
                yield name
