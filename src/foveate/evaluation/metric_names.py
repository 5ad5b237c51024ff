"""A metric by the name that a person gives: `accuracy@0.75`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from foveate import plugins
from foveate.core.cards import MetricCard
from foveate.errors import FoveateError, UsageError

Weights = NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True)
class Metric:
    """A metric with its parameter.

    Attributes:
        name: Its full name; `accuracy` is `accuracy@0.5`.
        module: The plugin.
        parameter: The value after `@`, or None where it takes none.
    """

    name: str
    module: ModuleType
    parameter: float | None

    @property
    def card(self) -> MetricCard:
        """What the metric says of itself."""
        card: MetricCard = self.module.CARD
        return card


def metrics_named(names: Sequence[str] | str) -> list[Metric]:
    """Returns metrics in the order of their names, each once.

    Raises:
        UsageError: There is no such metric, or it takes no such value.
    """
    found = [_metric(name) for name in ([names] if isinstance(names, str) else names)]
    return list({metric.name: metric for metric in found}.values())


def _metric(name: str) -> Metric:
    base, at, text = name.partition("@")
    module = plugins.load("metrics", base)
    card: MetricCard = module.CARD
    if at and card.parameter is None:
        raise UsageError(f"metric {name}", f"{base} takes no value after @", f"Call it {base}.")
    empty = at_work(base, lambda: module.measure([], []))
    try:
        parameter = float(text) if at else card.default_parameter
        at_work(base, lambda: module.reduce(empty, np.zeros((1, 0)), parameter), passed=ValueError if at else ())
    except ValueError as error:
        raise UsageError(f"metric {name}", str(error), f"After @ comes {card.parameter}.") from error
    return Metric(base if parameter is None else f"{base}@{_short(parameter)}", module, parameter)


def at_work(name: str, work: Callable[[], T], passed: type[Exception] | tuple[()] = ()) -> T:
    """Returns what a metric returns; a fault of it is told with its name, since the metric may be anybody's.

    Args:
        name: The metric's.
        work: Calls it.
        passed: Errors that mean something to the caller.

    Raises:
        FoveateError: It raised anything else but our own errors.
    """
    try:
        return work()
    except (FoveateError, MemoryError):
        raise
    except Exception as error:
        if passed and isinstance(error, passed):
            raise
        raise FoveateError(
            f"metric {name}", f"it failed ({type(error).__name__}: {error})", "Tell whoever wrote it."
        ) from error


def _short(parameter: float) -> str:
    return str(int(parameter)) if abs(parameter) < 1e6 and parameter == int(parameter) else repr(parameter)
