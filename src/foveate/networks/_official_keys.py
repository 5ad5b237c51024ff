"""What the maps of official checkpoints share: names without their prefixes, and sizes read off shapes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from foveate.errors import InputError

Arrays = Mapping[str, NDArray[Any]]
# Of BERT and all that began with its numbers: a head is so wide.
HEAD = 64


def unwrapped(name: str) -> str:
    """Returns a name as the model has it, without what several GPUs and old layer norms made of it.

    Example:
        >>> unwrapped("module.bert.embeddings.LayerNorm.gamma")
        'bert.embeddings.LayerNorm.weight'
    """
    name = name.removeprefix("module.").replace(".module.", ".")
    return re.sub(r"LayerNorm\.beta$", "LayerNorm.bias", re.sub(r"LayerNorm\.gamma$", "LayerNorm.weight", name))


def shape_of(arrays: Arrays, name: str, where: str, why: str) -> tuple[int, ...]:
    """Returns the shape of an array, of two sides.

    Raises:
        InputError: It is not there, or has another number of sides.
    """
    if name not in arrays or arrays[name].ndim != 2:
        raise InputError(where, f"it has no {name}, {why}", "Take the checkpoint of a model that answers questions.")
    return arrays[name].shape


def count_of(arrays: Arrays, prefix: str) -> int:
    """Returns how many layers there are whose names begin so."""
    numbers = {int(name[len(prefix) :].partition(".")[0]) for name in arrays if name.startswith(prefix)}
    return len(numbers)
