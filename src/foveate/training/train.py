"""Training a method on a data set: from a recipe to a checkpoint that a grounder takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from foveate.core.boxes import SizeHW
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.datasets._open import Dataset, fingerprint, open_dataset
from foveate.execution.ground import RunProgress
from foveate.formats.checkpoints import CheckpointCard
from foveate.networks.build import build
from foveate.perception.vocabulary import Answers, Words
from foveate.training.examples import examples_of, vocabularies
from foveate.training.feature_folder import Features
from foveate.training.header import begin
from foveate.training.judge import Judge
from foveate.training.loop import End, Loop, Material
from foveate.training.processes import processes
from foveate.training.readers import GridReader, RegionReader
from foveate.training.recipe import Recipe
from foveate.training.start import begin_with, read_start
from foveate.training.told import All, Board, Told

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
        first: Whether this process is the one that tells of it.
    """

    out: Path
    end: End
    history: Sequence[Mapping[str, Any]]
    first: bool = True


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

    Started by `torchrun`, it shares the work with the other processes; the first writes and tells.

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
        UsageError: The network or the device is none.
    """
    with processes(device) as these:
        features = Features(recipe, where.features or out / "features", progress if these.first else None)
        data, later = (
            _Split.of(open_dataset(name, where.root, settings=where.settings))
            for name in (where.data, f"{where.data.partition(':')[0]}:{where.validation}")
        )
        if these.first:
            features.make(data.data)
            features.make(later.data)
        these.wait()
        card, materials = _prepared(recipe, features, data, later)
        network = _network(recipe, card)
        card = card.model_copy(update={"config": dict(getattr(network, "config", card.config))})
        counts = _counts(materials[0], card)
        if these.first:
            begin(out, card, counts, resume=resume)
        these.wait()
        judge = Judge(recipe, materials[1], later.pairs, features.options(later.data.split), out, card, these)
        tells = All(told or Told(), Board(out / "tensorboard")) if these.first else Told()
        loop = Loop(network, materials[0], recipe, out, judge=judge, processes=these, minutes=minutes, told=tells)
        tells.begin(counts)
        try:
            return Trained(out, loop.run(), loop.history, these.first)
        finally:
            tells.end()


def _network(recipe: Recipe, card: CheckpointCard) -> nn.Module:
    torch.manual_seed(recipe.seed)
    network = build(card.config)
    if recipe.start is not None:
        begin_with(network, read_start(recipe))
    return network


@dataclass(frozen=True, eq=False)
class _Split:
    data: Dataset
    pairs: Pairs
    sizes: Mapping[str, SizeHW]

    @classmethod
    def of(cls, data: Dataset) -> _Split:
        pairs = list(data.pairs())
        sizes = {query.image_name: query.size_hw for query, _ in pairs if query.size_hw is not None}
        return cls(data, pairs, sizes)


def _prepared(recipe: Recipe, features: Features, data: _Split, later: _Split) -> tuple[CheckpointCard, list[Material]]:
    """Returns what a network is built of, and the questions of both splits as numbers."""
    readers = [features.reader(split.data, split.sizes) for split in (data, later)]
    words, answers = vocabularies(
        data.pairs, recipe.least_word, recipe.most_answers, data.data.name, _names_seen(readers[0], data.pairs)
    )
    before = None if recipe.start is None else read_start(recipe).card
    words = words if before is None else Words(before.words)
    card = CheckpointCard(
        config={"features": readers[0].width, **recipe.network, "vocabulary": len(words), "answers": len(answers)},
        words=words.words,
        longest=recipe.longest,
        answers=answers.answers,
        source=features.told(data.data.split),
        rule=recipe.rule,
        trained_on={
            "dataset": data.data.name,
            "fingerprint": fingerprint([query for query, _ in data.pairs]),
            "n": len(data.pairs),
            "validation": later.data.name,
            **({} if before is None else {"before": before.trained_on}),
        },
        recipe=recipe.model_dump(mode="json"),
    )
    pairs = zip((data, later), readers, strict=True)
    return card, [_material(split, reader, words, answers, recipe.longest) for split, reader in pairs]


def _material(
    split: _Split, reader: GridReader | RegionReader, words: Words, answers: Answers, longest: int
) -> Material:
    if isinstance(reader, RegionReader):
        reader = reader.telling(words)
    return Material(examples_of(split.pairs, words, answers, longest), reader, len(answers))


def _names_seen(reader: GridReader | RegionReader, pairs: Pairs) -> list[str]:
    """Returns the names of what was seen, where they go beside questions."""
    if not isinstance(reader, RegionReader) or not reader.slots:
        return []
    photos = dict.fromkeys(query.image_name for query, _ in pairs)
    return [label for photo in photos for label in reader.labels(photo)]


def _counts(material: Material, card: CheckpointCard) -> dict[str, int]:
    examples = material.examples
    return {
        "questions": len(examples),
        "left_out": int((~examples.answered).sum()),
        "photos": len(examples.names),
        "words": len(card.words),
        "answers": len(card.answers),
    }
