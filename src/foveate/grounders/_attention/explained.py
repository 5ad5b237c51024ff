"""What an answer by attention rests on, for people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.explanations import Evidence, Explanation
from foveate.core.regions import Region
from foveate.grounders._attention.answering import Said

EVERYWHERE = "The network attended to all places alike, which points nowhere."
BELOW = "The network attended to no place as much as the threshold asks."
_MOST_WORDS = 3
# A word that got less is not told, unless it is the first.
_LEAST_SHARE = 0.1


def words_attended(words: Sequence[str], shares: NDArray[np.floating]) -> tuple[str, ...]:
    """Returns the words that were attended to most, at least one, the weightiest first and each once.

    Args:
        words: Of the question.
        shares: ``float (L,)``, as many or more.
    """
    if not words:
        return ()
    kept = np.asarray(shares[: len(words)])
    order = [int(number) for number in np.argsort(-kept, kind="stable")]
    told = [words[n] for rank, n in enumerate(order) if rank == 0 or kept[n] >= _LEAST_SHARE]
    return tuple(dict.fromkeys(told))[:_MOST_WORDS]


def explanation(when: str, words: Sequence[str], region: Region | None, said: Sequence[Said]) -> Explanation:
    """Returns what an answer rests on: a place, and the words of the question that it was looked at for.

    Args:
        when: Of which attention it is, in words: `step 4 of 4`.
        words: Those attended to, the weightiest first.
        region: The place; None where there is none.
        said: The answers, best first; those after the first are told as considered.
    """
    for_words = " for " + ", ".join(f'"{word}"' for word in words) if words else ""
    place = f"the place that {when} attended to" if region is not None else f"no place more than others at {when}"
    others = tuple(Evidence("photo", f'the answer "{other.text}"', other.score) for other in said[1:] if other.text)
    return Explanation((Evidence("photo", f"{place}{for_words}", None, region),), others)
