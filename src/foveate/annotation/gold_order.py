"""When gold questions come: at places that chance decides for each person, so that nobody can tell them by counting."""

from __future__ import annotations

import hashlib


def by_chance(*texts: str) -> int:
    """Returns a number of 64 bits that is always the same for the same texts, and tells nothing about them."""
    return int.from_bytes(hashlib.sha256("\0".join(texts).encode()).digest()[:8])


def golds_due(ordinary: int, every: int, seed: str) -> int:
    """Returns how many gold questions a person should have had after so many ordinary tasks.

    Of each `every` tasks one is gold: before one of the `every - 1` ordinary ones, which chance decides.

    Args:
        ordinary: Ordinary tasks that the person has had.
        every: Of how many tasks one is gold, at least 2.
        seed: Of project and person.

    Example:
        >>> [golds_due(ordinary, 10, "kitchen 7f") for ordinary in (89, 98)]
        [10, 11]
    """
    block, at = divmod(ordinary, every - 1)
    place = by_chance(seed, str(block)) % (every - 1)
    return block + (at >= place)
