"""The order in which tasks are lent."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def ordered(keys: Sequence[str], seed: int | None) -> list[str]:
    """Returns the keys of tasks in the order in which they are lent: as they are, or drawn by a seed.

    The place of a key depends on the seed and the key alone, on every machine and version: a task that is added later
    moves no other one past another.

    Example:
        >>> ordered(["a", "b", "c"], None)
        ['a', 'b', 'c']
    """
    if seed is None:
        return list(keys)
    return sorted(keys, key=lambda key: hashlib.sha256(f"{seed}\x1f{key}".encode("utf-8", "backslashreplace")).digest())
