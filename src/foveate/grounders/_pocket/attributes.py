"""Anything else about a thing: which of two it is, where pocket can tell; else where one would look."""

from __future__ import annotations

import re

from foveate.core.regions import Region
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.meant import meant, of_named
from foveate.grounders._pocket.named import last_named, named
from foveate.grounders._pocket.seen import Seen
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import words

_OR = re.compile(r"^(?P<left>.+?),? or (?:is (?:it|this|there) |are (?:they|these|there) )?(?P<right>.+)$")
_ASKS_WHICH = re.compile(r"^(?:is|are|was|were|do|can|does)\b")
_LOOK = "pocket cannot tell this; this is where one would look."
_NO_THING = "pocket cannot tell this from the photo."
_OFFERED = 2


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns which of two kinds of thing it is; for other questions the thing, unanswered."""
    which = _which(seen, unwrapped(asked.text))
    if which:
        return which
    if not (asked.about or last_named(asked.text) or {"this", "that", "these", "those", "it"} & set(words(asked.text))):
        return Finding(reason=_NO_THING)
    regions, reason = meant(seen, asked)
    return Finding(None, regions, _LOOK) if regions else Finding(None, (), reason)


def _which(seen: Seen, plain: str) -> Finding | None:
    """Returns which of two offered things is in the photo, by the detector's scores; None unless both are known."""
    offered = _OR.search(plain)
    if not offered or not _ASKS_WHICH.search(plain):
        return None
    names = [last_named(offered["left"]), last_named(offered["right"])]
    things = [named(name) for name in names]
    if not all(thing.exact for thing in things) or things[0].kinds == things[1].kinds:
        return None
    best = [(_best(seen, name), name) for name in names]
    seen_here = sorted(((region, name) for region, name in best if region), key=lambda pair: -(pair[0].score or 0.0))
    if not seen_here:
        return Finding("neither", (), f"pocket looked for {names[0]} and {names[1]} and did not find any.")
    regions = tuple(region for region, _ in seen_here)
    return Finding(seen_here[0][1], regions, _both(seen_here), regions[0].score)


def _best(seen: Seen, name: str) -> Region | None:
    regions, _ = of_named(seen, named(name))
    return regions[0] if regions else None


def _both(found: list[tuple[Region, str]]) -> str | None:
    return f"pocket sees a {found[1][1]} as well." if len(found) == _OFFERED else None
