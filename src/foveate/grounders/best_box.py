"""A prior: the one box that overlaps the targets of a training split best."""

from __future__ import annotations

from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.grounders._prior_file import (
    LICENCE,
    LIMITS,
    REFERENCE,
    SPEED,
    PriorFileGrounder,
    best_box_of,
    shares_to_box,
)
from foveate.grounders._prior_file import write_tiny_prior as write_tiny

CARD = GrounderCard(
    name="best_box",
    summary="The one box, in shares of the photo, with the highest mean IoU on a training split.",
    reference=REFERENCE,
    needs_image=False,
    answers=False,
    regions="box",
    limits=LIMITS,
    speed=SPEED,
    licence=LICENCE,
)

__all__ = ["CARD", "Grounder", "write_tiny"]


class Grounder(PriorFileGrounder):
    """Gives the same box on every photo.

    Args:
        file: The prior, written by `foveate analyze … --prior FILE.npz`.

    Raises:
        UsageError: No file is given.
        InputError: It is no prior, or one of a version without a best box.
    """

    def __init__(self, file: str = "") -> None:
        super().__init__(file, "best_box")
        self._shares = best_box_of(self.prior, file)

    def ground(self, question: str) -> Prediction:
        """Returns the box on the photo that was prepared."""
        return self.grounded(shares_to_box(self._shares, self._size_hw))
