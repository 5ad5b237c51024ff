"""What looks private in a photo, found and hidden unless it is the answer: faces, screens, cards and letters.

Nothing here is sure: faces turned away, screens that are dark, cards without a number that can be read, handwriting are
missed. So every picture that is made says so, and what is found is hidden with a margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.assist.hide import GREY, Colour, filled, kept_pixels
from foveate.assist.photos import Photo
from foveate.assist.picture import Picture
from foveate.assist.shapes import margin_of, pixels_of, widened
from foveate.assist.texts import gettext as _
from foveate.assist.texts import marked, ngettext
from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Region, Shape
from foveate.core.rle import MaskArray
from foveate.errors import UsageError
from foveate.perception.private_text import private_text
from foveate.perception.text_blocks import text_blocks
from foveate.perception.text_lines import TextLine

Kind = Literal["face", "screen", "card", "letter"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# From this share of a thing in the answer on, it is the answer; from this share of the answer in a thing on, the answer
# is a part of the thing.
ANSWER_SHARE = 0.5
# Of the detector's, chosen by `benchmarks/private.py`: docs/assist-pictures.md.
LEAST_SCREEN = 0.1
SCREENS = {
    "tvmonitor": marked("a television or monitor"),
    "laptop": marked("a laptop"),
    "cell phone": marked("a phone"),
}
# A face's box ends at brow and chin; hair and ears tell a person, too. Of its sides.
_AROUND_FACE = 0.25
# What is read badly may be private all the same.
_LEAST_READ = 0.5
# How far the lines of one paper lie apart, in heights of a line.
_SAME_PAPER = 2.0
_OF_TEXT: Mapping[str, Kind] = {
    "card_number": "card", "expiry_date": "card", "account_number": "card", "identity_paper": "card",
    "machine_readable_zone": "card", "e_mail": "letter", "phone_number": "letter", "street_address": "letter",
    "letter": "letter",
}  # fmt: skip
# Of these all that is written nearby belongs to the same paper; an address may stand alone on a sign.
_PAPERS = frozenset({"card_number", "expiry_date", "identity_paper", "machine_readable_zone", "letter"})


@dataclass(frozen=True, slots=True)
class Found:
    """Something that looks private.

    Attributes:
        kind: What it is.
        region: Where it is.
        score: How sure its finder is, 0 to 1; comparable within a kind only. None where it does not say.
        said: What was found, in short; of numbers and words the middle hidden.
    """

    kind: Kind
    region: Region
    score: float | None
    said: str


@dataclass(frozen=True, eq=False)
class PrivatePicture(Picture):
    """A picture in which what was found is hidden.

    Attributes:
        hidden: What was hidden.
        left: What was left as it is, since it is the answer.
    """

    hidden: tuple[Found, ...] = ()
    left: tuple[Found, ...] = ()


def hide_private(
    photo: Photo,
    region: Region | Shape | None = None,
    *,
    kinds: Sequence[Kind] = KINDS,
    answer_share: float = ANSWER_SHARE,
    fill: Colour = GREY,
    found: Sequence[Found] | None = None,
) -> PrivatePicture:
    """Returns the photo with what looks private overwritten with one colour, unless it is the answer.

    What lies in the answer's region with at least `answer_share` of its area is the answer, and stays. Where at least
    that share of the answer lies in it (text on a screen), all of it but the answer with its margin is hidden. Else
    all of it is hidden, with a margin, also where it reaches into the answer's region.

    Args:
        photo: The photo.
        region: The answer; None where there is none, and all that is found is hidden.
        kinds: What to look for.
        answer_share: Above 0, to 1.
        fill: The colour of what is hidden, RGB.
        found: What was found in this photo before; it is looked for where this is None.

    Raises:
        UsageError: The region is of another photo, or an option makes no sense.
        UnavailableError: The finders' weights are not here and cannot be fetched.
    """
    if not 0 < answer_share <= 1:
        raise UsageError("the share", f"{answer_share} is none", "Say a number above 0, to 1.")
    if found is None:
        found = find_private(photo.pixels, kinds)
    hidden: list[Found] = []
    left: list[Found] = []
    cover = np.zeros(photo.size_hw, dtype=bool)
    answer = None if region is None else pixels_of(region, photo.size_hw)
    for one in found:
        pixels = pixels_of(one.region, photo.size_hw)
        is_answer, part = (False, False) if answer is None else _shares(pixels, answer, answer_share)
        if is_answer:
            left.append(one)
            continue
        wide = widened(pixels, margin_of(photo.size_hw))
        if region is not None and part:
            wide &= ~kept_pixels(region, photo.size_hw)
        cover |= wide
        hidden.append(one)
    pixels_out = filled(photo.pixels, cover, fill)
    return PrivatePicture(pixels_out, _alt(hidden), _notes(hidden, left), True, tuple(hidden), tuple(left))


def find_private(pixels: NDArray[np.uint8], kinds: Sequence[Kind] = KINDS) -> tuple[Found, ...]:
    """Returns what looks private: faces, then screens, then cards and letters by their text.

    Args:
        pixels: ``uint8 (H, W, 3)``, RGB, upright.
        kinds: What to look for.

    Raises:
        UsageError: There is no such kind.
        UnavailableError: The finders' weights are not here and cannot be fetched.
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise UsageError(str(unknown[0]), "nothing of that kind is looked for", f"Use some of {', '.join(KINDS)}.")
    size_hw = (pixels.shape[0], pixels.shape[1])
    found = _faces(pixels) if "face" in kinds else []
    found += _screens(pixels) if "screen" in kinds else []
    if {"card", "letter"} & set(kinds):
        from foveate.perception.read_text import read_text

        lines = read_text(pixels, least_score=_LEAST_READ)
        found += [one for one in of_lines(lines, size_hw) if one.kind in kinds]
    return tuple(found)


