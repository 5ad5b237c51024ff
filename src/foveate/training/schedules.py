"""The learning rate at each step, from what has happened so far; nothing is remembered besides."""

from __future__ import annotations

import math
from collections.abc import Sequence

from foveate.training.recipe import Recipe


def lr_at(recipe: Recipe, step: int, steps: int, validations: Sequence[float]) -> float:
    """Returns the learning rate.

    Args:
        recipe: Its `lr`, `warmup` and `schedule`.
        step: Which step comes, counted from 0.
        steps: How many there are in all.
        validations: What each epoch so far scored in validation.

    Example:
        >>> recipe = Recipe(about="", network={}, source={}, lr=0.1, epochs=1, schedule="linear", warmup=0.2)
        >>> [round(lr_at(recipe, step, 10, ()), 4) for step in (0, 1, 2, 6, 9)]
        [0.05, 0.1, 0.1, 0.05, 0.0125]
    """
    rising = round(recipe.warmup * steps)
    if step < rising:
        return recipe.lr * (step + 1) / rising
    if recipe.schedule == "plateau":
        return recipe.lr * 0.5 ** _no_better(validations)
    if recipe.schedule == "constant":
        return recipe.lr
    done = (step - rising) / max(1, steps - rising)
    return recipe.lr * (1 - done if recipe.schedule == "linear" else (1 + math.cos(math.pi * done)) / 2)


def _no_better(validations: Sequence[float]) -> int:
    """Returns how many epochs were no better than the best before them."""
    count, best = 0, -math.inf
    for value in validations:
        count += value <= best
        best = max(best, value)
    return count
