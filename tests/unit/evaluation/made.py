"""Runs made in memory: predictions and truths joined and measured, without a data set on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.regions import Region, Shape
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Match, Target, TargetShape, Truth
from foveate.evaluation.load import Loaded
from foveate.evaluation.results import Results, results_of
from foveate.runs.header import Header

SIZE = (100, 100)


def results(
    samples: Sequence[tuple[Prediction | None, Truth]],
    *,
    photos: Sequence[str] | None = None,
    config: Mapping[str, Any] | None = None,
    name: str = "made",
) -> Results:
    """Returns a run; each sample has a photo of its own unless told otherwise."""
    truths = [truth for _, truth in samples]
    named = photos or [f"{truth.id}.jpg" for truth in truths]
    queries = [
        Query(truth.id, photo, None, f"What is {truth.id}?", truth.size_hw)
        for truth, photo in zip(truths, named, strict=True)
    ]
    header = Header("made:val", "", "made", dict(config or {}), len(truths), len(truths))
    predictions = [prediction for prediction, _ in samples if prediction is not None]
    loaded = Loaded(Path("made"), cast(Any, None), predictions, truths, queries, [], {}, header)
    return results_of(name, loaded)


def said(
    sample: str,
    shape: Shape | None,
    *,
    score: float | None = None,
    answer: str | None = None,
    answer_score: float | None = None,
    others: Sequence[Shape] = (),
    soft: SoftMap | None = None,
) -> Prediction:
    """Returns a prediction on a photo of 100 x 100, `no_region` for None; `others` are further candidates."""
    candidates = tuple(Region(other, None) for other in others)
    if shape is None:
        return Prediction(
            sample, "no_region", answer, answer_score, None, candidates, SIZE, reason="nothing there", map=soft
        )
    region = Region(shape, score)
    return Prediction(sample, "ok", answer, answer_score, region, (region, *candidates), SIZE, map=soft)


def failed(sample: str) -> Prediction:
    """Returns a prediction of a method that failed."""
    return Prediction(sample, "error", size_hw=SIZE, reason="it broke")


def asked(sample: str, *shapes: TargetShape, answers: Sequence[str] = (), match: Match = "single") -> Truth:
    """Returns a truth on a photo of 100 x 100."""
    return Truth(sample, tuple(answers), tuple(map(Target, shapes)), match, bool(shapes), SIZE)
