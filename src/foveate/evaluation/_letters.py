"""Runs that are not told apart, in groups and by letters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from string import ascii_lowercase

Pairs = Collection[tuple[str, str]]


def groups_by_best(order: Sequence[str], alike: Pairs) -> dict[str, int]:
    """Returns each run's group: the best and all that are not told apart from it, then the best of the rest, ….

    A run may belong to an earlier group than one before it: what spreads more is told apart later.

    Args:
        order: Best first.
        alike: Pairs, in this order, that are not told apart.

    Example:
        >>> groups_by_best(["a", "b", "c"], {("a", "b"), ("b", "c")})
        {'a': 1, 'b': 1, 'c': 2}
    """
    found: dict[str, int] = {}
    for best in order:
        if best not in found:
            number = len(set(found.values())) + 1
            rest = [name for name in order if name not in found]
            found |= {name: number for name in rest if name == best or (best, name) in alike}
    return found


def letters(order: Sequence[str], alike: Pairs) -> dict[str, str]:
    """Returns letters by run; two runs share a letter exactly if they are not told apart.

    Args:
        order: Best first.
        alike: Pairs, in this order, that are not told apart.

    References:
        Piepho: An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons, 2004 (insert and absorb).

    Example:
        >>> letters(["a", "b", "c"], {("a", "b"), ("b", "c")})
        {'a': 'a', 'b': 'ab', 'c': 'b'}
    """
    columns = [set(order)]
    for n, first in enumerate(order):
        for second in order[n + 1 :]:
            if (first, second) not in alike:
                columns = _absorbed([part for column in columns for part in _split(column, first, second)])
    place = {name: n for n, name in enumerate(order)}
    columns.sort(key=lambda column: sorted(place[name] for name in column))
    return {name: "".join(_letter(n) for n, column in enumerate(columns) if name in column) for name in order}


def _split(column: set[str], first: str, second: str) -> list[set[str]]:
    return [column - {first}, column - {second}] if {first, second} <= column else [column]


def _absorbed(columns: Sequence[set[str]]) -> list[set[str]]:
    """Returns the columns that lie in no other one."""
    kept: list[set[str]] = []
    for column in sorted(columns, key=len, reverse=True):
        if not any(column <= other for other in kept):
            kept.append(column)
    return kept


def _letter(number: int) -> str:
    """Returns a, b, … z, a1, b1, …."""
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
