"""Why a question is missed, as far as the photo's annotations and the detector's boxes tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from benchmarks._asking import Unread, asked
from benchmarks._proxy import Sample
from benchmarks._refusals import score_of
from benchmarks._sets import Asked

from foveate.core.boxes import box_area
from foveate.core.overlap import box_iou
from foveate.core.predictions import Prediction
from foveate.perception import propose
from foveate.perception.phrase_book import phrase_book

HIT, TOUCH = 0.5, 0.1
SMALL = 0.02
WORST = 30

CAUSES = (
    "right",
    "another kind",
    "text instead of a thing",
    "no region, though a box of the kind fits",
    "no region, and no box fits",
    "right kind, box loose",
    "right kind, another box fits",
    "right kind, elsewhere, no box fits",
)


@dataclass(frozen=True, slots=True)
class Explained:
    """A sample, what `pocket` says, its IoU with the right box, and why that is wrong, or that it is right."""

    sample: Sample
    prediction: Prediction
    iou: float
    cause: str


def explained(questions: Asked) -> list[Explained]:
    """Returns what `pocket` says to each sample, with its cause."""
    said = {each.id: each for each in asked(questions.queries, Unread())}
    ious = questions.measured(list(said.values()), "mean_iou").columns["mean_iou"]["iou"].tolist()
    found = []
    for sample, iou in zip(questions.samples, ious, strict=True):
        if sample.query.image is None:
            raise ValueError(f"{sample.query.id} has no photo")
        prediction = said[sample.query.id]
        why = cause(sample, prediction, propose.propose(sample.query.image.load()))
        found.append(Explained(sample, prediction, iou, why))
    return found


def worst(questions: Asked, most: int = WORST) -> list[Explained]:
    """Returns the samples with the lowest IoU, the surest first; of each thing in a photo one."""
    rows = sorted(explained(questions), key=lambda each: (round(each.iou, 2), -score_of(each.prediction)))
    once = {(each.sample.query.image_name, each.sample.kind): each for each in reversed(rows)}
    return sorted(once.values(), key=rows.index)[:most]


def cause(sample: Sample, prediction: Prediction, things: propose.Proposals) -> str:
    """Returns one of `CAUSES`; the truth has a target, and `things` are the detector's boxes of the photo."""
    right = np.array(sample.truth.targets[0].shape.xyxy)
    own = things.xyxy[things.kind == list(phrase_book().things).index(sample.kind)]
    fits = bool((box_iou(right, own, empty=0.0) >= HIT).any())
    if prediction.final is None:
        return CAUSES[3] if fits else CAUSES[4]
    overlap = float(box_iou(right, np.array(prediction.final.shape.xyxy), empty=0.0))
    if overlap >= HIT:
        return CAUSES[0]
    names = {thing.display: thing.name for thing in phrase_book().things.values()}
    if prediction.final.label not in names:
        return CAUSES[2]
    if names[prediction.final.label] != sample.kind:
        return CAUSES[1]
    return CAUSES[6] if fits else CAUSES[5] if overlap >= TOUCH else CAUSES[7]


def is_small(sample: Sample) -> bool:
    """Returns whether the right box is under 2 % of the photo."""
    height, width = sample.query.size_hw or (0, 0)
    return float(box_area(np.array(sample.truth.targets[0].shape.xyxy))) < SMALL * height * width


def counted(samples: Sequence[Sample], causes: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Returns for each cause how many samples have it, and how many of these have a small target."""
    all_of = Counter(causes)
    small = Counter(each for sample, each in zip(samples, causes, strict=True) if is_small(sample))
    return {each: (all_of[each], small[each]) for each in CAUSES}
