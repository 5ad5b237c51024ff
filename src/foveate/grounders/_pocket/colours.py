"""Colours: the names of those of a thing, or which of the colours that the question offers it has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foveate.core.regions import Region
from foveate.grounders._pocket.colour_words import LARGE, Shares, colours_in, may_be, share_of
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.listing import listed
from foveate.grounders._pocket.meant import meant, pixels_of
from foveate.grounders._pocket.seen import Seen
from foveate.perception.name_colour import name_colour
from foveate.perception.questions import Asked

# Where "what colours" asks for more than one.
_PLURAL, _PLURAL_LEAST, _MOST_COLOURS = re.compile(r"\b(colou?rs|patterns?)\b", re.IGNORECASE), 0.15, 3
_LEAST_CHOICE = 0.15
GREY_PHOTO = "This photo has no colours; this is where one would look."
_COMPARES = re.compile(r"\b(same|match|matching|different)\b", re.IGNORECASE)
_DOES_NOT_COMPARE = "pocket does not compare the colours of things; this is where one would look."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns the colour of the thing that a question is about, or of "this", with its place."""
    regions, reason = meant(seen, asked)
    if not regions:
        return Finding(reason=reason)
    if _COMPARES.search(asked.text):
        return Finding(None, regions, _DOES_NOT_COMPARE)
    shares = colours_of(seen, regions[0])
    if not shares:
        return Finding(None, regions, GREY_PHOTO)
    offered = [choice for choice in asked.choices if colours_in(choice)]
    answer = _chosen(offered, shares) if offered else _said(shares, several=bool(_PLURAL.search(asked.text)))
    return Finding(answer, regions, _note(regions, reason))


def colours_of(seen: Seen, region: Region) -> Shares:
    """Returns the colours of the thing in a region with their shares, the largest first; none in a grey photo."""
    if seen.quality.grey:
        return ()
    return name_colour(seen.pixels, pixels_of(seen, region))


def _said(shares: Shares, *, several: bool) -> str:
    least = _PLURAL_LEAST if several else LARGE
    names = [name for rank, (name, share) in enumerate(shares) if rank == 0 or share >= least][:_MOST_COLOURS]
    return listed(names)


def _chosen(offered: Sequence[str], shares: Shares) -> str:
    """Returns the offered answer whose colours cover most of the thing, or are its own in other light; or neither."""
    covered = [sum(share_of(word, shares) for word in set(colours_in(choice))) for choice in offered]
    best = max(range(len(offered)), key=covered.__getitem__)
    if covered[best] >= _LEAST_CHOICE:
        return offered[best]
    near = [choice for choice in offered if any(may_be(word, shares) for word in colours_in(choice))]
    return near[0] if len(near) == 1 else f"neither, {_said(shares, several=False)}"


def _note(regions: tuple[Region, ...], reason: str) -> str | None:
    """Returns what the person should know: a thing that only stands out (it has no label) may be another one."""
    return reason if regions[0].label is None else None
