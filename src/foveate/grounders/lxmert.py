"""LXMERT: words attend to regions; what the last layer's do, averaged and painted, is the region."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import GrounderCard
from foveate.grounders._attention.official import lxmert_model, official
from foveate.grounders._attention.region_method import RegionMethod, Weighed, box_rule, checked_layer
from foveate.grounders._attention.region_texts import Asked
from foveate.grounders._attention.region_weights import (
    Tokens,
    checked_choice,
    checked_heads,
    cross_weights,
    of_heads,
)
from foveate.grounders._attention.tiny import write_tiny_checkpoint
from foveate.perception.attention import Cut, Normalise, Paint

if TYPE_CHECKING:
    from foveate.networks._batches import RegionBatch

CARD = GrounderCard(
    name="lxmert",
    summary="Answers by a network in which words attend to regions, and points to the regions they attended to.",
    reference=(
        "Tan, Bansal: LXMERT: Learning Cross-Modality Encoder Representations from Transformers, EMNLP 2019; read as "
        "in Chen, Anjum, Gurari, CVPR 2022."
    ),
    needs_image=True,
    answers=True,
    regions="mask",
    weights=("yolov3_tiny", "vit_s_focus"),
    limits=(
        "Gives one of the answers that it was trained with to every question, and can point only to boxes that its "
        "regions have. It never learnt where evidence is. The official weights need stored regions of the detector "
        "that they were trained with, and were not at hand: they are read by the names of the official code."
    ),
    speed=(
        "a second and more for regions found here, not for stored ones; a question under 0.3 s with a small network, "
        "1.4 s at full size (two CPU cores, busy; random numbers)"
    ),
    licence="code Apache-2.0; LXMERT's code and weights MIT; regions found here as propose and ViT-S/14 (NOTICE)",
    trained_on=("whatever its file was trained on, which runs record",),
)
# As the paper has them: 36 regions, 20 places of text with the marks of beginning and end.
_REGIONS, _TEXT = 36, 20
_MARKS = 2


def write_tiny(folder: Path) -> dict[str, Any]:
    """Writes a tiny network that learnt nothing; returns the options that name it, for the tests of all methods."""
    sizes = {"features": 3, "width": 8, "heads": 2, "inner": 12, "longest_text": 24}
    layers = {"language_layers": 1, "region_layers": 1, "cross_layers": 2}
    return write_tiny_checkpoint(folder, {"network": "lxmert", **sizes, **layers}, {"name": "colour", "most": 14})


class Grounder(RegionMethod):
    """Answers by LXMERT.

    Args:
        file: The checkpoint that `foveate train` wrote; left out, the one that comes with the package.
        model: Official weights instead: a repository of the hub, its folder, or a file of the original code.
        answers: With `model`: a JSON list of its answers, where it does not tell them itself.
        vocabulary: With `model`: its `vocab.txt`, where that is not beside it.
        regions: `offline`, `hub:NAME` or a path of stored regions, instead of the checkpoint's own.
        tokens: Whose attention counts: `all` places of a question that is padded to 20, as in the paper, those that
            are there (`non_pad`), or the beginning's (`cls`).
        heads: `mean` of all heads as in the paper, `max`, or the number of one, from 1 on.
        layer: Which layer of both kinds counts, from 1 on; left out, the last, as in the paper.
        normalise: What attention is divided by before it is cut.
        threshold: From where on a place belongs to the region.
        region: The `mask` of these places, or a box around them.
        paint: What counts where boxes overlap.
        device: Where the network runs: `cpu` or `cuda`.
    """

    pads = True

    def __init__(
        self,
        file: str = "",
        model: str = "",
        answers: str = "",
        vocabulary: str = "",
        regions: str = "",
        tokens: Tokens = "all",
        heads: str = "mean",
        layer: int | None = None,
        normalise: Normalise | None = None,
        threshold: float | None = None,
        region: Cut | None = None,
        paint: Paint | None = None,
        device: str = "cpu",
    ) -> None:
        self._tokens = checked_choice("lxmert", "tokens", tokens, Tokens)
        super().__init__(
            "lxmert",
            model=official(lxmert_model, model, answers, vocabulary, _TEXT - _MARKS) if model else None,
            file=file,
            regions=regions,
            slots=(_REGIONS, _TEXT),
            device=device,
            rule=box_rule(normalise, threshold, region, paint),
        )
        config = self._checkpoint.card.config
        self._heads = checked_heads("lxmert", str(heads), int(config.get("heads", 12)))
        self._layers = int(config.get("cross_layers", 5))
        self._layer = checked_layer("lxmert", layer, self._layers)

    def _weighed(self, network: Any, batch: RegionBatch, asked: Asked) -> tuple[NDArray[Any], Weighed]:
        """Returns answers, and the regions by the words that attend to them."""
        output = network(batch, self._layer)
        cross = output.attention["cross"][0].float().cpu().numpy()
        regions = cross_weights(cross, len(asked.words) + _MARKS, int(batch.valid[0].sum()), self._tokens, self._heads)
        # How much each word looks at the region that has the most of all.
        words = None if self._tokens == "cls" else of_heads(cross, self._heads)[1:, int(regions.argmax())]
        shares = None if words is None else _shares(words[: len(asked.words)])
        when = f"layer {self._layer + 1} of {self._layers}"
        return output.logits[0].float().cpu().numpy(), Weighed(regions, shares, when)


def _shares(values: NDArray[np.float64]) -> NDArray[np.float64]:
    total = float(values.sum())
    return values / total if total > 0 else values
