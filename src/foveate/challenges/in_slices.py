"""A board by parts of the samples, after the end: the values of `foveate score --by`, of many entries side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from foveate import plugins
from foveate.analysis.columns import Grouping
from foveate.challenges.pack import SAMPLES, Pack
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import UsageError
from foveate.evaluation.load import Loaded
from foveate.evaluation.measured import Columns, reduced
from foveate.evaluation.metric_names import metrics_named
from foveate.evaluation.results import results_of
from foveate.evaluation.slices import slicings_named

# Of more slices than this the largest are told.
MOST = 12


@dataclass(frozen=True)
class SliceOfBoard:
    """The samples that have something in common.

    Attributes:
        key: What they have in common.
        n: How many they are.
        values: The metric on them, one an entry; None where it is not defined.
    """

    key: str
    n: int
    values: Sequence[float | None]


def slicings_of(pack: Pack) -> dict[str, Grouping]:
    """Returns the ways to part the samples of a pack that have at least two slices of five samples, by name.

    What the photos' own files tell (whether they were turned) is none of them, since a pack has no photos.

    Raises:
        InputError: The pack is broken.
    """
    data = _data(pack)
    # Slices are made of questions and targets; there need be no predictions.
    loaded = Loaded(pack.folder, data, (), pack.truths, pack.queries, (), {})
    return slicings_named(results_of(pack.dataset, loaded), ["all"])


def in_slices(grouping: Grouping, entries: Sequence[Columns], metric: str, n: int) -> list[SliceOfBoard]:
    """Returns the slices of a grouping with the values of entries, the largest ones first to be taken.

    Args:
        grouping: Of `slicings_of`.
        entries: The columns of the metric, one mapping an entry, rows in the order of the pack.
        metric: Its full name.
        n: How many samples the pack has.
    """
    (by,) = metrics_named([metric])
    kept = {id(group) for group in sorted(grouping.groups, key=lambda group: -len(group.rows))[:MOST]}
    made = []
    for group in grouping.groups:
        if id(group) not in kept:
            continue
        weights = np.zeros((1, n))
        weights[0, group.rows] = 1.0
        # One row at a time: its sum is rounded once, as that of a whole score is.
        found = [float(reduced(by, columns, weights)["value"][0]) for columns in entries]
        values = [value if np.isfinite(value) else None for value in found]
        made.append(SliceOfBoard(group.key, len(group.rows), values))
    return made


def as_dict(names: Sequence[str], told: Mapping[str, Sequence[SliceOfBoard]]) -> dict[str, object]:
    """Returns slices as plain values: rows by name, and by slicing a list of slices."""
    return {
        "rows": list(names),
        "slices": {
            name: [{"key": one.key, "n": one.n, "values": list(one.values)} for one in slices]
            for name, slices in told.items()
        },
    }


def _data(pack: Pack) -> Dataset:
    """Returns the pack as a data set, with the card of the one that it was made of where that is known by name."""
    opened = open_dataset(str(pack.folder / SAMPLES))
    try:
        card = plugins.load("datasets", pack.dataset.partition(":")[0]).CARD
    except UsageError:
        return opened
    return replace(opened, card=replace(opened.card, evaluate_as=card.evaluate_as))
