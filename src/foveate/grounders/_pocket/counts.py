"""How many things there are, with the place of each."""

from __future__ import annotations

import re
from collections import Counter

from foveate.core.explanations import Evidence
from foveate.core.regions import Mask, Region
from foveate.core.rle import merge
from foveate.grounders._pocket.colour_words import colours_in, has_colour, is_colour_word
from foveate.grounders._pocket.colours import colours_of
from foveate.grounders._pocket.finding import MEASURED_COUNT, MEASURED_NONE, Finding, as_evidence
from foveate.grounders._pocket.instances import instances, surely_there
from foveate.grounders._pocket.listing import listed, plural
from foveate.grounders._pocket.meant import as_said, thing_words
from foveate.grounders._pocket.named import Named, named
from foveate.grounders._pocket.places import apart
from foveate.grounders._pocket.reasons import missing, not_found, not_sure, not_understood, unknown
from foveate.grounders._pocket.seen import Seen
from foveate.perception.phrase_book import display_name
from foveate.perception.questions import Asked, understand
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import words

# Words that leave the question what it is: how many of these are in the photo?
_NEUTRAL = frozenset(
    re.findall(
        r"\w+",
        """
        how many number of count the a an there are is was were do does can could you i we u see have find in on this
        that these those picture photo image pic scene here visible shown all total different altogether it they me my
        front people please am looking at what s seen be to up
        """,
    )
)
_NO_THING = not_understood("pocket does not know what to count.")
_SOME_SORT = "pocket sees {} here, and cannot tell {} from others."
_OF_THESE = "pocket sees {} here, and cannot tell how many of these are meant."
_FAINT = "There may be more that pocket does not see clearly."
_COUNTED = re.compile(r"\b(?:how many|number of|count)\b(.*)", re.IGNORECASE | re.DOTALL)
_JOINT = re.compile(r"\s*,\s*(?:and\b|or\b)?|\b(?:and|or|plus)\b", re.IGNORECASE)
_JOINS = frozenset({"and", "or", "plus"})
# The share of answers that were right on dev photos of COCO where there is any, by the number.
_RIGHT_ONE, _RIGHT_MORE = 0.81, 0.37


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns how many things of the kinds there are, in digits; the region covers them all, then each has its own."""
    about = thing_words(asked)
    if not about:
        return Finding(reason=_NO_THING)
    joined = _joined(asked) or (about,)
    rest = set(words(unwrapped(asked.text))) - set(words(" ".join(joined))) - _NEUTRAL
    if len(joined) > 1:
        return _sum(seen, [named(each) for each in joined], rest - _JOINS)
    thing = named(about)
    if not thing.kinds:
        return Finding(reason=unknown(as_said(about, asked.text)))
    found = counted(seen, thing)
    if not found:
        return _none(thing, none_of(seen, thing, as_said(about, asked.text)))
    if rest or not _only_colours(thing):
        return counting(seen, None, found, _OF_THESE.format(len(found)))
    if one_sort(thing):
        sees = _number_of(found[0].label, len(found))
        return counting(seen, None, found, _SOME_SORT.format(sees, thing.head))
    note, measure = _FAINT if len(found) > 1 else None, MEASURED_COUNT if _is_plain(thing) else None
    return counting(seen, str(len(found)), found, note, score_of(found), measure)


def _none(thing: Named, reason: str) -> Finding:
    if not thing.exact:
        return Finding(reason=reason)
    return Finding("0", (), reason, rests_on=(nothing_there(thing, MEASURED_NONE if _is_plain(thing) else None),))


def nothing_there(thing: Named, measure: str | None = None) -> Evidence:
    """Returns that there is no such thing as what an answer rests on."""
    name = display_name(thing.kinds[0]) if len(thing.kinds) == 1 else thing.head.removesuffix("s")
    return Evidence("count", f"no {plural(' '.join((*thing.before, name)))}", None, None, measure)


def _is_plain(thing: Named) -> bool:
    """Returns whether a thing is of the sort that was measured: one kind, and nothing said of it."""
    return len(thing.kinds) == 1 and thing.exact and not colours_in(" ".join(thing.before))


def counting(
    seen: Seen,
    answer: str | None,
    found: tuple[Region, ...],
    reason: str | None,
    score: float | None = None,
    measure: str | None = None,
) -> Finding:
    """Returns a finding that rests on things that were counted, at least one: their number, and then each."""
    regions = together(seen, found)
    labels = Counter(region.label or "thing" for region in found)
    number = Evidence("count", listed([_number_of(name, n) for name, n in labels.items()]), score, regions[0], measure)
    return Finding(answer, regions, reason, score, (number, *map(as_evidence, found)))


def counted(seen: Seen, thing: Named) -> tuple[Region, ...]:
    """Returns the things that were named, each once, best first; of a colour if one was said ("red cars")."""
    found = instances(seen, thing.kinds) if surely_there(seen, thing.kinds) else ()
    for colour in colours_in(" ".join(thing.before)):
        found = tuple(region for region in found if _has(seen, region, colour))
    return found


def none_of(seen: Seen, thing: Named, called: str) -> str:
    """Returns the reason why there is none to count: nothing like it, or nothing that is surely there."""
    hardly = not thing.before and instances(seen, thing.kinds)
    return not_sure(called) if hardly else not_found([called])


def one_sort(thing: Named) -> bool:
    """Returns whether a thing is one sort of a kind, which the detector does not tell from the others."""
    return len(thing.kinds) == 1 and not thing.exact


def score_of(found: tuple[Region, ...]) -> float:
    """Returns how likely a number is right: no likelier than that the thing is there at all."""
    return min(_RIGHT_ONE if len(found) == 1 else _RIGHT_MORE, found[0].score or 0.0)


def together(seen: Seen, found: tuple[Region, ...]) -> tuple[Region, ...]:
    """Returns one region that covers all, and then each."""
    if len(found) < 2:
        return found
    whole = merge([region.shape.rle(seen.size_hw) for region in found])
    return (Region(Mask(whole), found[0].score, found[0].label), *found)


def _joined(asked: Asked) -> tuple[str, ...]:
    """Returns the words for all that is to be counted together, "cats" and "dogs"; empty where that is one thing."""
    counted_here = _COUNTED.search(asked.text)
    parts = _JOINT.split(counted_here[1]) if counted_here else []
    abouts = tuple(understand(f"How many {part}")[0].about for part in parts)
    return abouts if len(abouts) > 1 and all(named(each).kinds for each in abouts) else ()


def _sum(seen: Seen, things: list[Named], rest: set[str]) -> Finding:
    """Returns the number of several things together; their own numbers are the reason."""
    each = [counted(seen, thing) for thing in things]
    every = sorted((region for found in each for region in found), key=lambda region: -(region.score or 0.0))
    found = tuple(apart(every))
    parts = [_part(thing, [one for one in own if one in found]) for thing, own in zip(things, each, strict=True)]
    counts = f"pocket counts {listed(parts)}."
    unsure = bool(rest) or not all(thing.exact and _only_colours(thing) for thing in things)
    counts += " It cannot tell the rest of what is asked." if unsure else ""
    if not found:
        return Finding(None if unsure else "0", (), missing(counts, listed([thing.head for thing in things])))
    return counting(seen, None if unsure else str(len(found)), found, counts, None if unsure else score_of(found))


def _part(thing: Named, found: list[Region]) -> str:
    name = display_name(thing.kinds[0]) if len(thing.kinds) == 1 else thing.head.removesuffix("s")
    called = " ".join((*thing.before, name))
    return _number_of(called, len(found)) if found else f"no {plural(called)}"


def _number_of(name: str | None, number: int) -> str:
    return f"{number} {name if number == 1 else plural(name or '')}"


def _has(seen: Seen, region: Region, colour: str) -> bool:
    shares = colours_of(seen, region)
    return bool(shares) and has_colour(colour, shares)


def _only_colours(thing: Named) -> bool:
    return all(is_colour_word(word) or word in _NEUTRAL for word in thing.before)
