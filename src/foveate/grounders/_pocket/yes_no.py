"""Yes or no: whether a thing is there, has a colour, is written; else where one would look."""

from __future__ import annotations

import re
from dataclasses import dataclass

from foveate.core.regions import Region
from foveate.grounders._pocket import photo_itself, said_there
from foveate.grounders._pocket.colour_words import colours_in, has_colour, is_colour_word
from foveate.grounders._pocket.colours import colours_of
from foveate.grounders._pocket.counts import counted, together
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.meant import meant, of_named, thing_words, unknown
from foveate.grounders._pocket.named import Named, first_named, named
from foveate.grounders._pocket.presence import present
from foveate.grounders._pocket.seen import Seen
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import words

_PRESENCE = re.compile(
    r"^(is|are|was|were) there\b|^(do|can|did|could) (you|i|we|u) (see|have|find|spot)\b|^(have|has) (you|i|we) got\b"
    r"|^(does|do) (the|this|that|my) (picture|photo|image|pic|scene) (have|show|contain|include)\b|^any\b"
)
_IT_IS = re.compile(
    r"^(?:is|are|was|were) (?:it|they|this|that|these|those) (?:an? |the |my |some |any )?(?P<rest>.+)$"
)
# "Is the cat on the bed?" is about the cat.
_SUBJECT = re.compile(r"^(?:is|are|was|were|does|do|did|has|have) (?:the|my|your|our|his|her) ")
_MORE_THAN = re.compile(r"\bmore than (?P<number>\w+) (?P<rest>.+)$")
# Words that leave "is it there?" what it is.
_NEUTRAL = frozenset(
    re.findall(
        r"\w+",
        """
        is are was were there here do does did can could you i we u see have has find spot got any a an the some this
        that these those it they my your our in picture photo image pic scene shown show contain include visible present
        please me front of at all anywhere also if whether currently right now he she colored coloured color colour
        """,
    )
)
_SPELT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: number for number, word in enumerate(_SPELT)}
_LOOK = "pocket cannot tell; this is where one would look."
_SEES = "pocket sees this {}, and cannot tell the rest of what is asked."
_SORT = "pocket sees this {}, and cannot tell whether it is a {}."
_GREY_PHOTO = "This photo has no colours; this is where one would look."


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a question wants to hear yes or no to: a thing, its colours and number, and words not understood."""

    thing: Named
    presence: bool
    colours: tuple[str, ...]
    number: int | None
    more: bool
    rest: frozenset[str]


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns yes or no where pocket can tell: what is written, the photo itself, presence, colours, small numbers."""
    special = photo_itself.find(seen, asked) or said_there.find(seen, asked)
    if special:
        return special
    claim = _claim(asked)
    if not claim.thing.head or not claim.thing.kinds:
        return _about_this(seen, asked, claim)
    if claim.number is not None and not claim.rest:
        return _number(seen, claim, claim.number)
    regions, reason = of_named(seen, claim.thing)
    here = tuple(region for region in regions if present(region))
    if not here:
        told = "no" if claim.presence and claim.thing.exact else None
        return Finding(told, (), reason)
    if claim.rest:
        return Finding(None, here, _SEES.format(here[0].label))
    if len(claim.thing.kinds) == 1 and not claim.thing.exact:
        return Finding(None, here, _SORT.format(here[0].label, claim.thing.head))
    return _coloured(seen, here, claim) if claim.colours else Finding("yes", here, answer_score=here[0].score)


def _claim(asked: Asked) -> _Claim:
    plain = unwrapped(asked.text)
    it_is = _IT_IS.search(plain)
    about = _about(asked, plain)
    colours = colours_in(plain)
    # "Is this green": what it is about is no thing.
    thing = Named("") if colours and all(map(is_colour_word, words(about))) else named(about)
    more = bool(_MORE_THAN.search(plain))
    known = {*thing.head.split(), *_NEUTRAL, *(("more", "than") if more else ())}
    rest = [word for word in words(plain) if word not in known and not is_colour_word(word)]
    numbers = [_NUMBERS[word] for word in rest if word in _NUMBERS]
    presence = bool(_PRESENCE.search(plain) or it_is) or not (rest or colours)
    left = frozenset(word for word in rest if word not in _NUMBERS)
    return _Claim(thing, presence, colours, numbers[0] if len(numbers) == 1 else None, more, left)


def _about(asked: Asked, plain: str) -> str:
    """Returns the words for the thing that is claimed to be there, or of which something is claimed."""
    more, it_is = _MORE_THAN.search(plain), _IT_IS.search(plain)
    if more:
        return first_named(more["rest"])
    if it_is and named(it_is["rest"]).kinds:
        return it_is["rest"]
    return (first_named(plain) if _SUBJECT.search(plain) else "") or thing_words(asked)


def _about_this(seen: Seen, asked: Asked, claim: _Claim) -> Finding:
    """Answers for "this" and for things that pocket does not know: a colour, or nothing but the place."""
    if claim.presence and claim.thing.head and not claim.colours:
        return Finding(None, (), unknown(claim.thing))
    regions, reason = meant(seen, asked)
    if not regions:
        return Finding(None, (), reason)
    if claim.colours and not claim.rest:
        return _coloured(seen, regions[:1], claim)
    return Finding(None, regions, _LOOK)


def _coloured(seen: Seen, regions: tuple[Region, ...], claim: _Claim) -> Finding:
    """Answers whether a thing has all the colours: the first one, or any of them where it is "a red car"."""
    asks_for_any = bool(claim.thing.before) and claim.presence
    for region in regions if asks_for_any else regions[:1]:
        shares = colours_of(seen, region)
        if not shares:
            return Finding(None, (region,), _GREY_PHOTO)
        if all(has_colour(colour, shares) for colour in claim.colours):
            return Finding("yes", (region,))
    if asks_for_any:
        colour = " and ".join(claim.colours)
        return Finding("no", (), f"pocket sees this {regions[0].label}, but none that is {colour}.")
    return Finding("no", regions[:1])


def _number(seen: Seen, claim: _Claim, number: int) -> Finding:
    found = counted(seen, claim.thing)
    if not found:
        return Finding("no", (), f"pocket looked for {claim.thing.head} and did not find any.")
    right = len(found) > number if claim.more else len(found) == number
    return Finding("yes" if right else "no", together(seen, found), f"pocket counts {len(found)}.")
