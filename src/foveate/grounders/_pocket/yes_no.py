"""Yes or no: whether a thing is there, has a colour, is written; else where one would look."""

from __future__ import annotations

from dataclasses import replace

from foveate.core.regions import Region
from foveate.grounders._pocket import said_there
from foveate.grounders._pocket.claims import Claim, claim_of
from foveate.grounders._pocket.colour_words import has_colour, may_be
from foveate.grounders._pocket.colours import GREY_PHOTO, colours_of, hardly_seen, seen_colours
from foveate.grounders._pocket.counts import counted, counting, none_of, nothing_there, one_sort
from foveate.grounders._pocket.finding import MEASURED_NO, MEASURED_YES, Finding, as_evidence
from foveate.grounders._pocket.listing import listed, with_article
from foveate.grounders._pocket.meant import as_said, meant, measure_of, named_measure, of_named, spotted
from foveate.grounders._pocket.negations import NEGATIONS
from foveate.grounders._pocket.reasons import not_understood
from foveate.grounders._pocket.rivals import rival
from foveate.grounders._pocket.seen import Seen
from foveate.perception.phrase_book import display_name
from foveate.perception.questions import Asked

_LOOK = "pocket cannot tell; this is where one would look."
_SEES = "pocket sees this {}, and cannot tell the rest of what is asked."
_SORT = "pocket sees this {}, and cannot tell whether it is {}."
_RATHER = "pocket takes this rather for {}."
_FOR_WHAT = not_understood("pocket does not know what to look for.")
_BY_ITS_TEXT = "pocket goes by the text on it."
_LIGHT = "pocket sees {} here, which in other light may be {}."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns yes or no where pocket can tell: what is written, presence, colours, small numbers."""
    written, claim = said_there.find(seen, asked), claim_of(asked)
    # "Is this a pepperoni pizza": the pizza may be seen where the word is not read.
    if written and (written.answer or not claim.thing.kinds):
        return written
    found = _claimed(seen, asked, claim)
    return _denied(found, claim) if claim.denied else found


def _claimed(seen: Seen, asked: Asked, claim: Claim) -> Finding:
    """Returns whether what is claimed is so, without its denial."""
    if not claim.thing.head or not claim.thing.kinds:
        return _about_this(seen, asked, claim)
    if claim.number is not None and not claim.rest:
        return _number(seen, asked, claim, claim.number)
    regions, reason = of_named(seen, claim.thing)
    measure = named_measure(claim.thing)
    doubt = hardly_seen(seen, claim.thing.head, asked.text) if regions else ""
    if doubt and claim.presence:
        regions, reason = (), doubt
    if not regions:
        # Nothing is left out of what is not there; but "a dog without a tail" may be.
        plain_no = claim.presence and claim.thing.exact and claim.number is None and not claim.rest & NEGATIONS
        none = (nothing_there(claim.thing, MEASURED_NO if claim.there_is else None),) if plain_no else ()
        return Finding("no" if plain_no else None, (), reason, rests_on=none)
    if claim.rest:
        return Finding(None, regions, _SEES.format(regions[0].label), measure=measure)
    if one_sort(claim.thing):
        said = _SORT.format(regions[0].label, with_article(claim.thing.head))
        return Finding(None, regions, said, measure=measure)
    if claim.colours:
        return Finding(None, regions, doubt, measure=measure) if doubt else _coloured(seen, regions, claim, measure)
    other = "" if claim.there_is else rival(seen, regions[0])
    if other and other not in map(display_name, claim.thing.kinds):
        return Finding(None, regions, _RATHER.format(with_article(other)), measure=measure)
    # "Is this a dog?" was never measured: it is asked where there is something like one.
    measure = MEASURED_YES if claim.there_is and measure else None
    return Finding("yes", regions, answer_score=regions[0].score, measure=measure)


def _denied(found: Finding, claim: Claim) -> Finding:
    """Returns the answer to a question that denies, in words: a bare yes or no to it means both."""
    if not found.answer:
        return found
    if claim.number is not None:
        return replace(found, answer=None, answer_score=None)
    what = with_article(found.regions[0].label or "this") if found.regions else ""
    if found.answer == "yes":
        sees = f"{listed(claim.colours)} on {what}" if claim.colours else what
        return Finding(None, found.regions, f"pocket sees {sees} here.")
    called = " ".join((*claim.thing.before, claim.thing.head))
    return replace(found, answer=f"no {called}" if claim.presence and called else f"not {listed(claim.colours)}")


def _about_this(seen: Seen, asked: Asked, claim: Claim) -> Finding:
    """Answers for "this" and for things that pocket does not know: a colour, or nothing but the place."""
    if claim.there_is and claim.thing.head and not claim.colours:
        # What is not spotted may be there all the same, so that this is never a "no".
        regions, reason = spotted(seen, claim.thing, asked.text)
        if regions and (claim.rest or claim.number is not None):
            return Finding(None, regions, _SEES.format(regions[0].label))
        return Finding("yes", regions, answer_score=regions[0].score) if regions else Finding(None, (), reason)
    if claim.there_is and not claim.thing.head:
        return Finding(None, (), _FOR_WHAT)
    read = said_there.all_said(seen, claim.called) if claim.called and not claim.colours else None
    if read:
        return replace(read, answer="yes", reason=_BY_ITS_TEXT)
    regions, reason = meant(seen, asked)
    if not regions:
        return Finding(None, (), reason)
    if claim.colours and not claim.rest:
        found = _coloured(seen, regions[:1], claim, measure_of(asked))
        return replace(found, reason=found.reason or reason or None)
    return Finding(None, regions, _LOOK, measure=measure_of(asked))


def _coloured(seen: Seen, regions: tuple[Region, ...], claim: Claim, measure: str | None) -> Finding:
    """Answers whether a thing has all the colours: the first one, or any of them where it is "a red car"."""
    asks_for_any = bool(claim.thing.before) and claim.presence
    for region in regions if asks_for_any else regions[:1]:
        shares = colours_of(seen, region)
        if not shares:
            return Finding(None, (region,), GREY_PHOTO)
        # Only of the best thing the score was measured.
        rests_on = seen_colours(region, shares, measure if region is regions[0] else None)
        if all(has_colour(colour, shares) for colour in claim.colours):
            return Finding("yes", (region,), rests_on=rests_on)
        if all(has_colour(colour, shares) or may_be(colour, shares) for colour in claim.colours):
            return Finding(None, (region,), _LIGHT.format(shares[0][0], listed(claim.colours)), rests_on=rests_on)
    if asks_for_any:
        reason = f"pocket sees this {regions[0].label}, but none that is {listed(claim.colours)}."
        return Finding("no", (), reason, others=tuple(map(as_evidence, regions)))
    return Finding("no", regions[:1], rests_on=seen_colours(regions[0], colours_of(seen, regions[0]), measure))


def _number(seen: Seen, asked: Asked, claim: Claim, right: range) -> Finding:
    """Returns whether the number of things is among the right ones; of a group there may be others."""
    thing = claim.thing
    found = counted(seen, thing)
    if not found:
        told = ("yes" if 0 in right else "no") if thing.exact else None
        rests_on = (nothing_there(thing),) if told else ()
        return Finding(told, (), none_of(seen, thing, as_said(thing.head, asked.text)), rests_on=rests_on)
    counts = f"pocket counts {len(found)}."
    if one_sort(thing):
        counts += " " + _SORT.format(found[0].label, with_article(thing.head))
        return counting(seen, None, found, counts)
    return counting(seen, "yes" if len(found) in right else "no", found, counts)
