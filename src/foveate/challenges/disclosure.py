"""What may be shown of scores, and to whom: the only way by which they leave the server.

While targets are secret every digit tells of them: whoever may send often enough finds a region by watching the last
digits move. So a phase that is open shows no more than the four digits that `foveate score` prints, times 100.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foveate.challenges.definition import Challenge, Phase
from foveate.challenges.phases import is_over, when
from foveate.evaluation.metric_names import metrics_named

Who = Literal["organiser", "team", "other"]
# `all` digits; `rounded` ones; `rank_only`: places without values; `hidden`: neither.
How = Literal["all", "rounded", "rank_only", "hidden"]

# What is told after the end only: each is counted with the help of targets.
_LATER = ("n_grounded", "n_scored", "abstention", "notes", "slices", "foveate")


@dataclass(frozen=True)
class ShownValue:
    """A metric's value as it is shown, in the metric's own unit (a share of 1).

    Attributes:
        value: The value; None where it is not defined.
        low: Lower end of its 95 % interval; None while that is being worked out.
        high: Upper end.
        text: The value times 100, with all the digits that are shown; a dash for none.
        more: `value_scored`, `n` and why it is undefined; empty while targets are secret.
    """

    value: float | None
    low: float | None
    high: float | None
    text: str
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Returns it as plain values."""
        return {"value": self.value, "low": self.low, "high": self.high, **self.more}


@dataclass(frozen=True)
class Shown:
    """What somebody may see of an entry's scores.

    Attributes:
        how: How much is shown.
        metrics: By the names that the phase gives them; empty where no value is shown.
        counts: How many rows of the file have which state; empty where nothing is shown.
        more: What is told after the end only.
    """

    how: How
    metrics: Mapping[str, ShownValue] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def values(self) -> Mapping[str, str] | None:
        """The metrics' values as texts, times 100; None where no value is shown."""
        return {name: one.text for name, one in self.metrics.items()} if self.metrics else None

    def as_dict(self) -> dict[str, Any]:
        """Returns it as plain values."""
        metrics = {name: one.as_dict() for name, one in self.metrics.items()}
        return {"shown": self.how, "metrics": metrics, "counts": dict(self.counts), **self.more}


def shown(
    scores: Mapping[str, Any] | None,
    phase: Phase,
    challenge: Challenge,
    now: datetime,
    who: Who,
    *,
    after_end: bool = False,
) -> Shown:
    """Returns what somebody may see of scores.

    Args:
        scores: What `foveate.challenges.scoring` returned; None where there are none yet.
        phase: Of the entry.
        challenge: Its challenge.
        now: Aware of its zone.
        who: Who looks; a team sees of its own entries what everybody sees.
        after_end: Whether the entry was sent after the end, to an open benchmark.
    """
    much = how_much(phase, challenge, now, who, after_end=after_end)
    if scores is None or much not in ("all", "rounded"):
        return Shown(much)
    said = scores.get("metrics", {})
    metrics = {name: _value(said[full], much) for name, full in names_of(phase).items() if full in said}
    counts = {str(state): int(n) for state, n in scores.get("counts", {}).items()}
    more = {name: scores[name] for name in _LATER if name in scores} if much == "all" else {}
    return Shown(much, metrics, counts, more)


def how_much(phase: Phase, challenge: Challenge, now: datetime, who: Who, *, after_end: bool = False) -> How:
    """Returns how much of scores somebody may see.

    After the end that is all, with two exceptions. Where another phase of the same data is not over yet, digits of
    this one would help there. What is sent to an open benchmark after the end is shown as before it, since nothing else
    keeps its targets from being found.
    """
    if who == "organiser":
        return "all"
    over = when(phase, now) == "over" and not after_end
    if over and not _contested(phase, challenge, now):
        return "all"
    if phase.scores != "shown":
        return phase.scores
    return "all" if phase.targets == "open" else "rounded"


def names_of(phase: Phase) -> dict[str, str]:
    """Returns full names of a phase's metrics (`accuracy@0.5`) by those that it gives them, the main one first."""
    return {name: _full_name(name) for name in dict.fromkeys((phase.main, *phase.metrics))}


@lru_cache(maxsize=256)
def _full_name(name: str) -> str:
    # Asking a metric takes a moment, and each row of a board would ask anew.
    return metrics_named(name)[0].name


def is_nameless(challenge: Challenge, now: datetime) -> bool:
    """Returns whether teams are called by their aliases, until the last phase with an end has ended."""
    return challenge.anonymous and not is_over(challenge, now)


def as_shown(value: float | None, much: How) -> float | None:
    """Returns a value as it is shown, in its own unit; what is not a number is none.

    It is rounded once, from the number itself and not from a hundred times it, to four digits; of two as near the even
    one is taken. `foveate score` prints the same four.

    Example:
        >>> as_shown(0.880249, "rounded"), as_shown(0.03125, "rounded"), as_shown(0.880249, "all")
        (0.8802, 0.0312, 0.880249)
    """
    if value is None or not math.isfinite(value):
        return None
    # Printing rounds the number itself, once. Adding 0 makes 0 of what is below it by less than half a step.
    return float(f"{value:.4f}") + 0.0 if much != "all" else float(value)


def all_as_shown(values: NDArray[np.float64], much: How) -> NDArray[np.float64]:
    """Returns values as `as_shown` returns each; float64 (N,), NaN for none.

    Args:
        values: float64 (N,), in their own unit; NaN for none.
        much: How much is shown.
    """
    shown = np.where(np.isfinite(values), values, np.nan)
    if much == "all":
        return shown
    # What lies near the middle of two, or is large, is rounded from its own digits, one by one.
    small = np.abs(shown) < 1e5
    scaled = np.where(small, shown, 0.0) * 10_000
    whole = np.rint(scaled)
    sure = small & (np.abs(np.abs(scaled - whole) - 0.5) > 1e-6)
    made: NDArray[np.float64] = np.where(sure, whole / 10_000 + 0.0, np.nan)
    for at in np.flatnonzero(~sure & ~np.isnan(shown)).tolist():
        made[at] = as_shown(float(shown[at]), much)
    return made


def times_100(value: float | None, digits: int | None = None) -> str:
    """Returns a value times 100 as text; a dash for none.

    The point is moved in the number as it is written, so that no digit appears that the value does not have.

    Args:
        value: In its own unit.
        digits: After the point; None for all there are, two at least.

    Example:
        >>> times_100(0.8802), times_100(0.5, 2), times_100(0.8801512345), times_100(None)
        ('88.02', '50.00', '88.01512345', '–')
    """
    if value is None:
        return "–"
    if digits is not None:
        return f"{(Decimal(value) * 100).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN) + 0:f}"
    whole, _, after = f"{Decimal(repr(float(value))) * 100:f}".partition(".")
    return f"{whole}.{after.rstrip('0').ljust(2, '0')}"


def _value(said: Mapping[str, Any], much: How) -> ShownValue:
    value, low, high = (as_shown(said.get(name), much) for name in ("value", "low", "high"))
    more = {name: said.get(name) for name in ("value_scored", "n", "undefined")} if much == "all" else {}
    return ShownValue(value, low, high, times_100(value), more)


def _contested(phase: Phase, challenge: Challenge, now: datetime) -> bool:
    """Returns whether another phase of the same data, with hidden targets, is open still or to come."""
    mine = challenge.data.get(phase.data)
    return any(
        other.name != phase.name
        and other.targets == "hidden"
        and when(other, now) != "over"
        and (other.data == phase.data or (mine is not None and challenge.data.get(other.data) == mine))
        for other in challenge.phases
    )
