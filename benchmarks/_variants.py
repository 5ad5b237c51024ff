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

from benchmarks._asking import without

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Variant:
    """A name for the table, and the changes by place."""

    name: str
    changes: dict[str, Change]


def _by_meaning(question: str) -> dict[str, float]:
    from foveate.perception.embed_text import embed_text
    from foveate.perception.meaning import kinds_of

    return kinds_of(question, embed_text, without(question))


_THINGS = "foveate.grounders._pocket.things"
VARIANTS = (
    Variant("pocket", {}),
    Variant("detector at 608 only", {"foveate.perception.propose:propose": lambda now: partial(now, sides=(608,))}),
    Variant("detector at 416 only", {"foveate.perception.propose:propose": lambda now: partial(now, sides=(416,))}),
    Variant("kinds by meaning", {f"{_THINGS}:match_kinds": lambda _: _by_meaning}),
    Variant("no text read", {"foveate.perception.read_text:read_text": lambda _: lambda *_, **__: ()}),
    Variant("nothing refused", {f"{_THINGS}:THRESHOLD": lambda _: 0.0}),
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
