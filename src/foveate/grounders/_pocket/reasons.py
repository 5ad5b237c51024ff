"""Why `pocket` finds nothing: a sentence that also knows which sort of reason it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from foveate.core.explanations import RefusalKind
from foveate.grounders._pocket.listing import listed, with_article
from foveate.perception.phrase_book import display_name


class Reason(str):
    """A sentence for people; a text, so that what makes and joins reasons need not know of their kinds.

    Attributes:
        kind: The sort of reason.
        looked_for: What was looked for, in words; empty where nothing was.
    """

    __slots__ = ("kind", "looked_for")
    kind: RefusalKind
    looked_for: str

    def __new__(cls, said: str, kind: RefusalKind, looked_for: str = "") -> Self:
        """Returns the sentence."""
        made = super().__new__(cls, said)
        made.kind, made.looked_for = kind, looked_for
        return made


def not_found(names: Sequence[str]) -> Reason:
    """Returns what was looked for in vain.

    Example:
        >>> not_found(["cup"]), not_found(["skis"])
        ('pocket looked for a cup and did not find one.', 'pocket looked for skis and did not find any.')
        >>> not_found(["cup", "skis"]).looked_for
        'cup and skis'
    """
    told = [with_article(name) for name in names]
    one = len(names) == 1 and told[0] != names[0]
    return missing(f"pocket looked for {listed(told)} and did not find {'one' if one else 'any'}.", listed(names))


def missing(said: str, looked_for: str = "") -> Reason:
    """Returns the reason that something was looked for, and nothing like it found."""
    return Reason(said, "nothing_found", looked_for)


def cannot_tell(said: str, looked_for: str = "") -> Reason:
    """Returns the reason that `pocket` has no way to tell, or does not know the thing."""
    return Reason(said, "not_measured", looked_for)


def not_understood(said: str, nearest: str = "") -> Reason:
    """Returns the reason that the question is not understood; the nearest that it might ask for, if any."""
    return Reason(said, "not_understood", nearest)


def unknown(called: str) -> Reason:
    """Returns the reason why a thing that is not among the detector's kinds cannot be found."""
    return cannot_tell(f'"{called}" is none of the 80 kinds of thing that pocket finds.', called)


def not_sure(called: str) -> Reason:
    """Returns the reason why a thing that is hardly seen is not said to be there."""
    a_thing = with_article(called)
    there = "are any" if a_thing == called else "is"
    return missing(f"pocket is not sure that there {there} {a_thing}.", called)


def beyond(thing: str) -> Reason:
    """Returns the reason why a thing of the whole book, by its name there, is not looked for."""
    called = display_name(thing)
    said = f"This asks for {with_article(called)}, which is not among the 80 kinds of thing that pocket knows."
    return cannot_tell(said, called)
