"""From a network's values to an answer with its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Score = Literal["softmax", "sigmoid"]


@dataclass(frozen=True, slots=True)
class Said:
    """An answer.

    Attributes:
        text: In words.
        score: 0 to 1: its share of all answers, or how likely it is right by itself, as the network was trained.
    """

    text: str
    score: float


def score_of(recipe: Mapping[str, Any]) -> Score:
    """Returns how values become scores, by the loss that a network was trained with (`ce` or `bce`)."""
    return "sigmoid" if str(recipe.get("loss", "")).startswith(("bce", "sigmoid")) else "softmax"


def ranked(logits: NDArray[np.floating], answers: Sequence[str], score: Score, most: int = 5) -> list[Said]:
    """Returns the likeliest answers, best first; of equal ones that of the lower class.

    Args:
        logits: ``float (A,)``.
        answers: As many texts.
        score: How values become scores.
        most: How many are given.
    """
    values = np.asarray(logits, dtype=np.float64)
    if score == "softmax":
        shares = np.exp(values - values.max())
        shares /= shares.sum()
    else:
        shares = 1 / (1 + np.exp(-np.clip(values, -700, 700)))
    best = np.argsort(-values, kind="stable")[:most]
    return [Said(answers[number], float(np.clip(shares[number], 0, 1))) for number in best]
