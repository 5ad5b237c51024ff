"""Anything else about a thing: which of two it is, where pocket can tell; else where one would look."""

from __future__ import annotations

import re

from foveate.core.regions import Region
from foveate.grounders._pocket import yes_no
from foveate.grounders._pocket.choices import offered
from foveate.grounders._pocket.claims import claim_of
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.instances import surely_there
from foveate.grounders._pocket.listing import listed, with_article
from foveate.grounders._pocket.meant import meant, measure_of, of_named
from foveate.grounders._pocket.named import Named, last_named, named
from foveate.grounders._pocket.places import apart
from foveate.grounders._pocket.reasons import cannot_tell
from foveate.grounders._pocket.seen import Seen
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import words

_ASKS_WHICH = re.compile(r"^(?:is|are|was|were|do|can|does)\b")
_LOOK = "pocket cannot tell this; this is where one would look."
_NONE = ("neither", "none of these")
_NO_THING = cannot_tell("pocket cannot tell this from the photo.")


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns which of two kinds of thing it is; for other questions the thing, unanswered."""
    which = _which(seen, asked)
    if which:
        return which
    if not asked.choices and claim_of(asked).number is not None:
        # "Are there two or more people" offers no choice.
        return yes_no.find(seen, asked)
    if not (asked.about or last_named(asked.text) or {"this", "that", "these", "those", "it"} & set(words(asked.text))):
        return Finding(reason=_NO_THING)
    regions, reason = meant(seen, asked)
    return Finding(None, regions, _LOOK, measure=measure_of(asked)) if regions else Finding(None, (), reason)


def _which(seen: Seen, asked: Asked) -> Finding | None:
    """Returns which of the offered things is in the photo, the likeliest one; None unless all are known."""
    if not asked.choices or not _ASKS_WHICH.search(unwrapped(asked.text)):
        return None
    names = [last_named(choice) for choice in offered(asked)]
    things = [named(name) for name in names]
    if not all(thing.exact for thing in things) or len({thing.kinds for thing in things}) < len(things):
        return None
    best = [(region, name) for name in names for region in _seen(seen, named(name))[:1]]
    if not best:
        looked_for = listed([with_article(name) for name in names])
        return Finding(_NONE[len(names) > 2], (), f"pocket looked for {looked_for} and did not find any.")
    best.sort(key=lambda pair: -(pair[0].score or 0.0))
    # What looks like the other thing at the same place is not that as well.
    regions = tuple(apart(region for region, _ in best))
    others = [with_article(name) for region, name in best[1:] if region in regions]
    both = f"pocket sees {listed(others)} as well." if others else None
    return Finding(best[0][1], regions, both, regions[0].score)


def _seen(seen: Seen, thing: Named) -> tuple[Region, ...]:
    """Returns where a thing is that "is there …" would be answered with yes for."""
    return of_named(seen, thing)[0] if surely_there(seen, thing.kinds) else ()
