"""Small runs, made up and by hand, as `Results`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from foveate.core.predictions import Prediction
from foveate.core.queries import Image, Query
from foveate.core.regions import Box, Region
from foveate.core.truths import Fact, Target, TargetShape, Truth
from foveate.datasets._open import Dataset
from foveate.evaluation.load import Loaded
from foveate.evaluation.results import Results, results_of
from tests.helpers import Sides

HW = (10, 10)
WHOLE: Sides = (0.0, 0.0, 10.0, 10.0)


@dataclass(frozen=True)
class Made:
    """One sample; the photo is 10 x 10 pixels, and the whole of it is predicted where nothing else is said."""

    target: Sides | TargetShape | None = WHOLE
    predicted: Sides | None = WHOLE
    facts: Mapping[str, Fact] = field(default_factory=dict)
    question: str = "What is this?"
    photo: str | None = None
    image: Image | None = None
    score: float | None = 0.5
    answers: tuple[str, ...] = ()
    known_size: bool = True


def run(samples: Sequence[Made], name: str = "made", evaluate_as: str = "box") -> Results:
    """Returns a run on these samples, called 0, 1, 2, … in their order."""
    queries, truths, predictions = [], [], []
    for number, one in enumerate(samples):
        size = HW if one.known_size else None
        photo = one.photo or f"{number}.jpg"
        queries.append(Query(str(number), photo, one.image, one.question, size))
        shape = Box(one.target) if isinstance(one.target, tuple) else one.target
        targets = (Target(shape),) if shape is not None else ()
        truths.append(Truth(str(number), one.answers, targets, size_hw=size, facts=dict(one.facts)))
        predictions.append(_prediction(str(number), one))
    data = _dataset(queries, truths, evaluate_as)
    return results_of(name, Loaded(Path(name), data, predictions, truths, queries, (), {"source": name}))


def covering(share: int) -> Sides:
    """Returns a box of so many columns of ten: the IoU of the whole photo with it is a tenth of that."""
    return (0.0, 0.0, float(share), 10.0)


def random_run(n: int, seed: int = 0, name: str = "made") -> Results:
    """Returns a run in which everything is spread, two samples a photo, some without a region or a target."""
    rng = np.random.default_rng(seed)
    samples = []
    for number in range(n):
        target = None if rng.random() < 0.1 else covering(int(rng.integers(1, 11)))
        predicted = None if rng.random() < 0.2 else covering(int(rng.integers(1, 11)))
        skills = tuple(s for s in ("text", "object", "colour") if rng.random() < 0.5)
        facts: dict[str, Fact] = {"quality": str(rng.choice(["none", "medium", "severe"])), "skills": skills}
        if rng.random() < 0.3:
            del facts["quality"]
        score = float(np.round(rng.random(), 2))
        samples.append(Made(target, predicted, facts, photo=f"{number // 2}.jpg", score=score))
    return run(samples, name)


def _prediction(sample: str, one: Made) -> Prediction:
    if one.predicted is None:
        return Prediction(sample, "no_region", size_hw=HW, reason="nothing there")
    region = Region(Box(one.predicted), one.score)
    return Prediction(sample, "ok", final=region, candidates=(region,), size_hw=HW)


def _dataset(queries: Sequence[Query], truths: Sequence[Truth], evaluate_as: str) -> Dataset:
    def given_queries(*_: object) -> Iterator[Query]:
        return iter(queries)

    def given_truths(*_: object) -> Iterator[Truth]:
        return iter(truths)

    card = SimpleNamespace(name="made", evaluate_as=evaluate_as, splits={"all": None}, options={})
    module: Any = SimpleNamespace(CARD=card, queries=given_queries, truths=given_truths)
    return Dataset(module.CARD, "all", None, None, False, module)