def of_lines(lines: Sequence[TextLine], size_hw: SizeHW) -> list[Found]:
    """Returns the cards and letters that lines of text tell of, each place once, in the order of the lines.

    Args:
        lines: In the order in which they are read.
        size_hw: Of the photo.
    """
    kept: dict[tuple[Kind, tuple[float, ...]], Found] = {}
    blocks = {line: block.xyxy for block in text_blocks(lines) for line in block.lines}
    for one in private_text([line.text for line in lines]):
        line = lines[one.line]
        box = _paper(lines, one.line) if one.kind in _PAPERS else blocks[line]
        kind = _OF_TEXT[one.kind]
        if (kind, box) not in kept:
            kept[kind, box] = Found(kind, Region(Box(_within(box, size_hw)), line.score), line.score, one.said)
    return list(kept.values())


def _faces(pixels: NDArray[np.uint8]) -> list[Found]:
    from foveate.perception.faces import find_faces

    size_hw = (pixels.shape[0], pixels.shape[1])
    found = []
    for face in find_faces(pixels):
        x0, y0, x1, y1 = face.xyxy
        dx, dy = _AROUND_FACE * (x1 - x0), _AROUND_FACE * (y1 - y0)
        box = Box(_within((x0 - dx, y0 - dy, x1 + dx, y1 + dy), size_hw))
        found.append(Found("face", Region(box, face.score), face.score, _("a face")))
    return found


def _screens(pixels: NDArray[np.uint8]) -> list[Found]:
    from foveate.perception.propose import kinds, propose

    seen, names = propose(pixels), kinds()
    return [
        Found("screen", Region(Box(tuple(box)), float(score)), float(score), _(SCREENS[names[kind]]))
        for box, kind, score in zip(seen.xyxy.tolist(), seen.kind.tolist(), seen.score.tolist(), strict=True)
        if names[kind] in SCREENS and score >= LEAST_SCREEN
    ]


def _paper(lines: Sequence[TextLine], start: int) -> tuple[float, float, float, float]:
    """Returns the box around a line and all those that lie near it, near those, and so on."""
    boxes = np.array([line.xyxy for line in lines])
    heights = np.array([line.height for line in lines])
    reached = np.zeros(len(lines), dtype=bool)
    waiting = [start]
    while waiting:
        at = waiting.pop()
        reached[at] = True
        near = _SAME_PAPER * np.minimum(heights, heights[at])
        gaps = np.maximum(boxes[:, :2] - boxes[at, 2:], boxes[at, :2] - boxes[:, 2:]).max(axis=1)
        waiting += [int(row) for row in np.flatnonzero((gaps <= near) & ~reached) if row not in waiting]
    x0, y0 = boxes[reached, :2].min(axis=0).tolist()
    x1, y1 = boxes[reached, 2:].max(axis=0).tolist()
    return x0, y0, x1, y1


def _within(box: Iterable[float], size_hw: SizeHW) -> tuple[float, float, float, float]:
    height, width = size_hw
    x0, y0, x1, y1 = box
    return max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1)


def _shares(thing: MaskArray, answer: MaskArray, least: float) -> tuple[bool, bool]:
    """Returns whether a thing is the answer, and whether the answer is a part of it."""
    shared = int((thing & answer).sum())
    return shared >= least * int(thing.sum()), shared >= least * int(answer.sum())


def _alt(hidden: Sequence[Found]) -> str:
    if hidden:
        return _("The photo with what looks private hidden.")
    return _("The photo as it was taken; nothing in it is hidden.")


def _notes(hidden: Sequence[Found], left: Sequence[Found]) -> tuple[str, ...]:
    notes = [_HIDDEN[kind](n) for kind, n in _counted(hidden)]
    notes += [_LEFT[kind](n) for kind, n in _counted(left)]
    if not notes:
        notes = [_("Nothing was found that looks private.")]
    return (*notes, _("This is automatic and misses things: have the picture looked at before you share it."))


def _counted(found: Iterable[Found]) -> list[tuple[Kind, int]]:
    counts = Counter(one.kind for one in found)
    return [(kind, counts[kind]) for kind in KINDS if counts[kind]]


_Said = Callable[[int], str]
_HIDDEN: Mapping[Kind, _Said] = {
    "face": lambda n: ngettext("{n} face is hidden.", "{n} faces are hidden.", n).format(n=n),
    "screen": lambda n: ngettext("{n} screen is hidden.", "{n} screens are hidden.", n).format(n=n),
    "card": lambda n: ngettext("{n} card is hidden.", "{n} cards are hidden.", n).format(n=n),
    "letter": lambda n: ngettext("{n} letter or address is hidden.", "{n} letters or addresses are hidden.", n).format(
        n=n
    ),
}
_LEFT: Mapping[Kind, _Said] = {
    "face": lambda n: ngettext(
        "{n} face is left, since it is the answer.", "{n} faces are left, since they are the answer.", n
    ).format(n=n),
    "screen": lambda n: ngettext(
        "{n} screen is left, since it is the answer.", "{n} screens are left, since they are the answer.", n
    ).format(n=n),
    "card": lambda n: ngettext(
        "{n} card is left, since it is the answer.", "{n} cards are left, since they are the answer.", n
    ).format(n=n),
    "letter": lambda n: ngettext(
        "{n} letter or address is left, since it is the answer.",
        "{n} letters or addresses are left, since they are the answer.",
        n,
    ).format(n=n),
}
