"""MAC-Caps: MAC over capsules, of which each step takes those that suit; the last step's place is the region."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from foveate.core.cards import GrounderCard
from foveate.core.soft_maps import Reading
from foveate.grounders._attention.grid_method import LICENCE, LIMITS, TRAINED_ON, GridMethod, rule_options
from foveate.grounders._attention.tiny import write_tiny_checkpoint
from foveate.perception.attention import Cut, Normalise

CARD = GrounderCard(
    name="mac_caps",
    summary="As mac, over capsules, of which each step takes those that suit what it is about.",
    reference=(
        "Urooj, Kuehne, Duarte, Gan, Lobo, Shah: Found a Reason for me? Weakly-supervised Grounded Visual Question "
        "Answering using Capsules, CVPR 2021."
    ),
    needs_image=True,
    answers=True,
    regions="mask",
    weights=("vit_s_focus",),
    limits=LIMITS,
    speed="about 0.4 s a photo and 0.1 s a question with 32 capsules at 512 wide; 0.65 GB (two CPU cores)",
    licence=LICENCE,
    trained_on=TRAINED_ON,
)


def write_tiny(folder: Path) -> dict[str, Any]:
    """Writes a tiny network that learnt nothing; returns the options that name it, for the tests of all methods."""
    config = {"network": "mac_caps", "capsules": 3, "features": 3, "steps": 2, "width": 8, "embedding": 6}
    return write_tiny_checkpoint(folder, config, {"name": "colour", "grid": 4})


class Grounder(GridMethod):
    """Answers by MAC-Caps.

    Args:
        file: The checkpoint that `foveate train` wrote; left out, the one that comes with the package.
        step: The step whose attention becomes the region, from 1 on; left out, the last, as in the paper.
        reading: How the grid is read between the middles of its cells.
        normalise: What attention is divided by before it is cut.
        threshold: From where on a place belongs to the region.
        region: The `mask` of these places, or a box around them.
        features: A source of grids, or a path of stored ones, instead of the checkpoint's own.
        device: Where the network runs: `cpu` or `cuda`.
    """

    def __init__(
        self,
        file: str = "",
        step: int | None = None,
        reading: Reading | None = None,
        normalise: Normalise | None = None,
        threshold: float | None = None,
        region: Cut | None = None,
        features: str = "",
        device: str = "cpu",
    ) -> None:
        rule = rule_options(reading, normalise, threshold, region)
        super().__init__("mac_caps", file=file, step=step, features=features, device=device, rule=rule)
