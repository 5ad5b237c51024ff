"""Ways to part the samples: by question, answer, and by what the data set knows of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from foveate.analysis.columns import Columns, Group, Grouping
from foveate.core.question_texts import normalised, question_prefix
from foveate.core.truths import Fact
from foveate.errors import UsageError, did_you_mean

NORMALISED = "Lower case, single spaces, a final question mark or full stop dropped"
# Orders that mean something; other groups come by their size.
_RANKS = {"quality": ("none", "medium", "severe")}
# A fact with more different values than this says something else of every sample; `by` asks for it all the same.
MOST_VALUES = 50
# Of more facts only the first part the samples by themselves: each is a chapter with figures; nobody reads a hundred.
MOST_FACTS = 40
# A number with more different values is parted at its quartiles.
_MOST_NUMBERS = 10
# Digits of the edges between quartiles: as few as tell them apart.
_DIGITS = (6, 9, 12)
# What every data set is parted by.
OF_ALL = ("question", "answer")
PREFIX = "question_prefix"


def groupings(columns: Columns, by: Sequence[str] = ()) -> dict[str, Grouping]:
    """Returns the ways to part the samples: by question, answer, facts that part them, and what is asked for.

    A number that is not finite is not known. A fact called as the question or the answer is told as `fact question`.

    Args:
        columns: The samples.
        by: Facts to part them by even if they have very many values.

    Raises:
        UsageError: No sample has a fact of a name that is asked for.
    """
    unknown = next((name for name in by if name not in columns.facts), None)
    if unknown is not None:
        raise UsageError(f"--by {unknown}", "no sample has such a fact", did_you_mean(unknown, columns.facts))
    return by_texts(columns.questions, columns.answers) | by_facts(columns.facts, by)


def by_texts(questions: Sequence[str], answers: Sequence[str | None]) -> dict[str, Grouping]:
    """Returns the ways to part samples by what is asked and answered."""
    return {
        "question": grouping_of("question", [(normalised(text),) for text in questions], NORMALISED),
        "answer": grouping_of("answer", [_of_text(text) for text in answers], NORMALISED),
    }


def by_facts(
    facts: Mapping[str, Sequence[Fact | None]], by: Sequence[str] = (), taken: Collection[str] = OF_ALL
) -> dict[str, Grouping]:
    """Returns the ways to part samples by facts, each that parts them and each in `by`.

    Args:
        facts: The values of each, one a sample; None where it is not known.
        by: Facts that may have very many values.
        taken: What else samples are parted by; a fact of such a name is told as `fact question`.
    """
    found = {}
    many = set(facts_left_out(facts, by))
    for fact, told in facts.items():
        values = _known(told)
        if fact in by or (fact not in many and _parts(values)):
            name = fact_name(fact, taken)
            found[name] = _by_fact(name, values)
    return found


def fact_name(fact: str, taken: Collection[str] = OF_ALL) -> str:
    """Returns what the parting by a fact is called."""
    return f"fact {fact}" if fact in taken else fact


def by_prefix(columns: Columns) -> Grouping:
    """Returns the samples parted by the first two words of their question."""
    note = f"the first two words of the question. {NORMALISED}"
    return grouping_of(PREFIX, [(question_prefix(text),) for text in columns.questions], note)


def facts_left_out(facts: Mapping[str, Sequence[Fact | None]], by: Sequence[str] = ()) -> list[str]:
    """Returns the facts that would part the samples, but come behind the first `MOST_FACTS` that do.

    Args:
        facts: The values of each, one a sample; None where it is not known.
        by: Facts that are asked for, which are never left out.
    """
    if len(facts) <= MOST_FACTS:
        return []
    parting = [fact for fact, told in facts.items() if _parts(_known(told))]
    return [fact for fact in parting[MOST_FACTS:] if fact not in by]


def largest_groups(grouping: Grouping, top: int, keep: Callable[[str], bool] = lambda _: True) -> list[Group]:
    """Returns at most so many groups of those to keep, in their order."""
    return [group for group in grouping.groups if keep(group.key)][:top]


def _known(told: Sequence[Fact | None]) -> list[Fact | None]:
    return [None if _is_nothing(value) else value for value in told]


def _of_text(text: str | None) -> tuple[str, ...]:
    return () if text is None or not text.strip() else (normalised(text),)


def _parts(values: Sequence[Fact | None]) -> bool:
    """Returns whether a fact parts the samples: it has few values, and of several names none is said twice."""
    there = [value for value in values if value is not None]
    if any(isinstance(value, tuple) and len(set(value)) < len(value) for value in there):
        return False  # One entry a person, say: no set of names.
    if there and all(_is_number(value) for value in there):
        return True
    return 0 < len({name for value in there for name in _names(value)}) <= MOST_VALUES


def _by_fact(name: str, values: Sequence[Fact | None]) -> Grouping:
    numbers = [value for value in values if value is not None]
    if numbers and all(_is_number(value) for value in numbers) and len(set(numbers)) > _MOST_NUMBERS:
        return _quartiles(name, values)
    keys = [() if value is None else _names(value) for value in values]
    known = sum(value is not None for value in values)
    ranks = _RANKS.get(name) or _numbers_in_order(numbers)
    return grouping_of(name, keys, known=known, ranks=ranks)


def _numbers_in_order(values: Sequence[Fact]) -> tuple[str, ...]:
    if not values or not all(_is_number(value) for value in values):
        return ()
    ordered: list[Any] = sorted(set(values))
    return tuple(_shown(value) for value in ordered)


def _quartiles(name: str, values: Sequence[Fact | None]) -> Grouping:
    numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    edges = np.unique(np.nanquantile(numbers, [0, 0.25, 0.5, 0.75, 1]))
    edges = edges if len(edges) > 1 else np.repeat(edges, 2)
    bin_of = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, len(edges) - 2)
    shown = _told_apart(edges.tolist())
    titles = tuple(f"{low} to {high}" for low, high in zip(shown[:-1], shown[1:], strict=True))
    keys = [() if np.isnan(number) else (titles[b],) for number, b in zip(numbers, bin_of, strict=True)]
    return grouping_of(name, keys, "parted at its quartiles", ranks=titles)


def _names(value: Fact) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value)) if isinstance(value, tuple) else (_shown(value),)


def _shown(value: Fact) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    short = f"{value:.15g}"
    return short if float(short) == value else repr(value)


def _told_apart(numbers: Sequence[float]) -> list[str]:
    for digits in _DIGITS:
        shown = [f"{number:.{digits}g}" for number in numbers]
        if len(set(shown)) == len(numbers):
            return shown
    return [_shown(number) for number in numbers]


def _is_nothing(value: Fact | None) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _is_number(value: Fact | None) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def grouping_of(
    name: str,
    keys: Sequence[tuple[str, ...]],
    note: str = "",
    *,
    known: int | None = None,
    ranks: Sequence[str] = (),
) -> Grouping:
    """Returns a way to part samples.

    Args:
        name: What it is called.
        keys: Of each sample the groups that it is in.
        note: The rule behind it.
        known: Of how many samples the thing is known; those that are in a group, where it is not said.
        ranks: The groups that come first, in this order; the others come by their size.
    """
    rows: dict[str, list[int]] = {}
    for row, names in enumerate(keys):
        for key in names:
            rows.setdefault(key, []).append(row)
    groups = [Group(key, np.array(found, dtype=np.int64)) for key, found in _ordered(rows, ranks)]
    return Grouping(name, groups, sum(map(bool, keys)) if known is None else known, note)


def _ordered(rows: Mapping[str, list[int]], ranks: Sequence[str]) -> list[tuple[str, list[int]]]:
    place = {key: number for number, key in enumerate(ranks)}
    return sorted(rows.items(), key=lambda item: (place.get(item[0], len(place)), -len(item[1]), item[0]))
