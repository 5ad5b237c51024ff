"""What a question wants to hear yes or no to: a thing that is there, its colours, its number, or more than that."""

from __future__ import annotations

import re
from dataclasses import dataclass

from foveate.grounders._pocket.colour_words import colours_in, is_colour_word
from foveate.grounders._pocket.meant import thing_words
from foveate.grounders._pocket.named import Named, last_named, named
from foveate.grounders._pocket.negations import NOBODY, stated
from foveate.grounders._pocket.numbers import claimed
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import words

_PRESENCE = re.compile(
    r"^(is|are|was|were) there\b|^(do|can|did|could) (you|i|we|u) (see|have|find|spot)\b|^(have|has) (you|i|we) got\b"
    r"|^(does|do) (the|this|that|my) (picture|photo|image|pic|scene) (have|show|contain|include|depict)\b|^any\b"
)
_IT_IS = re.compile(
    r"^(?:is|are|was|were) (?:it|they|this|that|these|those) (?P<article>an? |the |my |some |any )?(?P<rest>.+)$"
)
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


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed of a thing.

    Attributes:
        thing: The thing; without words where the question is about "this".
        presence: Whether the thing itself is in question, not something of a thing that is taken to be there.
        there_is: Whether it is asked for anywhere in the photo ("is there …"), not of "this".
        colours: The words for colours.
        number: How many there may be; None where no number is claimed.
        denied: Whether it is asked if that is not so.
        rest: Words that were not understood.
        called: What "this" is said to be, where that is a noun: "cola" of "is this a cola".
    """

    thing: Named
    presence: bool
    there_is: bool
    colours: tuple[str, ...]
    number: range | None
    denied: bool
    rest: frozenset[str]
    called: str = ""


def claim_of(asked: Asked) -> Claim:
    """Returns what a question of yes or no claims."""
    number, plain = claimed(unwrapped(asked.text))
    plain, denied = stated(plain)
    thing, colours = named(_about(asked, plain)), colours_in(plain)
    known = {*thing.head.split(), *_NEUTRAL}
    rest = frozenset(word for word in words(plain) if word not in known and not _of_colour(word, colours))
    there_is = bool(_PRESENCE.search(plain))
    return Claim(
        thing,
        presence=there_is or bool(_IT_IS.search(plain)) or not (rest or colours),
        there_is=there_is,
        colours=colours,
        number=number,
        denied=denied,
        rest=rest,
        # The number belongs to what "a 5 dollar bill" says.
        called=_called(stated(unwrapped(asked.text))[0]),
    )


def _of_colour(word: str, colours: tuple[str, ...]) -> bool:
    """Returns whether a word belongs to the colours that were read; "an orange" is none."""
    return word in colours or (is_colour_word(word) and word != "orange")


def _called(plain: str) -> str:
    it_is = _IT_IS.search(plain)
    if not it_is:
        return ""
    return it_is["rest"] if it_is["article"] or last_named(it_is["rest"]) else ""


def _about(asked: Asked, plain: str) -> str:
    """Returns the words for the thing that is claimed to be there, or of which something is claimed."""
    it_is = _IT_IS.search(plain)
    if it_is and named(it_is["rest"]).kinds:
        return it_is["rest"]
    return "people" if NOBODY.search(unwrapped(asked.text)) else thing_words(asked)
