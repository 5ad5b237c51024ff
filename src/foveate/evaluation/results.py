"""One run sample by sample: what slices, anatomy, audits and leakage read, measured once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate import plugins
from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.evaluation.join import Joined
from foveate.evaluation.load import DataPlace, Loaded
from foveate.evaluation.load_same import load_same
from foveate.evaluation.measured import Columns, columns_of, joined_with
from foveate.evaluation.metric_names import Metric

Column = NDArray[np.float64]
# Whose columns tell of each sample how it went: region, IoU and score; answer.
OF_REGIONS, OF_ANSWERS = "aurc", "exact_match"


@dataclass(frozen=True, eq=False)
class Results:
    """A run, or a file of predictions; every column is ``float64 (N,)``, one row a truth, in the order of the data set.

    Attributes:
        name: What it is called beside other runs.
        loaded: Where it is from.
        joined: Truths, each with its prediction or None.
        regions: The columns of `foveate.metrics._selective`: `iou` (0 without a region), `intersection`, `union`,
            `grounded`, `shown`, `rated`, `score`, `scored`.
        answers: The columns of `foveate.metrics._answers`: `answered`, `vqa` where `polled`, `exact` where `keyed`.
    """

    name: str
    loaded: Loaded
    joined: Joined
    regions: Columns
    answers: Columns

    def __len__(self) -> int:
        return len(self.joined.truths)

    @property
    def truths(self) -> Sequence[Truth]:
        """The truths."""
        return self.joined.truths

    @property
    def predictions(self) -> Sequence[Prediction | None]:
        """The prediction of each truth; None where it is missing."""
        return self.joined.predictions

    @cached_property
    def queries(self) -> Sequence[Query]:
        """The query of each truth, without its photo."""
        by_id = {query.id: query for query in self.loaded.queries}
        return [by_id[truth.id] for truth in self.truths]

    @cached_property
    def groups(self) -> Sequence[str]:
        """The photo's name of each truth: what is drawn together in a bootstrap."""
        return [query.image_name for query in self.queries]


def results_of(name: str, loaded: Loaded) -> Results:
    """Returns a run measured.

    Raises:
        InputError: Predictions do not fit the truths, or regions of these data cannot be measured.
    """
    where = str(loaded.source)
    joined = joined_with(loaded.predictions, loaded.truths, where)
    regions, answers = (columns_of(_metric(metric), joined, where, {}) for metric in (OF_REGIONS, OF_ANSWERS))
    return Results(name, loaded, joined, regions, answers)


def all_results(sources: Sequence[Path | str], place: DataPlace) -> list[Results]:
    """Returns runs on the same samples, each measured, with their rows in one order.

    Args:
        sources: One or more, as `foveate score` takes them.
        place: Where the data set is; runs know their own.

    Raises:
        UsageError: One is named twice, or is a file without a data set.
        InputError: They are not about the same samples, or one of them is broken or cannot be measured.
    """
    return [results_of(name, loaded) for name, loaded in load_same(sources, place).items()]


def _metric(name: str) -> Metric:
    return Metric(name, plugins.load("metrics", name), None)
