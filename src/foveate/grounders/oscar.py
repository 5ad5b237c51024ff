"""OSCAR: text and regions in one row; how the regions attend to each other, painted, is the region."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from foveate.core.cards import GrounderCard
from foveate.grounders._attention.official import official, oscar_model
from foveate.grounders._attention.region_method import RegionMethod, Weighed, box_rule, checked_layer
from foveate.grounders._attention.region_texts import Asked
from foveate.grounders._attention.region_weights import (
    Block,
    checked_choice,
    checked_heads,
    of_heads,
    self_weights,
)
from foveate.grounders._attention.tiny import write_tiny_checkpoint
from foveate.perception.attention import Cut, Normalise, Paint

if TYPE_CHECKING:
    from foveate.networks._batches import RegionBatch

CARD = GrounderCard(
    name="oscar",
    summary="Answers by a network over a row of words, names of things seen and regions; points to regions attended.",
    reference=(
        "Li and others: Oscar: Object-Semantics Aligned Pre-training for Vision-Language Tasks, ECCV 2020; Zhang and "
        "others: VinVL, CVPR 2021; read as in Chen, Anjum, Gurari, CVPR 2022."
    ),
    needs_image=True,
    answers=True,
    regions="mask",
    weights=("yolov3_tiny", "vit_s_focus"),
    limits=(
        "Gives one of the answers that it was trained with to every question, and can point only to boxes that its "
        "regions have. It never learnt where evidence is; how regions attend to each other need not have to do with "
        "the question. The official weights need stored regions of VinVL's detector, and were not at hand: they are "
        "read by the names of the official code."
    ),
    speed=(
        "a second and more for regions found here, not for stored ones; a question under 0.3 s with a small network, "
        "1.5 s at the size of BERT-base and 8 s of BERT-large (two CPU cores, busy; random numbers)"
    ),
    licence="code Apache-2.0; Oscar's code and weights MIT; regions found here as propose and ViT-S/14 (NOTICE)",
    trained_on=("whatever its file was trained on, which runs record",),
)
# As the paper has them: 50 regions, 64 places of text and names with their marks.
_REGIONS, _TEXT = 50, 64
_MARKS, _PLACE = 2, 6


def write_tiny(folder: Path) -> dict[str, Any]:
    """Writes a tiny network that learnt nothing; returns the options that name it, for the tests of all methods."""
    config = {"network": "oscar", "features": 3, "width": 8, "heads": 2, "inner": 12, "layers": 2, "longest_text": 24}
    return write_tiny_checkpoint(folder, config, {"name": "colour", "most": 14})


class Grounder(RegionMethod):
    """Answers by OSCAR.

    Args:
        file: The checkpoint that `foveate train` wrote; left out, the one that comes with the package.
        model: Official weights instead: their folder, or a file of it.
        answers: With `model`: a JSON list of its answers.
        vocabulary: With `model`: its `vocab.txt`, where that is not beside it.
        regions: `offline`, `hub:NAME` or a path of stored regions, instead of the checkpoint's own.
        block: Who attends to the regions: they themselves (`vision`), as in the paper, the `text`, or its beginning
            (`cls`).
        heads: `mean` of all heads as in the paper, `max`, or the number of one, from 1 on.
        layer: Which layer counts, from 1 on; left out, the last, as in the paper.
        normalise: What attention is divided by before it is cut.
        threshold: From where on a place belongs to the region.
        region: The `mask` of these places, or a box around them.
        paint: What counts where boxes overlap.
        device: Where the network runs: `cpu` or `cuda`.
    """

    def __init__(
        self,
        file: str = "",
        model: str = "",
        answers: str = "",
        vocabulary: str = "",
        regions: str = "",
        block: Block = "vision",
        heads: str = "mean",
        layer: int | None = None,
        normalise: Normalise | None = None,
        threshold: float | None = None,
        region: Cut | None = None,
        paint: Paint | None = None,
        device: str = "cpu",
    ) -> None:
        self._block = checked_choice("oscar", "block", block, Block)
        super().__init__(
            "oscar",
            model=official(oscar_model, model, answers, vocabulary, _TEXT - _MARKS) if model else None,
            file=file,
            regions=regions,
            slots=(_REGIONS, _TEXT),
            device=device,
            rule=box_rule(normalise, threshold, region, paint),
            place=_PLACE,
        )
        config = self._checkpoint.card.config
        self._heads = checked_heads("oscar", str(heads), int(config.get("heads", 12)))
        self._layers = int(config.get("layers", 12))
        self._layer = checked_layer("oscar", layer, self._layers)

    def _weighed(self, network: Any, batch: RegionBatch, asked: Asked) -> tuple[NDArray[Any], Weighed]:
        """Returns answers, and the regions by who attends to them."""
        output = network(batch, self._layer)
        attention = output.attention["self"][0].float().cpu().numpy()
        slots, count = attention.shape[-1] - batch.valid.shape[1], int(batch.valid[0].sum())
        # Tags end with a mark, which is theirs where the marks are given.
        own = network.config["marks"] == "own"
        rows = len(asked.words) + _MARKS + len(asked.tags) + (own and bool(asked.tags))
        regions = self_weights(attention, rows, slots, count, self._block, self._heads)
        words = None
        if self._block == "text":
            looks = of_heads(attention, self._heads)[1 : 1 + len(asked.words), slots + int(regions.argmax())]
            words = looks / max(float(looks.sum()), 1e-12)
        return output.logits[0].float().cpu().numpy(), Weighed(
            regions, words, f"layer {self._layer + 1} of {self._layers}"
        )
