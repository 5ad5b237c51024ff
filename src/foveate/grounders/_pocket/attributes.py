"""Anything else about a thing: which of two it is, where pocket can tell; else where one would look."""

from __future__ import annotations

import re

from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.listing import with_article
from foveate.grounders._pocket.meant import meant, of_named
from foveate.grounders._pocket.named import last_named, named
from foveate.grounders._pocket.places import apart
from foveate.grounders._pocket.seen import Seen
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import words

_ASKS_WHICH = re.compile(r"^(?:is|are|was|were|do|can|does)\b")
_LOOK = "pocket cannot tell this; this is where one would look."
_NO_THING = "pocket cannot tell this from the photo."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns which of two kinds of thing it is; for other questions the thing, unanswered."""
    which = _which(seen, asked)
    if which:
        return which
    if not (asked.about or last_named(asked.text) or {"this", "that", "these", "those", "it"} & set(words(asked.text))):
        return Finding(reason=_NO_THING)
    regions, reason = meant(seen, asked)
    return Finding(None, regions, _LOOK) if regions else Finding(None, (), reason)


def _which(seen: Seen, asked: Asked) -> Finding | None:
    """Returns which of two offered things is in the photo, the likelier one; None unless both are known."""
    if not asked.choices or not _ASKS_WHICH.search(unwrapped(asked.text)):
        return None
    names = [last_named(choice) for choice in asked.choices]
    things = [named(name) for name in names]
    if not all(thing.exact for thing in things) or things[0].kinds == things[1].kinds:
        return None
    best = [(region, name) for name in names for region in of_named(seen, named(name))[0][:1]]
    if not best:
        return Finding("neither", (), f"pocket looked for {names[0]} and {names[1]} and did not find any.")
    best.sort(key=lambda pair: -(pair[0].score or 0.0))
    # What looks like the other thing at the same place is not that as well.
    regions = tuple(apart(region for region, _ in best))
    both = f"pocket sees {with_article(best[1][1])} as well." if len(regions) > 1 else None
    return Finding(best[0][1], regions, both, regions[0].score)
