"""How many things there are, with the place of each."""

from __future__ import annotations

import re

from foveate.core.regions import Mask, Region
from foveate.core.rle import merge
from foveate.grounders._pocket.colour_words import colours_in, has_colour, is_colour_word
from foveate.grounders._pocket.colours import colours_of
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.instances import instances
from foveate.grounders._pocket.meant import thing_words, unknown
from foveate.grounders._pocket.named import Named, named
from foveate.grounders._pocket.seen import Seen
from foveate.perception.questions import Asked
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
_NO_THING = "pocket does not know what to count."
_SOME_SORT = "pocket counts every {}; it cannot tell {} from others."
_OF_THESE = "pocket sees {} here, and cannot tell how many of these are meant."
_FAINT = "There may be more that pocket does not see clearly."
# The share of answers that were right on dev photos of COCO, by the number.
_RIGHT_ONE, _RIGHT_MORE = 0.78, 0.3


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns how many things of the kinds there are, in digits; the region covers them all, then each has its own."""
    about = thing_words(asked)
    if not about:
        return Finding(reason=_NO_THING)
    thing = named(about)
    if not thing.kinds:
        return Finding(reason=unknown(thing))
    found = counted(seen, thing)
    if not found:
        zero = "0" if thing.exact else None
        return Finding(zero, reason=f"pocket looked for {about} and did not find any.")
    rest = set(words(unwrapped(asked.text))) - set(words(about)) - _NEUTRAL
    if rest or not _only_colours(thing):
        return Finding(None, together(seen, found), _OF_THESE.format(len(found)))
    score = _RIGHT_ONE if len(found) == 1 else _RIGHT_MORE
    return Finding(str(len(found)), together(seen, found), _note(thing, found), score)


def counted(seen: Seen, thing: Named) -> tuple[Region, ...]:
    """Returns the things that were named, each once, best first; of a colour if one was said ("red cars")."""
    found = instances(seen, thing.kinds)
    for colour in colours_in(" ".join(thing.before)):
        found = tuple(region for region in found if _has(seen, region, colour))
    return found


def together(seen: Seen, found: tuple[Region, ...]) -> tuple[Region, ...]:
    """Returns one region that covers all, and then each."""
    if len(found) == 1:
        return found
    whole = merge([region.shape.rle(seen.size_hw) for region in found])
    return (Region(Mask(whole), found[0].score, found[0].label), *found)


def _has(seen: Seen, region: Region, colour: str) -> bool:
    shares = colours_of(seen, region)
    return bool(shares) and has_colour(colour, shares)


def _only_colours(thing: Named) -> bool:
    return all(is_colour_word(word) or word in _NEUTRAL for word in thing.before)


def _note(thing: Named, found: tuple[Region, ...]) -> str | None:
    if len(thing.kinds) == 1 and not thing.exact:
        return _SOME_SORT.format(found[0].label, thing.head)
    return _FAINT if len(found) > 1 else None
