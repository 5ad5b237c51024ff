"""Random numbers that stay the same from one version of Python and NumPy to the next.

Python promises the sequence of `random.Random.random()` of a whole number for ever, and of nothing else; NumPy
promises none. Everything here is made of that one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from foveate.scenes.recipe import MOST_IMAGES

T = TypeVar("T")


class Draws:
    """Random choices of one scene."""

    def __init__(self, seed: int, index: int) -> None:
        self._random = random.Random(seed * MOST_IMAGES + index)  # noqa: S311

    def uniform(self, low: float, high: float) -> float:
        """Returns a number from `low` to `high`."""
        return low + (high - low) * self._random.random()

    def whole(self, low: int, high: int) -> int:
        """Returns a whole number from `low` to `high`, both included."""
        return low + min(int((high - low + 1) * self._random.random()), high - low)

    def pick(self, choices: Sequence[T]) -> T:
        """Returns one of the choices, each as likely as the others."""
        return choices[self.whole(0, len(choices) - 1)]

    def shuffled(self, choices: Sequence[T]) -> list[T]:
        """Returns the choices in a random order, each order as likely as the others."""
        left = list(choices)
        for last in range(len(left) - 1, 0, -1):
            other = self.whole(0, last)
            left[last], left[other] = left[other], left[last]
        return left
