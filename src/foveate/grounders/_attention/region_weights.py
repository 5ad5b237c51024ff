"""From what a network over regions attended to, to one weight of each region: the methods' own choices."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.errors import UsageError, did_you_mean

Array = NDArray[np.float64]
# Whose rows count: all with padding, those that are there, or the beginning's.
Tokens = Literal["all", "non_pad", "cls"]
# Who attends to the regions: these themselves, the text, or its beginning.
Block = Literal["vision", "text", "cls"]


def checked_heads(name: str, heads: str, there: int) -> str:
    """Returns the option: `mean`, `max`, or the number of a head, from 1 on.

    Raises:
        UsageError: It is none of these.
    """
    if heads in {"mean", "max"} or (heads.isdecimal() and 1 <= int(heads) <= there):
        return heads
    raise UsageError(f"grounder {name}", f"heads is {heads}, of {there} heads", f"Say mean, max, or 1 to {there}.")


def checked_choice(name: str, option: str, value: str, choices: Any) -> str:
    """Returns a value that is one of a kind's.

    Raises:
        UsageError: It is not.
    """
    if value not in get_args(choices):
        raise UsageError(f"grounder {name}", f"{option} is {value}", did_you_mean(value, get_args(choices)))
    return value


def of_heads(attention: NDArray[Any], heads: str) -> Array:
    """Returns attention ``(Q, K)`` of all heads together, or of one.

    Args:
        attention: ``(heads, Q, K)``.
        heads: As `checked_heads` has it.
    """
    values = np.asarray(attention, dtype=np.float64)
    if heads in {"mean", "max"}:
        return np.asarray(values.mean(axis=0) if heads == "mean" else values.max(axis=0))
    one: Array = values[int(heads) - 1]
    return one


def cross_weights(cross: NDArray[Any], rows: int, regions: int, tokens: str, heads: str) -> Array:
    """Returns the weight of each region ``(R,)`` by what words attend to.

    Args:
        cross: ``(heads, L, R')``, words by regions.
        rows: How many of the rows are there: beginning, words and end.
        regions: How many regions are.
        tokens: Whose rows count.
        heads: As `checked_heads` has it.

    References:
        Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People, CVPR 2022,
        section 4: the average over the rows of a question that is padded to 20.
    """
    counted = {"all": cross.shape[1], "non_pad": rows, "cls": 1}[tokens]
    return np.asarray(of_heads(cross, heads)[:counted, :regions].mean(axis=0))


def self_weights(attention: NDArray[Any], rows: int, slots: int, regions: int, block: str, heads: str) -> Array:
    """Returns the weight of each region ``(R,)`` by what attends to it within one row of text and regions.

    Rows and columns of regions that are padding are left out.

    Args:
        attention: ``(heads, slots + R', slots + R')``.
        rows: How many places of text are there.
        slots: How many there are with padding.
        regions: How many regions are there.
        block: Who attends.
        heads: As `checked_heads` has it.

    References:
        Chen, Anjum, Gurari, CVPR 2022, section 4: the block of the image's attention to itself.
    """
    whole = of_heads(attention, heads)
    attends = {"vision": slice(slots, slots + regions), "text": slice(0, rows), "cls": slice(0, 1)}[block]
    return np.asarray(whole[attends, slots : slots + regions].mean(axis=0))
