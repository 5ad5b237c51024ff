"""How well the regions of a network in training fit, by the very way that its grounder goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.execution.ground import load_grounder
from foveate.execution.map_queries import map_queries
from foveate.metrics._overlaps import measure


def mean_overlap(name: str, options: Mapping[str, str], pairs: Sequence[tuple[Query, Truth]], most: int) -> float:
    """Returns the mean IoU on the first questions that have a target; 0 where none has.

    Args:
        name: The grounder.
        options: What it is set up with.
        pairs: Questions with their truths.
        most: How many of them.
    """
    chosen = [(query, truth) for query, truth in pairs if truth.targets][:most]
    _, grounder = load_grounder(name, options)
    predictions = list(map_queries([query for query, _ in chosen], grounder))
    found = measure(predictions, [truth for _, truth in chosen])
    return float(found["iou"].mean()) if chosen else 0.0
