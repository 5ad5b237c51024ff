"""A place of the photo in words: side, size, the edges it meets, its parts; plain, in per cent or by the clock."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, get_args

from foveate.assist.place import Place, Side
from foveate.assist.texts import gettext, ngettext, p_marked, pgettext, sentence
from foveate.perception.photo_quality import Side as Edge

Style = Literal["plain", "metric", "clock"]
STYLES: tuple[Style, ...] = get_args(Style)

# The text of a place is begun with its side; the catalogue has them in small letters.
SIDE_WORDS: Mapping[Side, tuple[str, str]] = {
    "upper left": p_marked("place", "upper left of the photo"),
    "upper middle": p_marked("place", "upper middle of the photo"),
    "upper right": p_marked("place", "upper right of the photo"),
    "left": p_marked("place", "left side of the photo, halfway up"),
    "middle": p_marked("place", "middle of the photo"),
    "right": p_marked("place", "right side of the photo, halfway up"),
    "lower left": p_marked("place", "lower left of the photo"),
    "lower middle": p_marked("place", "lower middle of the photo"),
    "lower right": p_marked("place", "lower right of the photo"),
    "upper band": p_marked("place", "upper part of the photo, from side to side"),
    "middle band": p_marked("place", "middle of the photo, from side to side"),
    "lower band": p_marked("place", "lower part of the photo, from side to side"),
    "left band": p_marked("place", "left part of the photo, from top to bottom"),
    "upright band": p_marked("place", "middle of the photo, from top to bottom"),
    "right band": p_marked("place", "right part of the photo, from top to bottom"),
    "edge to edge": p_marked("place", "from edge to edge of the photo"),
    "whole": p_marked("place", "almost the whole photo"),
}
_SHORT: Mapping[Side, tuple[str, str]] = {
    "upper left": p_marked("place of a part", "upper left"),
    "upper middle": p_marked("place of a part", "upper middle"),
    "upper right": p_marked("place of a part", "upper right"),
    "left": p_marked("place of a part", "left"),
    "middle": p_marked("place of a part", "middle"),
    "right": p_marked("place of a part", "right"),
    "lower left": p_marked("place of a part", "lower left"),
    "lower middle": p_marked("place of a part", "lower middle"),
    "lower right": p_marked("place of a part", "lower right"),
}
_EDGES: Mapping[Edge, tuple[str, str]] = {
    "left": p_marked("edge", "the left edge"),
    "top": p_marked("edge", "the top edge"),
    "right": p_marked("edge", "the right edge"),
    "bottom": p_marked("edge", "the bottom edge"),
}
# From which share of the photo on; the borders lie between the sizes by ratio, above a half by difference.
SIZE_WORDS: tuple[tuple[float, tuple[str, str]], ...] = (
    (0.0, p_marked("size", "a speck")),
    (0.003, p_marked("size", "less than a hundredth of it")),
    (0.007, p_marked("size", "about a hundredth of it")),
    (0.014, p_marked("size", "about a fiftieth of it")),
    (0.032, p_marked("size", "about a twentieth of it")),
    (0.07, p_marked("size", "about a tenth of it")),
    (0.14, p_marked("size", "about a fifth of it")),
    (0.22, p_marked("size", "about a quarter of it")),
    (0.29, p_marked("size", "about a third of it")),
    (0.41, p_marked("size", "about half of it")),
    (0.58, p_marked("size", "about two thirds of it")),
    (0.71, p_marked("size", "about three quarters of it")),
    (0.82, p_marked("size", "most of it")),
)
_HOURS = (
    p_marked("clock", "1 o'clock"),
    p_marked("clock", "2 o'clock"),
    p_marked("clock", "3 o'clock"),
    p_marked("clock", "4 o'clock"),
    p_marked("clock", "5 o'clock"),
    p_marked("clock", "6 o'clock"),
    p_marked("clock", "7 o'clock"),
    p_marked("clock", "8 o'clock"),
    p_marked("clock", "9 o'clock"),
    p_marked("clock", "10 o'clock"),
    p_marked("clock", "11 o'clock"),
    p_marked("clock", "12 o'clock"),
)
# The words for these sides say already that it reaches from one edge to the other.
_SPANNED: Mapping[Side, tuple[Edge, ...]] = {
    "upper band": ("left", "right"),
    "middle band": ("left", "right"),
    "lower band": ("left", "right"),
    "left band": ("top", "bottom"),
    "upright band": ("top", "bottom"),
    "right band": ("top", "bottom"),
    "edge to edge": ("left", "top", "right", "bottom"),
}
_IN_THE_MIDDLE, _A_LITTLE_OUT, _HALFWAY = Fraction(15, 100), Fraction(4, 10), Fraction(75, 100)


def told(place: Place, style: Style = "plain", *, counted: bool = False) -> str:
    """Returns a place in words, in the language that is spoken.

    Args:
        place: Where it is.
        style: How that is told.
        counted: Whether the answer is how many there are, so that the parts are not counted as well: two people who
            stand together are one part.

    Example:
        >>> from foveate.assist.place import place_of
        >>> from foveate.core.regions import Box
        >>> told(place_of(Box((30, 60, 70, 90)), (100, 100)))
        'Lower middle of the photo, about a tenth of it.'
    """
    if place.side == "whole":
        return sentence(gettext("The whole photo.") if place.share == 1 else pgettext(*SIDE_WORDS["whole"]))
    if style == "plain" and (len(place.cells) > 1 if counted else len(place.parts) > 1):
        main = _in_parts(place, counted)
    else:
        main = {"plain": _plain, "metric": _metric, "clock": _clock}[style](place)
        main += "" if counted else _and_parts(place)
    return " ".join(sentence(each) for each in (main, *_edges(place)))


def size_words(share: Fraction) -> str:
    """Returns how large a share of the photo is, in words."""
    at = bisect_right([least for least, _ in SIZE_WORDS], share) - 1
    return pgettext(*SIZE_WORDS[at][1])


def joined(words: Sequence[str]) -> str:
    """Returns words as a list in the language that is spoken: "left, middle and right"; at least one."""
    *before, last = words
    if not before:
        return last
    several = before[0]
    for word in before[1:]:
        several = pgettext("list", "{first}, {second}").format(first=several, second=word)
    return pgettext("list", "{several} and {last}").format(several=several, last=last)


def edge_words(edge: Edge) -> str:
    """Returns what an edge of the photo is called."""
    return pgettext(*_EDGES[edge])


def _plain(place: Place) -> str:
    side = pgettext(*SIDE_WORDS[place.side])
    return gettext("{side}, {size}.").format(side=side, size=size_words(place.share))


def _in_parts(place: Place, counted: bool) -> str:
    """Returns the place of what has several parts: their sides, since their common middle may lie between them."""
    count, size = len(place.parts), size_words(place.share)
    if len(place.cells) == 1:
        side = pgettext(*SIDE_WORDS[place.side])
        text = ngettext("{side}, {size}, in {count} part.", "{side}, {size}, in {count} parts.", count)
        return text.format(side=side, size=size, count=_number(count))
    sides = joined([pgettext(*_SHORT[cell]) for cell in place.cells])
    if counted:
        return gettext("{sides} of the photo; together {size}.").format(sides=sides, size=size)
    text = ngettext("In {count} part: {sides}; {size}.", "In {count} parts: {sides}; together {size}.", count)
    return text.format(sides=sides, size=size, count=_number(count))


def _metric(place: Place) -> str:
    left, top, right, bottom = place.xyxy
    return gettext(
        "{across} per cent across and {down} per cent down the photo; {width} per cent wide, {height} per cent high."
    ).format(
        across=_per_cent(place.centre[0]),
        down=_per_cent(place.centre[1]),
        width=max(1, _per_cent(right - left)),
        height=max(1, _per_cent(bottom - top)),
    )


def _clock(place: Place) -> str:
    size = size_words(place.share)
    if place.outwards < _IN_THE_MIDDLE:
        return gettext("In the middle of the photo, {size}.").format(size=size)
    if place.outwards < _A_LITTLE_OUT:
        text = gettext("At {hour}, a little out from the middle of the photo, {size}.")
    elif place.outwards < _HALFWAY:
        text = gettext("At {hour}, about halfway to the edge of the photo, {size}.")
    else:
        text = gettext("At {hour}, far out in the photo, {size}.")
    return text.format(hour=pgettext(*_HOURS[place.hour - 1]), size=size)


def _and_parts(place: Place) -> str:
    count = len(place.parts)
    text = ngettext("It is in {count} part.", "It is in {count} parts.", count).format(count=_number(count))
    return "" if count == 1 else f" {text}"


def _edges(place: Place) -> list[str]:
    """Returns what is told of the photo's edges, but for those that the words for the side tell."""
    spanned = _SPANNED.get(place.side, ())
    touched = [edge_words(edge) for edge in place.touched if edge not in spanned]
    near = [edge_words(edge) for edge in place.near if edge not in spanned]
    told = [gettext("Cut off at {edges}.").format(edges=joined(touched))] if touched else []
    return [*told, gettext("Close to {edges}.").format(edges=joined(near))] if near else told


def _number(count: int) -> str:
    """Returns a small count in words, as it is spoken; a large one in digits."""
    small = {
        2: pgettext("number", "two"),
        3: pgettext("number", "three"),
        4: pgettext("number", "four"),
        5: pgettext("number", "five"),
        6: pgettext("number", "six"),
        7: pgettext("number", "seven"),
        8: pgettext("number", "eight"),
        9: pgettext("number", "nine"),
    }
    return small.get(count, str(count))


def _per_cent(share: Fraction) -> int:
    """Returns a share in whole per cent, halves away from 0."""
    return math.floor(share * 100 + Fraction(1, 2))
