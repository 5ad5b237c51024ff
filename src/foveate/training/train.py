"""Training a method on a data set: from a recipe to a checkpoint that a grounder takes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.datasets._open import Dataset, fingerprint, open_dataset
from foveate.errors import InputError, OutputError
from foveate.execution.ground import RunProgress
from foveate.formats.checkpoints import CheckpointCard, write_checkpoint
from foveate.networks._states import arrays_of
from foveate.networks.build import build
from foveate.runs.provenance import provenance
from foveate.training.examples import examples_of, vocabularies
from foveate.training.feature_folder import reader_of
from foveate.training.loop import End, Loop, Material, accuracy_of
from foveate.training.recipe import Recipe
from foveate.training.regions_scored import mean_overlap
from foveate.training.state import replace_file
from foveate.training.told import Told

BEST, LAST, LOG, HEADER = "best.safetensors", "last.safetensors", "log.csv", "training.json"
Pairs = list[tuple[Query, Truth]]


@dataclass(frozen=True)
class Where:
    """The data of a training.

    Attributes:
        data: `NAME` or `NAME:SPLIT` to learn from.
        validation: The split of the same data set that decides which epoch is the best.
        root: The folder of the data set.
        features: The folder of stored features, one file a split; made where it is not there.
        settings: Options of the data set.
    """

    data: str
    validation: str
    root: Path | None
    features: Path | None = None
    settings: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Trained:
    """What a training came to.

    Attributes:
        out: Its folder.
        end: Why it ended.
        history: A line an epoch.
    """

    out: Path
    end: End
    history: Sequence[Mapping[str, Any]]


def train(
    recipe: Recipe,
    where: Where,
    out: Path,
    *,
    resume: bool = False,
    device: str = "cpu",
    minutes: float | None = None,
    progress: RunProgress | None = None,
    told: Told | None = None,
) -> Trained:
    """Trains a network; leaves `best.safetensors`, `last.safetensors`, `log.csv` and `training.json`.

    Args:
        recipe: How.
        where: On what.
        out: The folder.
        resume: Go on with what is there.
        device: Where it runs.
        minutes: After so many in all it ends.
        progress: Is told how far features are.
        told: Is told how far the training is.

    Raises:
        InputError: The data are not there or broken, or what is in `out` is of another training.
        OutputError: There is a training in `out`, and `resume` is not said.
    """
    data = open_dataset(where.data, where.root, settings=where.settings)
    validation = open_dataset(f"{data.card.name}:{where.validation}", where.root, settings=where.settings)
    pairs, asked_later = list(data.pairs()), list(validation.pairs())
    words, answers = vocabularies(pairs, recipe.least_word, recipe.most_answers, data.name)
    folder = where.features or out / "features"
    readers = [reader_of(recipe, one, folder, progress) for one in (data, validation)]
    config = {**recipe.network, "vocabulary": len(words), "answers": len(answers), "features": readers[0].width}
    torch.manual_seed(recipe.seed)
    network = build(config)
    card = CheckpointCard(
        config=getattr(network, "config", config),
        words=words.words,
        longest=recipe.longest,
        answers=answers.answers,
        source=recipe.source,
        rule=recipe.rule,
        trained_on={
            "dataset": data.name,
            "fingerprint": fingerprint([query for query, _ in pairs]),
            "n": len(pairs),
            "validation": validation.name,
        },
        recipe=recipe.model_dump(mode="json"),
    )
    _begin(out, card, resume=resume)
    materials = [
        Material(examples_of(one, words, answers, recipe.longest), reader, len(answers))
        for one, reader in zip((pairs, asked_later), readers, strict=True)
    ]
    judge = _Judge(recipe, materials[1], validation, asked_later, folder, out, card, device)
    loop = Loop(
        network,
        materials[0],
        recipe,
        out,
        validate=judge.validate,
        keep=judge.keep,
        device=device,
        minutes=minutes,
        told=told,
    )
    end = loop.run()
    return Trained(out, end, loop.history)


@dataclass(frozen=True, eq=False)
class _Judge:
    """Scores a network between epochs, and keeps it."""

    recipe: Recipe
    material: Material
    data: Dataset
    pairs: Pairs
    features: Path
    out: Path
    card: CheckpointCard
    device: str

    def validate(self, network: nn.Module) -> dict[str, float]:
        rows = np.arange(len(self.material.examples))[: self.recipe.validate_on]
        found = {"accuracy": accuracy_of(network, self.material, rows, self.recipe.photos, self.device)}
        if self.recipe.regions_on:
            trial = self.out / ".trial.safetensors"
            write_checkpoint(trial, arrays_of(network), self.card)
            found["mean_iou"] = mean_overlap(
                str(self.recipe.network["network"]),
                trial,
                self.features / f"{self.data.split}.h5",
                self.pairs,
                self.recipe.regions_on,
                self.device,
            )
            trial.unlink()
        return found

    def keep(self, network: nn.Module, history: list[dict[str, Any]], best: bool) -> None:
        card = self.card.model_copy(update={"history": tuple(history)})
        write_checkpoint(self.out / (BEST if best else LAST), arrays_of(network), card)
        replace_file(self.out / LOG, _table(history).encode("utf-8"))


def _begin(out: Path, card: CheckpointCard, *, resume: bool) -> None:
    """Writes what a training is, or checks that what is there is the same.

    Raises:
        InputError: It is another.
        OutputError: There is one, and `resume` is not said.
    """
    told = card.model_dump(mode="json", include={"config", "source", "trained_on", "recipe"})
    path = out / HEADER
    if not path.exists():
        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**told, "provenance": provenance()}, indent=1)
        replace_file(path, f"{text}\n".encode())
        return
    if not resume:
        raise OutputError(str(out), "there is a training in it", "Go on with --resume, or take another --out.")
    there = json.loads(path.read_text(encoding="utf-8"))
    other = [key for key in told if there.get(key) != told[key]]
    if other:
        raise InputError(str(path), f"it is another training ({', '.join(other)} differ)", "Take another --out.")


def _table(history: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    names = list(dict.fromkeys(name for line in history for name in line))
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(history)
    return text.getvalue()
