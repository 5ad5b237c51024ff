"""Text in the evidence: is there any in the target, and is the answer written there?

Each photo is read once, as a whole (`perception.read_text`). A line belongs to a region when at least half of its
pixels (those of the polygon of its four corners) lie in it. With `crops`, the box around the region is also read by
itself, as the paper may have done, which does not say.

An answer is found when its words stand in the text in their order, one after another (`exact`); with `fuzzy`, a word of
at least five letters may differ in one letter, added, lost or changed. Words are compared in lower case, without
accents and punctuation. The text of a region is that of its lines in the order in which they are read. What a reader
takes for one word (`nighttime`) is one: a space that is missed hides an answer.

References:
    Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People. CVPR 2022, section
    3.2: 52 % of 9,998 regions contain text, and the answer is found in 7 % of those.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.analysis._regions import size_of, target_regions
from foveate.analysis.columns import Analysis
from foveate.analysis.photo_work import Job, Looked, Settings, Work, look, photos_of, pixels_of
from foveate.core.boxes import SizeHW
from foveate.core.polygons import rasterise
from foveate.core.queries import Image
from foveate.core.rle import Rle, area, merge, tight_box
from foveate.datasets._open import Dataset
from foveate.execution.ground import RunProgress
from foveate.perception.text_lines import TextLine, text_line

# The share of a line's pixels inside the region from which on it belongs to it.
INSIDE = 0.5
_LONG_WORD = 5
# To be raised with whatever changes what is read, beside the library of the reader.
_READING = 1
_APOSTROPHES = re.compile("['’ʼ`´]")

Rule = Callable[[str, str], bool]


@dataclass(frozen=True)
class Evidence:
    """What was read for one sample whose photo could be read.

    Attributes:
        row: Of the columns.
        inside: The lines in the region.
        everywhere: The lines of the photo.
        crop: The lines that are read in the box around the region by itself; None where that was not asked for.
    """

    row: int
    inside: tuple[TextLine, ...]
    everywhere: tuple[TextLine, ...]
    crop: tuple[TextLine, ...] | None = None


@dataclass(frozen=True)
class TextFound:
    """The text of a data set.

    Attributes:
        evidence: One a sample whose photo could be read, by row.
        photos: How many photos are there.
        unread: Why one of these could not be read, by its name.
        absent: How many others are not there.
        reader: What read them.
    """

    evidence: Sequence[Evidence]
    photos: int
    unread: Mapping[str, str]
    absent: int
    reader: str


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What follows for each sample of `TextFound`, ``bool (M,)`` each; only those with an answer can have it found.

    Attributes:
        rows: ``int64 (M,)``, of the columns.
        has_text: Whether the region has text.
        photo_has_text: Whether the photo has.
        answered: Whether there is an answer to look for.
        in_region: Whether it is found in the region's text.
        in_photo: Whether it is found in the photo's.
    """

    rows: NDArray[np.int64]
    has_text: NDArray[np.bool_]
    photo_has_text: NDArray[np.bool_]
    answered: NDArray[np.bool_]
    in_region: NDArray[np.bool_]
    in_photo: NDArray[np.bool_]


def reader_version() -> str:
    """Returns what reads, with its version; another one reads all photos again."""
    return f"PP-OCR of rapidocr {version('rapidocr')}, reading {_READING}"


def reading() -> Work:
    """Returns the work of reading a photo."""
    return Work("text", reader_version(), _lines_of, _are_lines)


def read_evidence(
    data: Dataset,
    analysis: Analysis,
    images: Mapping[str, Image | None],
    settings: Settings,
    *,
    crops: bool = False,
    progress: RunProgress | None = None,
) -> TextFound:
    """Returns the text in and around the targets of a data set.

    Args:
        data: The data set.
        analysis: Of the same.
        images: Its photos by name.
        settings: How photos are read, and where that is kept.
        crops: Also read the box around each region by itself.
        progress: Is told how far it is.

    Raises:
        FoveateError: What was read cannot be kept, or the reader does not work.
    """
    columns, work = analysis.columns, reading()
    jobs, unusable = photos_of(columns, images)
    whole = look(jobs, work, settings, "reading text", progress)
    regions = {row: region for row, region in target_regions(data, columns) if columns.photos[row] in whole.made}
    cut = {str(row): Job(jobs[columns.photos[row]].image, _around(region)) for row, region in regions.items()}
    apart = look(cut, work, settings, "reading text in regions", progress) if crops else Looked()
    evidence = []
    for row, region in sorted(regions.items()):
        lines = as_lines(whole.made[columns.photos[row]], size_of(columns, row))
        own = apart.made.get(str(row))
        crop = None if own is None else as_lines(own, size_of(columns, row))
        evidence.append(Evidence(row, tuple(line for line in lines if inside(line, region)), lines, crop))
    unread = unusable | whole.unread
    there = len(jobs) + len(unusable)
    return TextFound(evidence, there, unread, len(set(columns.photos)) - there, reader_version())


def inside(line: TextLine, region: Rle, least: float = INSIDE) -> bool:
    """Returns whether at least a share of a line's pixels lies in a region."""
    pixels = rasterise([np.asarray(line.quad)], region.size_hw)
    if not area(pixels):
        # A line thinner than a pixel, or one outside the photo but for its edge.
        left, top, right, bottom = line.xyxy
        grown = np.array([[math.floor(left), math.floor(top)], [math.ceil(right), math.ceil(bottom)]])
        (x0, y0), (x1, y1) = grown.tolist()
        pixels = rasterise([np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64)], region.size_hw)
    return area(merge([pixels, region], intersect=True)) >= least * area(pixels)


