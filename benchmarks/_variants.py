"""Variants of `pocket`: each is one place of the program with something else in it.

A new row is one more `Variant`: where (`module:attribute`) and what comes there instead, made from what is there now.
What a photo's networks gave is remembered (`_asking.remembered`), so that a change to how they look is one of the
function that the grounder calls or of its options, not of a part inside it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from unittest import mock

from foveate.perception.matching import match_things
from foveate.perception.phrase_book import whole_book

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Variant:
    """A name for the table, and the changes by place."""

    name: str
    changes: dict[str, Change]


def _by_words(question: str, *_: object) -> dict[str, float]:
    strengths = dict.fromkeys(whole_book().things, 1e-6) | match_things(question)
    return {thing: strength / sum(strengths.values()) for thing, strength in strengths.items()}


_THINGS = "foveate.grounders._pocket.things"
_PROPOSE = "foveate.perception.propose:propose"
_CHANCES = "foveate.perception.rank_things:chances"
VARIANTS = (
    Variant("pocket", {}),
    Variant("detector at 608 only", {_PROPOSE: lambda now: partial(now, sides=(608,))}),
    Variant("detector at 416 only", {_PROPOSE: lambda now: partial(now, sides=(416,))}),
    Variant("detector at 608 and 416", {_PROPOSE: lambda now: partial(now, sides=(608, 416))}),
    Variant("the detector's score for a chance", {_CHANCES: lambda _: lambda things, size_hw: things.score}),
    Variant("kinds by words", {f"{_THINGS}:things_of": lambda _: _by_words}),
    Variant("no text read", {"foveate.perception.read_text:read_text": lambda _: lambda *_, **__: ()}),
    Variant("nothing refused", {"foveate.grounders.pocket:Settings": lambda now: lambda _, phrases: now(0.0, phrases)}),
)


@contextmanager
def changed(variant: Variant) -> Iterator[bool]:
    """Puts a variant in place; tells whether every place that it changes is there."""
    with ExitStack() as patches:
        for place, change in variant.changes.items():
            module, _, name = place.partition(":")
            owner = importlib.import_module(module)
            if not hasattr(owner, name):
                yield False
                return
            patches.enter_context(mock.patch.object(owner, name, change(getattr(owner, name))))
        yield True
