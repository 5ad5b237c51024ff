"""Entries scored against a pack: the scores of `foveate score`, digit for digit, and what intervals are made of."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.challenges.definition import Phase
from foveate.challenges.pack import Pack
from foveate.core.bootstrap import Statistic
from foveate.core.predictions import Prediction
from foveate.errors import InputError, UsageError
from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.evaluate import finite, summarise
from foveate.evaluation.measured import Columns, Measured, measured, reduced
from foveate.evaluation.metric_names import Metric, Weights, metrics_named
from foveate.runs.forms import SUFFIXES, form_of, read_form

# Those of `foveate score`, so that its intervals are these to the digit.
RESAMPLES, SEED = 1000, 0
_INDEX = "index"
# An entry's own path is nobody's business, and its missing ids are counted under `counts`.
_LEFT_OUT = ("source", "missing")


def score_pack(pack: Pack, path: Path, form: str, phase: Phase, resamples: int = 0) -> dict[str, Any]:
    """Returns the scores of a file, all digits, as JSON holds them: what `foveate score --json` says, and by whom.

    Args:
        pack: The questions and targets.
        path: The file, which the check has passed.
        form: Its form, of `foveate.runs.forms`.
        phase: Says which metrics.
        resamples: For the intervals; 0 for none (`intervals_of` gives the same ones later).

    Raises:
        InputError: The file is not of its form, or does not fit the pack.
        UsageError: There is no such metric.
    """
    return scores_of(pack, measure(pack, path, form, phase.metrics), resamples)


def measure(pack: Pack, path: Path, form: str, metrics: Sequence[str]) -> Measured:
    """Returns a file measured against a pack.

    Raises:
        InputError: The file is not of its form, or does not fit the pack.
        UsageError: There is no such metric.
    """
    with named_for(path, form) as named:
        return measure_predictions(pack, read_form(named, pack.sizes, finals_only=True), metrics)


@contextmanager
def named_for(path: Path, form: str) -> Iterator[Path]:
    """Lends a file under a name by which it is read as a form; on a server its own name is a random one."""
    if form_of(path) == form and (form != "toloka" or path.suffix):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="foveate-") as folder:
        named = Path(folder) / f"entry{SUFFIXES[form][0]}"
        named.symlink_to(path.absolute())
        yield named


def measure_predictions(pack: Pack, predictions: Iterable[Prediction], metrics: Sequence[str]) -> Measured:
    """Returns predictions measured against a pack; errors as of `measure`."""
    return measured(predictions, pack.truths, metrics=metrics, groups=pack.groups, where="the entry")


def scores_of(pack: Pack, found: Measured, resamples: int = 0) -> dict[str, Any]:
    """Returns the scores of what was measured, as `score_pack` does."""
    told = summarise(found, resamples=resamples, seed=SEED, about={"dataset": pack.dataset}).as_dict()
    kept = {name: value for name, value in told.items() if name not in _LEFT_OUT}
    plain: dict[str, Any] = json.loads(json.dumps({**kept, "foveate": version("foveate")}, allow_nan=False))
    return plain


def main_value(scores: Mapping[str, Any], phase: Phase) -> float | None:
    """Returns the value of a phase's main metric; None where it is not defined, or was not published."""
    value = scores["metrics"].get(full_name(phase.main), {}).get("value")
    return None if value is None else float(value)


def full_name(metric: str) -> str:
    """Returns a metric's full name: `accuracy` is `accuracy@0.5`.

    Raises:
        UsageError: There is no such metric.
    """
    return metrics_named(metric)[0].name


def published(values: Mapping[str, float], source: str = "") -> dict[str, Any]:
    """Returns the values of a paper in the shape of scores; what the paper does not say is None."""
    nothing = {"low": None, "high": None, "value_scored": None, "n": None, "undefined": None}
    metrics = {full_name(name): {"value": float(value), **nothing} for name, value in values.items()}
    return {"published": True, "source": source, "metrics": metrics}


def columns(found: Measured) -> Mapping[str, Columns]:
    """Returns the columns ``float64 (N,)`` of each metric, one row a sample, in the order of the pack."""
    return found.columns


def write_columns(found: Mapping[str, Columns], path: Path) -> None:
    """Writes the columns of each metric; those that metrics share are written once."""
    numbers: dict[int, int] = {}
    arrays: list[NDArray[np.float64]] = []
    index: dict[str, dict[str, int]] = {}
    for metric, of_metric in found.items():
        for name, column in of_metric.items():
            number = numbers.setdefault(id(column), len(arrays))
            if number == len(arrays):
                arrays.append(column)
            index.setdefault(metric, {})[name] = number
    said = np.frombuffer(json.dumps(index).encode(), dtype=np.uint8)
    kept: dict[str, Any] = {_INDEX: said, **{f"c{number}": one for number, one in enumerate(arrays)}}
    with path.open("wb") as file:
        np.savez_compressed(file, **kept)


def read_columns(path: Path) -> dict[str, Columns]:
    """Returns what `write_columns` wrote.

    Raises:
        InputError: It is missing or broken.
    """
    try:
        with np.load(path, allow_pickle=False) as kept:
            index: dict[str, dict[str, int]] = json.loads(kept[_INDEX].tobytes())
            arrays = {name: kept[name] for name in kept.files}
        return {
            metric: {name: arrays[f"c{number}"] for name, number in names.items()} for metric, names in index.items()
        }
    except (OSError, ValueError, KeyError) as error:
        raise InputError(str(path), "the columns of an entry are missing or broken", "Score it again.") from error


def interval(pack: Pack, found: Mapping[str, Columns], metric: str) -> tuple[float | None, float | None]:
    """Returns the 95 % interval of a metric, the one that `foveate score` prints; None where it is not defined.

    Args:
        pack: Says which samples share a photo and are drawn together.
        found: The columns of an entry, by metric.
        metric: One of them.

    Raises:
        UsageError: There are no columns of it.
    """
    name = full_name(metric)
    if name not in found:
        raise UsageError(f"metric {name}", "the entry was not measured by it", "Score it again.")
    return intervals_of(pack, {name: found[name]})[name]


def intervals_of(
    pack: Pack, found: Mapping[str, Columns], resamples: int = RESAMPLES
) -> dict[str, tuple[float | None, float | None]]:
    """Returns the interval of every metric, all from the same resamples, as `interval` does."""
    chosen = metrics_named(list(found))
    groups = list(pack.groups.values())
    statistics = {metric.name: _statistic(metric, found[metric.name]) for metric in chosen}
    bounds = intervals(statistics, groups, resamples=resamples, seed=SEED)
    ones = np.ones((1, len(groups)))
    defined = {name: finite(float(statistic(ones)[0])) is not None for name, statistic in statistics.items()}
    return {
        name: (finite(low), finite(high)) if defined[name] else (None, None) for name, (low, high) in bounds.items()
    }


def _statistic(metric: Metric, found: Columns) -> Statistic:
    def values(weights: Weights) -> NDArray[np.float64]:
        return reduced(metric, found, weights)["value"]

    return values
