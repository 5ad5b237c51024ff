"""What an explanation owes to its prediction (`foveate.grounders._protocol.Explains`)."""

from __future__ import annotations

from foveate.core.explanations import Explanation
from foveate.core.predictions import Prediction


def agree(said: Prediction, told: Explanation) -> bool:
    """Returns whether there is a refusal exactly where nothing is said, and the region is what the answer rests on."""
    refused = said.answer is None and said.final is None
    if (told.refusal is not None) != refused:
        return False
    if said.final is None:
        return not refused or not told.rests_on
    first = told.rests_on[0].region if told.rests_on else None
    return first is not None and first.shape == said.final.shape
