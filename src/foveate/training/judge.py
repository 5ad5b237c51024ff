"""A network between epochs: scored on the validation split, and kept."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.formats.checkpoints import CheckpointCard, write_checkpoint
from foveate.networks._states import arrays_of
from foveate.replaced_files import replace_file
from foveate.training.loop import Material, right_of
from foveate.training.processes import Processes
from foveate.training.recipe import Recipe
from foveate.training.regions_scored import mean_overlap

BEST, LAST, LOG = "best.safetensors", "last.safetensors", "log.csv"


@dataclass(frozen=True, eq=False)
class Judge:
    """Scores networks and keeps them.

    Attributes:
        recipe: How many questions are asked, and of how many regions are scored.
        material: The questions of the validation split.
        pairs: The same as they are in the data set.
        options: How a grounder finds the features of that split.
        out: Where networks are kept.
        card: What is said of them.
        processes: Those that share the questions.
    """

    recipe: Recipe
    material: Material
    pairs: Sequence[tuple[Query, Truth]]
    options: Mapping[str, str]
    out: Path
    card: CheckpointCard
    processes: Processes

    def validate(self, network: nn.Module) -> dict[str, float]:
        """Returns `accuracy`, and `mean_iou` where the recipe wants it.

        Raises:
            InputError: Features cannot be read.
        """
        rows = np.arange(len(self.material.examples))[: self.recipe.validate_on]
        own = rows[self.processes.number :: self.processes.count]
        right = right_of(network, self.material, own, self.recipe.photos, self.processes.device)
        regions = self._regions(network) if self.recipe.regions_on and self.processes.first else 0.0
        right, regions = self.processes.add_up((right, regions))
        found = {"accuracy": right / max(1, len(rows))}
        return found | {"mean_iou": regions} if self.recipe.regions_on else found

    def keep(self, network: nn.Module, history: list[dict[str, Any]], best: bool) -> None:
        """Writes a network, as the best or as the last, and the log."""
        card = self.card.model_copy(update={"history": tuple(history)})
        write_checkpoint(self.out / (BEST if best else LAST), arrays_of(network), card)
        self.log(history)

    def log(self, history: Sequence[Mapping[str, Any]]) -> None:
        """Writes the table of epochs."""
        replace_file(self.out / LOG, _table(history).encode("utf-8"))

    def _regions(self, network: nn.Module) -> float:
        trial = self.out / ".trial.safetensors"
        write_checkpoint(trial, arrays_of(network), self.card)
        try:
            options = {"file": str(trial), "device": self.processes.device, **self.options}
            return mean_overlap(str(self.recipe.network["network"]), options, self.pairs, self.recipe.regions_on)
        finally:
            trial.unlink()


def _table(history: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    names = list(dict.fromkeys(name for line in history for name in line))
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(history)
    return text.getvalue()
