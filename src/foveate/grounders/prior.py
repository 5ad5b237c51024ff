"""A prior: where the targets of a training split lie for such a question, whatever the photo shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.prior_cells import SHARE_OF_PEAK
from foveate.core.question_texts import normalised, question_prefix
from foveate.errors import UsageError
from foveate.grounders._prior_file import LICENCE, LIMITS, REFERENCE, SPEED, MeanGrounder, RegionKind
from foveate.grounders._prior_file import write_tiny_prior as write_tiny

CARD = GrounderCard(
    name="prior",
    summary="Where a training split's targets lie for the same question, else for one that begins alike, else for all.",
    reference=REFERENCE,
    needs_image=False,
    answers=False,
    regions="mask",
    limits=LIMITS,
    speed=SPEED,
    licence=LICENCE,
)

By = Literal["question", "question_prefix", "all"]
# From the closest to the question on; a group that the file does not have leaves it to the next.
_KEYS = {"question": normalised, "question_prefix": question_prefix}
_SAID = {"question": "of the same question ", "question_prefix": "of questions that begin alike ", "all": ""}

__all__ = ["CARD", "Grounder", "write_tiny"]


class Grounder(MeanGrounder):
    """Gives the places that are covered most often by the targets of questions like this one.

    Args:
        file: The prior, written by `foveate analyze … --prior FILE.npz`.
        by: What a mean is looked up by first: the whole `question`, its first two words (`question_prefix`), or nothing
            (`all`).
        share: Of the highest value of a mean, from which on a place belongs to the region.
        region: The `mask` of these places, or the `box` around them.

    Raises:
        UsageError: An option is none that there is.
        InputError: The file is no prior.
    """

    def __init__(
        self, file: str = "", by: By = "question", share: float = SHARE_OF_PEAK, region: RegionKind = "mask"
    ) -> None:
        if by not in get_args(By):
            raise UsageError("grounder prior", f"by is {by}", f"Say by={', by='.join(get_args(By))}.")
        super().__init__(file, "prior", share, region)
        self._kind = "all"
        kinds = list(_KEYS)[get_args(By).index(by) :]
        self._means: Mapping[str, Mapping[str, NDArray[np.float32]]] = {
            kind: {group.key: group.mean for group in self.prior.groups if group.kind == kind} for kind in kinds
        }

    def ground(self, question: str) -> Prediction:
        """Returns the region of the closest mean that the file has."""
        found = ((kind, means.get(_KEYS[kind](question))) for kind, means in self._means.items())
        self._kind, mean = next(((kind, mean) for kind, mean in found if mean is not None), ("all", self.prior.mean))
        return self.region_of(mean)

    def always(self) -> str:
        """Returns what it gave, in words."""
        return f"where most targets {_SAID[self._kind]}lie"
