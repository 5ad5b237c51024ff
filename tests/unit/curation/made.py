"""Samples made for the tests of screening."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.core.queries import Query
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth

TEN = ("red",) * 10


def sample(
    question: str = "What is this?",
    answers: Sequence[str] = TEN,
    *,
    name: str = "a.jpg",
    kind: str | None = "other",
    answerable: bool = True,
    stated: str | None = None,
    polled: bool = True,
) -> tuple[Query, Truth]:
    """Returns a query and its truth, as VizWiz-VQA gives them."""
    facts = {} if kind is None else {"answer_type": kind}
    targets = () if stated is None else (Target(Box((0, 0, 1, 1)), stated),)
    truth = Truth(name, tuple(answers), targets, answerable=answerable, polled=polled, facts=facts)
    return Query(name, name, None, question, None), truth