def text_of(lines: Sequence[TextLine]) -> str:
    """Returns the text of lines, in the order in which they were read."""
    return " ".join(line.text for line in lines)


def as_lines(kept: Sequence[Any], size_hw: SizeHW) -> tuple[TextLine, ...]:
    """Returns the lines of a photo of `size_hw` from what `reading` made of it; those with an area on it."""
    made = (text_line(text, score, np.asarray(quad, dtype=np.float64), size_hw) for text, score, quad in kept)
    return tuple(line for line in made if line)


def words_of(text: str) -> list[str]:
    """Returns the words of a text as they are compared: lower case, without accents and punctuation.

    Example:
        >>> words_of("Café-Crème: don’t SHAKE!")
        ['cafe', 'creme', 'dont', 'shake']
    """
    plain = text
    # Twice, because a letter may show its case or an apostrophe only when it is plain (𝘼, ŉ).
    for _ in range(2):
        plain = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", plain)).casefold()
    kept = (letter for letter in plain if not unicodedata.combining(letter))
    return "".join(letter if letter.isalnum() else " " for letter in kept).split()


def exact(answer: str, text: str) -> bool:
    """Returns whether the words of an answer stand in a text, in their order, one after another.

    Example:
        >>> exact("Dr Pepper", "DR. PEPPER, cherry"), exact("dr pepper", "pepper by dr no"), exact("pep", "pepper")
        (True, False, False)
    """
    return _stands(words_of(answer), words_of(text), lambda first, second: first == second)


def fuzzy(answer: str, text: str) -> bool:
    """Returns the same, where a word of at least five letters may differ in one letter.

    Example:
        >>> fuzzy("green beans", "cut GREEM BEANS"), fuzzy("peas", "pens")
        (True, False)
    """
    return _stands(words_of(answer), words_of(text), _alike)


RULES: Mapping[str, Rule] = {"exact": exact, "fuzzy": fuzzy}


def verdicts(found: TextFound, analysis: Analysis, rule: Rule = exact, *, crops: bool = False) -> Verdicts:
    """Returns what follows from the text of each sample.

    Args:
        found: The text.
        analysis: Of the same data set.
        rule: How an answer is looked for: `exact`, `fuzzy`, or one's own.
        crops: Take the text of the region that was read by itself.
    """
    answers = [analysis.columns.answers[each.row] for each in found.evidence]
    regions = [text_of(each.inside if not crops else each.crop or ()) for each in found.evidence]
    photos = [text_of(each.everywhere) for each in found.evidence]
    answered = [bool(answer and words_of(answer)) for answer in answers]
    looked_for = [answer if known and answer else None for answer, known in zip(answers, answered, strict=True)]
    return Verdicts(
        rows=np.array([each.row for each in found.evidence], dtype=np.int64),
        has_text=np.array([bool(text) for text in regions], dtype=bool),
        photo_has_text=np.array([bool(text) for text in photos], dtype=bool),
        answered=np.array(answered, dtype=bool),
        in_region=np.array(
            [a is not None and rule(a, t) for a, t in zip(looked_for, regions, strict=True)], dtype=bool
        ),
        in_photo=np.array([a is not None and rule(a, t) for a, t in zip(looked_for, photos, strict=True)], dtype=bool),
    )


def _stands(answer: Sequence[str], text: Sequence[str], same: Callable[[str, str], bool]) -> bool:
    if not answer:
        return False
    starts = range(len(text) - len(answer) + 1)
    return any(all(same(a, b) for a, b in zip(answer, text[start:], strict=False)) for start in starts)


def _alike(first: str, second: str) -> bool:
    """Returns whether two words are equal, or long and one letter apart."""
    if first == second:
        return True
    short, long_ = sorted((first, second), key=len)
    if len(short) < _LONG_WORD or len(long_) - len(short) > 1:
        return False
    at = next((k for k, (a, b) in enumerate(zip(short, long_, strict=False)) if a != b), len(short))
    return short[at + (len(short) == len(long_)) :] == long_[at + 1 :]


def _lines_of(job: Job) -> list[Any]:
    """Returns the lines of a photo, as JSON holds them: text, score, corners in the photo's own pixels."""
    from foveate.perception.read_text import read_text

    left, top = (0, 0) if job.crop is None else job.crop[:2]
    lines = read_text(np.ascontiguousarray(pixels_of(job)))
    return [[line.text, line.score, [[x + left, y + top] for x, y in line.quad]] for line in lines]


def _are_lines(made: Any) -> bool:
    """Returns whether something is what `_lines_of` gives."""
    return isinstance(made, list) and all(
        isinstance(line, list)
        and len(line) == 3
        and isinstance(line[0], str)
        and isinstance(line[1], int | float)
        and np.asarray(line[2], dtype=np.float64).shape == (4, 2)
        for line in made
    )


def _around(region: Rle) -> tuple[int, int, int, int] | None:
    box = tight_box(region)
    if box is None:
        return None
    x0, y0, x1, y1 = (int(side) for side in box)
    return x0, y0, x1, y1
