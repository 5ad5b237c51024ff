"""How well the regions of a network in training fit, by the very way that its grounder goes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.execution.ground import load_grounder
from foveate.execution.map_queries import map_queries
from foveate.metrics._overlaps import measure


def mean_overlap(
    name: str, checkpoint: Path, features: Path, pairs: Sequence[tuple[Query, Truth]], most: int, device: str
) -> float:
    """Returns the mean IoU on the first questions that have a target.

    Args:
        name: The grounder.
        checkpoint: What it is set up with.
        features: Stored features of the photos.
        pairs: Questions with their truths.
        most: How many of them.
        device: Where it runs.
    """
    chosen = [(query, truth) for query, truth in pairs if truth.targets][:most]
    _, grounder = load_grounder(name, {"file": str(checkpoint), "features": str(features), "device": device})
    predictions = list(map_queries([query for query, _ in chosen], grounder))
    found = measure(predictions, [truth for _, truth in chosen])
    return float(found["iou"].mean()) if chosen else 0.0
