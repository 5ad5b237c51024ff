"""Labels with known faults, and methods that would have found the right ones: what an audit is measured on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.overlap import mask_iou
from foveate.core.polygons import clip_corners
from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.regions import Polygon, Region
from foveate.core.rle import area
from foveate.core.truths import Truth
from foveate.evaluation.audit import Audit, Labels
from foveate.evaluation.load import Loaded
from foveate.evaluation.results import Results, results_of

Shares = NDArray[np.float64]
KINDS = ("shifted", "mirrored", "transposed", "swapped", "shrunk")
SHARE = 0.05


@dataclass(frozen=True, eq=False)
class Planted:
    """Labels of which some are wrong.

    Attributes:
        labels: As an audit gets them.
        right: The outline of each as it was, in shares of the sides ``(K, 2)``.
        faults: What was done, by id.
    """

    labels: Labels
    right: Sequence[Shares]
    faults: dict[str, str]


def plant(name: str, truths: Sequence[Truth], queries: Sequence[Query], seed: int) -> Planted:
    """Returns labels of which one in twenty is damaged, so that its IoU with the right one is under one half.

    Args:
        name: Of the data.
        truths: Each with one polygon.
        queries: Of these.
        seed: Of what is drawn.
    """
    rng = np.random.default_rng(seed)
    right = [_outline(truth) for truth in truths]
    changed = list(truths)
    faults: dict[str, str] = {}
    for row in rng.permutation(len(truths)).tolist():
        kind = KINDS[len(faults) % len(KINDS)]
        other = right[int(rng.integers(len(right)))]
        shape = _shape(_damaged(rng, kind, right[row], other), _size(truths[row]))
        was = _shape(right[row], _size(truths[row]))
        if shape and was and _iou(shape, was, _size(truths[row])) < 0.5:
            target = replace(truths[row].targets[0], shape=shape, outline=None)
            changed[row] = replace(truths[row], targets=(target,))
            faults[truths[row].id] = kind
        if len(faults) >= SHARE * len(truths):
            break
    return Planted(Labels(name, changed, queries), right, faults)


def methods(planted: Planted, seed: int, right: Sequence[float] = (0.7, 0.6, 0.5)) -> list[Results]:
    """Returns runs of methods that see the right outline, with noise.

    Each finds it as often as `right` says, moved and stretched a little, else something else: in two of five cases the
    same other thing as the other methods, since real methods fail alike. Scores tell a little of how right they are.
    """
    rng = np.random.default_rng([seed, 1])
    n = len(planted.right)
    common = rng.integers(n, size=n)
    runs = []
    for number, often in enumerate(right):
        predictions = []
        for row, truth in enumerate(planted.labels.truths):
            found = rng.random() < often
            other = int(common[row] if rng.random() < 0.4 else rng.integers(n))
            seen = _noisy(rng, planted.right[row] if found else planted.right[other])
            shape = _shape(seen, _size(truth))
            score = float(np.clip(rng.normal(0.6 if found else 0.4, 0.15), 0, 1))
            predictions.append(
                Prediction(truth.id, "ok", final=Region(shape, score), size_hw=_size(truth))
                if shape
                else Prediction(truth.id, "no_region", size_hw=_size(truth), reason="nothing")
            )
        runs.append(run_of(f"method {number + 1}", planted.labels, predictions))
    return runs


def run_of(name: str, labels: Labels, predictions: Sequence[Prediction]) -> Results:
    """Returns predictions on labels, measured."""
    loaded = Loaded(Path(name), cast(Any, None), predictions, labels.truths, labels.queries, [], {})
    return results_of(name, loaded)


@dataclass(frozen=True)
class Found:
    """How well an audit finds what was planted.

    Attributes:
        precision: Of its first 10, 20 and 57, say, the share that is planted, by how many.
        recall: Of what was planted the share among the first so many, by how many.
        by_kind: Of each kind the share among twice as many as were planted.
    """

    precision: dict[int, float]
    recall: dict[int, float]
    by_kind: dict[str, float]


def found(audit: Audit, faults: dict[str, str], at: Sequence[int]) -> Found:
    """Returns how well an audit finds what was planted."""
    ids = [suspect.id for suspect in audit.suspects]
    hits = {k: sum(name in faults for name in ids[:k]) for k in at}
    first = set(ids[: 2 * len(faults)])
    kinds = {kind: [name in first for name, its in faults.items() if its == kind] for kind in KINDS}
    return Found(
        {k: hits[k] / k for k in at},
        {k: hits[k] / len(faults) for k in at},
        {kind: float(np.mean(inside)) for kind, inside in kinds.items()},
    )


def _size(truth: Truth) -> SizeHW:
    if truth.size_hw is None:
        raise ValueError(f"{truth.id} has no size")
    return truth.size_hw


def _outline(truth: Truth) -> Shares:
    shape = truth.targets[0].shape
    height, width = _size(truth)
    return np.array(cast(Polygon, shape).parts[0]) / [width, height]


def _shape(shares: Shares, size_hw: SizeHW) -> Polygon | None:
    """Returns an outline on a photo; None where no pixel of it lies there."""
    height, width = size_hw
    corners = clip_corners(shares * [width, height], size_hw)
    try:
        shape = Polygon((tuple((x, y) for x, y in corners.tolist()),))
    except ValueError:
        return None
    return shape if area(shape.rle(size_hw)) else None


def _iou(a: Polygon, b: Polygon, size_hw: SizeHW) -> float:
    return float(mask_iou([a.rle(size_hw)], [b.rle(size_hw)], empty=0.0)[0])


def _damaged(rng: np.random.Generator, kind: str, shares: Shares, other: Shares) -> Shares:
    if kind == "shifted":
        return np.asarray(shares + rng.uniform(0.2, 0.5, 2) * rng.choice([-1, 1], 2))
    if kind == "mirrored":
        return np.stack([1 - shares[:, 0], shares[:, 1]], axis=1)
    if kind == "transposed":
        return shares[:, ::-1].copy()
    if kind == "swapped":
        return other
    middle = shares.mean(axis=0)
    shrunk: Shares = middle + (shares - middle) / 3
    return shrunk


def _noisy(rng: np.random.Generator, shares: Shares) -> Shares:
    middle, side = shares.mean(axis=0), shares.max(axis=0) - shares.min(axis=0)
    noisy: Shares = middle + (shares - middle) * rng.normal(1, 0.12, 2) + rng.normal(0, 0.07, 2) * side
    return noisy
