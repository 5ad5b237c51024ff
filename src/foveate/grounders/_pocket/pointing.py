"""Colours, numbers, yes and no, and other things about a thing."""

from __future__ import annotations

from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.things import main_things, sought
from foveate.perception.matching import match_kinds
from foveate.perception.questions import Asked
from foveate.perception.words import words

_THIS = frozenset({"this", "these", "that", "it"})
_NOT_SURE = "pocket is not sure of any thing in this photo."
_NOT_YET = "pocket does not answer colours, numbers or yes and no yet; this is where it would look."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns the thing that a question about a colour, a number or a yes or no is about, without answering it."""
    if not match_kinds(asked.text) and _THIS & set(words(asked.text)):
        regions, reason = main_things(seen), _NOT_SURE
    else:
        regions, reason = sought(seen, asked.text)
    return Finding(None, regions, _NOT_YET if regions else reason)
