"""Yes or no: whether a thing is there, has a colour, is written; else where one would look."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from foveate.core.regions import Region
from foveate.grounders._pocket import said_there
from foveate.grounders._pocket.claims import Claim, claim_of
from foveate.grounders._pocket.colour_words import has_colour, may_be
from foveate.grounders._pocket.colours import GREY_PHOTO, colours_of
from foveate.grounders._pocket.counts import counted, together
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.listing import listed, with_article
from foveate.grounders._pocket.meant import meant, of_named, spotted
from foveate.grounders._pocket.named import Named
from foveate.grounders._pocket.seen import Seen
from foveate.perception.propose import kinds
from foveate.perception.questions import Asked

# Right answers on dev photos of COCO are flat from .006 to .03, best at .03 (design/pocket-closed-answers.md). The
# stricter end, since a wrong yes costs the person more.
PRESENT = 0.03
_FAINT = "pocket looked for {} and is not sure of any."
_LOOK = "pocket cannot tell; this is where one would look."
_SEES = "pocket sees this {}, and cannot tell the rest of what is asked."
_SORT = "pocket sees this {}, and cannot tell whether it is {}."
_BY_ITS_TEXT = "pocket goes by the text on it."
_LIGHT = "pocket sees {} here, which in other light may be {}."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns yes or no where pocket can tell: what is written, presence, colours, small numbers."""
    written, claim = said_there.find(seen, asked), claim_of(asked)
    # "Is this a pepperoni pizza": the pizza may be seen where the word is not read.
    if written and (written.answer or not claim.thing.kinds):
        return written
    if not claim.thing.head or not claim.thing.kinds:
        return _about_this(seen, asked, claim)
    if claim.number is not None and not claim.rest:
        return _number(seen, claim, claim.number)
    regions, reason = of_named(seen, claim.thing)
    if regions and claim.presence and not _surely_there(seen, claim.thing):
        regions, reason = (), _FAINT.format(claim.thing.head)
    if not regions:
        told = "no" if claim.presence and claim.thing.exact else None
        return Finding(told, (), reason)
    if claim.rest:
        return Finding(None, regions, _SEES.format(regions[0].label))
    if len(claim.thing.kinds) == 1 and not claim.thing.exact:
        return Finding(None, regions, _SORT.format(regions[0].label, with_article(claim.thing.head)))
    return _coloured(seen, regions, claim) if claim.colours else Finding("yes", regions, answer_score=regions[0].score)


def _surely_there(seen: Seen, thing: Named) -> bool:
    """Returns whether the detector is sure enough of a thing for a yes; who asks where it is takes it to be there."""
    names = kinds()
    of_it = np.isin(seen.things.kind, [names.index(kind) for kind in thing.kinds])
    return bool((seen.things.score[of_it] >= PRESENT).any())


def _about_this(seen: Seen, asked: Asked, claim: Claim) -> Finding:
    """Answers for "this" and for things that pocket does not know: a colour, or nothing but the place."""
    if claim.there_is and claim.thing.head and not claim.colours:
        # What is not spotted may be there all the same, so that this is never a "no".
        regions, reason = spotted(seen, claim.thing)
        told = "yes" if regions and not claim.rest else None
        return Finding(told, regions, reason or None, regions[0].score if told else None)
    read = said_there.all_said(seen, claim.called) if claim.called and not claim.colours else None
    if read:
        return Finding("yes", read.regions, _BY_ITS_TEXT, read.answer_score)
    regions, reason = meant(seen, asked)
    if not regions:
        return Finding(None, (), reason)
    if claim.colours and not claim.rest:
        found = _coloured(seen, regions[:1], claim)
        return replace(found, reason=found.reason or reason or None)
    return Finding(None, regions, _LOOK)


def _coloured(seen: Seen, regions: tuple[Region, ...], claim: Claim) -> Finding:
    """Answers whether a thing has all the colours: the first one, or any of them where it is "a red car"."""
    asks_for_any = bool(claim.thing.before) and claim.presence
    for region in regions if asks_for_any else regions[:1]:
        shares = colours_of(seen, region)
        if not shares:
            return Finding(None, (region,), GREY_PHOTO)
        if all(has_colour(colour, shares) for colour in claim.colours):
            return Finding("yes", (region,))
        if all(has_colour(colour, shares) or may_be(colour, shares) for colour in claim.colours):
            return Finding(None, (region,), _LIGHT.format(shares[0][0], listed(claim.colours)))
    if asks_for_any:
        return Finding("no", (), f"pocket sees this {regions[0].label}, but none that is {listed(claim.colours)}.")
    return Finding("no", regions[:1])


def _number(seen: Seen, claim: Claim, number: int) -> Finding:
    found = counted(seen, claim.thing)
    if not found:
        return Finding("no", (), f"pocket looked for {claim.thing.head} and did not find any.")
    right = len(found) > number if claim.more else len(found) == number
    return Finding("yes" if right else "no", together(seen, found), f"pocket counts {len(found)}.")
