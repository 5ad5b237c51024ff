"""What may be shown of scores: two decimals of × 100 while a phase is open, all after its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from foveate.challenges.definition import Challenge, Phase
from foveate.challenges.phases import when

Who = Literal["organiser", "team", "other"]


@dataclass(frozen=True)
class Shown:
    """What is shown: texts by the name of the metric; None where no value is."""

    values: Mapping[str, str] | None


def shown(scores: Mapping[str, Any] | None, phase: Phase, challenge: Challenge, now: datetime, who: Who) -> Shown:
    """Returns what somebody may see of an entry's scores."""
    open_still = when(phase, now) != "over" and who != "organiser"
    if scores is None or (open_still and phase.scores != "shown"):
        return Shown(None)
    metrics = {name: one for name, one in scores.get("metrics", {}).items() if name in phase.metrics}
    return Shown(
        {name: f"{100 * one['value']:.2f}" if open_still else str(one["value"]) for name, one in metrics.items()}
    )
