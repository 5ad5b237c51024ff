"""Things beyond the detector's 80 kinds: places that ImageNet's names for them fit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from foveate.core.explanations import Evidence
from foveate.core.regions import Region
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.places import apart
from foveate.grounders._pocket.reasons import not_found
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.things import A_GUESS, MOST_CANDIDATES
from foveate.perception.phrase_book import display_name, phrase_book
from foveate.perception.spot_things import names_of_things, spot_thing
from foveate.perception.words import stem

# The thing is likelier at its best place than all else that ImageNet has.
THRESHOLD = 0.5
# What is wanted less than this share of the most wanted is not meant.
_MEANT = 0.7


@lru_cache(maxsize=1)
def spottable() -> frozenset[str]:
    """Returns the things that only this module finds: no wider words ("animal") for what the detector knows."""
    kinds = phrase_book().things
    wider = frozenset[str]().union(*(kind.groups for kind in kinds.values()))
    return frozenset(thing for thing in names_of_things() if thing not in kinds and stem(thing) not in wider)


def find(seen: Seen, wanted: Mapping[str, float]) -> Finding | None:
    """Returns where a thing is that the detector does not know, or why not; None where no such thing is asked for.

    Args:
        seen: The photo.
        wanted: How likely each thing of the whole book is asked for.
    """
    best = max(wanted, key=lambda thing: wanted[thing], default="")
    if best not in spottable() or wanted[best] < A_GUESS:
        return None
    meant = [thing for thing, weight in wanted.items() if weight >= _MEANT * wanted[best] and thing in spottable()]
    spots = ((thing, spot_thing(seen.names, thing)) for thing in meant)
    regions = [
        Region(seen.outline(spot.xyxy), wanted[thing] * spot.score, display_name(thing))
        for thing, spot in spots
        if spot and spot.score >= THRESHOLD
    ]
    if not regions:
        return Finding(reason=not_found([display_name(best)]))
    ordered = tuple(apart(sorted(regions, key=lambda region: -(region.score or 0.0)))[:MOST_CANDIDATES])
    named = tuple(Evidence("name", region.label or best, region.score, region) for region in ordered)
    return Finding(ordered[0].label, ordered, None, ordered[0].score, named[:1], named[1:])
