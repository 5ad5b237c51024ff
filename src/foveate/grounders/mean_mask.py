"""A prior: where the targets of a training split lie on average."""

from __future__ import annotations

from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.prior_cells import SHARE_OF_PEAK
from foveate.grounders._prior_file import LICENCE, LIMITS, REFERENCE, SPEED, MeanGrounder, RegionKind
from foveate.grounders._prior_file import write_tiny_prior as write_tiny

CARD = GrounderCard(
    name="mean_mask",
    summary="The places that the targets of a training split cover most often, whatever the question.",
    reference=REFERENCE,
    needs_image=False,
    answers=False,
    regions="mask",
    limits=LIMITS,
    speed=SPEED,
    licence=LICENCE,
)

__all__ = ["CARD", "Grounder", "write_tiny"]


class Grounder(MeanGrounder):
    """Gives the same places on every photo.

    Args:
        file: The prior, written by `foveate analyze … --prior FILE.npz`.
        share: Of the highest value of the mean, from which on a place belongs to the region.
        region: The `mask` of these places, or the `box` around them.

    Raises:
        UsageError: An option is none that there is.
        InputError: The file is no prior.
    """

    def __init__(self, file: str = "", share: float = SHARE_OF_PEAK, region: RegionKind = "mask") -> None:
        super().__init__(file, "mean_mask", share, region)

    def ground(self, question: str) -> Prediction:
        """Returns the region of the mean of all targets."""
        return self.region_of(self.prior.mean)
