"""Colours: the names of those of a thing, or which of the colours that the question offers it has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foveate.core.explanations import Evidence
from foveate.core.regions import Region
from foveate.grounders._pocket.choices import offered
from foveate.grounders._pocket.colour_words import LARGE, Shares, colours_in, may_be, share_of
from foveate.grounders._pocket.finding import Finding, as_evidence
from foveate.grounders._pocket.instances import surely_there
from foveate.grounders._pocket.listing import listed
from foveate.grounders._pocket.meant import as_said, meant, measure_of, pixels_of, thing_words
from foveate.grounders._pocket.named import named
from foveate.grounders._pocket.reasons import not_sure
from foveate.grounders._pocket.seen import Seen
from foveate.perception.name_colour import name_colour
from foveate.perception.questions import Asked

# Where "what colours" asks for more than one.
_PLURAL, _PLURAL_LEAST, _MOST_COLOURS = re.compile(r"\b(colou?rs|patterns?)\b", re.IGNORECASE), 0.15, 3
_LEAST_CHOICE = 0.15
GREY_PHOTO = "This photo has no colours; this is where one would look."
_COMPARES = re.compile(r"\b(same|match|matching|different)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:is|are|was|were|do|does)(?:n['’]?t| not)\b", re.IGNORECASE)
_HAS_NOT = "pocket tells which colours a thing has, not which it has not."
_DOES_NOT_COMPARE = "pocket does not compare the colours of things; this is where one would look."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns the colour of the thing that a question is about, or of "this", with its place."""
    regions, reason = meant(seen, asked)
    if not regions:
        return Finding(reason=reason)
    measure, doubt = measure_of(asked), _doubt(seen, asked)
    shares = () if doubt else colours_of(seen, regions[0])
    if not shares:
        return Finding(None, regions, doubt or GREY_PHOTO, measure=measure)
    choices = [choice for choice in offered(asked) if colours_in(choice)]
    answer = _chosen(choices, shares) if choices else _said(shares, several=bool(_PLURAL.search(asked.text)))
    rests_on = seen_colours(regions[0], shares, measure)
    others = tuple(map(as_evidence, regions[1:]))
    return Finding(answer, regions, _note(regions, reason), None, rests_on, others)


def seen_colours(region: Region, shares: Shares, measure: str | None = None) -> tuple[Evidence, ...]:
    """Returns the colours of the thing in a region as what an answer rests on, at most three, and then the thing.

    The thing's score is not that of the answer, which was never measured.
    """
    told = [Evidence("colour", f"{name}, {share:.0%} of it", None, region) for name, share in shares[:_MOST_COLOURS]]
    return (*told, as_evidence(region, measure))


def _doubt(seen: Seen, asked: Asked) -> str:
    """Returns why the colours of a thing are not told; empty where they are."""
    if _COMPARES.search(asked.text):
        return _DOES_NOT_COMPARE
    return _HAS_NOT if _DENIES.search(asked.text) else hardly_seen(seen, thing_words(asked), asked.text)


def hardly_seen(seen: Seen, words_for: str, said: str) -> str:
    """Returns why nothing is said of a thing that is not surely there; empty where it is, or is none of the kinds."""
    thing = named(words_for)
    there = not thing.kinds or surely_there(seen, thing.kinds)
    return "" if there else not_sure(as_said(thing.head, said))


def colours_of(seen: Seen, region: Region) -> Shares:
    """Returns the colours of the thing in a region with their shares, the largest first; none in a grey photo."""
    if seen.quality.grey:
        return ()
    return name_colour(seen.pixels, pixels_of(seen, region))


def _said(shares: Shares, *, several: bool) -> str:
    least = _PLURAL_LEAST if several else LARGE
    names = [name for rank, (name, share) in enumerate(shares) if rank == 0 or share >= least][:_MOST_COLOURS]
    return listed(names)


def _chosen(choices: Sequence[str], shares: Shares) -> str:
    """Returns the offered answer whose colours cover most of the thing, or are its own in other light; or neither."""
    covered = [sum(share_of(word, shares) for word in set(colours_in(choice))) for choice in choices]
    best = max(range(len(choices)), key=covered.__getitem__)
    if covered[best] >= _LEAST_CHOICE:
        return choices[best]
    near = [choice for choice in choices if any(may_be(word, shares) for word in colours_in(choice))]
    return near[0] if len(near) == 1 else f"neither, {_said(shares, several=False)}"


def _note(regions: tuple[Region, ...], reason: str) -> str | None:
    """Returns what the person should know: a thing that only stands out (it has no label) may be another one."""
    return reason if regions[0].label is None else None
