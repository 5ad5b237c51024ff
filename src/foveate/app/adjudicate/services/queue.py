"""Which tasks wait for a decision, those first of which people agree least."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q, QuerySet

from foveate.app.adjudicate.models import TaskAgreement
from foveate.app.annotate.models import Project, Task

# Of two drawings that are no more alike than this, somebody should look; the first paper's "very alike".
BELOW = 0.8
WHICH = ("all", "below", "steps")
DECIDED = ("no", "yes", "any")


@dataclass(frozen=True)
class Wish:
    """Which tasks are looked at.

    Attributes:
        which: `all`; `below`: of two of their drawings the IoU is not above `below`; `steps`: people differ in a step.
        below: The bound.
        low: Only those whose least IoU is at least this.
        high: And below this; 1 belongs to those up to 1.
        decided: `no`: those not decided yet; `yes`: those that are; `any`.
        unfinished: Whether those too for which more people are wanted.
    """

    which: str = "all"
    below: float = BELOW
    low: float | None = None
    high: float | None = None
    decided: str = "no"
    unfinished: bool = False

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Wish:
        """Returns the wish that the values of an address say; what is none of them is left at its usual value."""
        which, decided, below = values.get("which", ""), values.get("decided", ""), _share(values.get("below", ""))
        return cls(
            which=which if which in WHICH else "all",
            below=BELOW if below is None else below,
            low=_share(values.get("low", "")),
            high=_share(values.get("high", "")),
            decided=decided if decided in DECIDED else "no",
            unfinished=bool(values.get("unfinished")),
        )

    def bounds(self) -> tuple[float, ...]:
        """Returns with what the least IoU of a task was compared."""
        asked = (self.below if self.which == "below" else None, self.low, self.high)
        return tuple(bound for bound in asked if bound is not None)

    def query(self) -> str:
        """Returns the same as the end of an address, `?` included; empty for the usual wish."""
        said = {name: value for name, value in vars(self).items() if value != getattr(Wish, name)}
        return f"?{urlencode({name: '1' if value is True else value for name, value in said.items()})}" if said else ""


def rows(project: Project, wish: Wish) -> QuerySet[TaskAgreement]:
    """Returns what is wished for, least agreement first."""
    found = TaskAgreement.objects.filter(project=project)
    if wish.decided != "any":
        found = found.filter(decided=wish.decided == "yes")
    if not wish.unfinished:
        found = found.filter(task__state="done")
    if wish.which == "below":
        found = found.filter(least__lte=wish.below)
    if wish.which == "steps":
        found = found.exclude(differ="")
    if wish.low is not None:
        found = found.filter(least__gte=wish.low)
    if wish.high is not None:
        found = found.filter(least__lte=wish.high) if wish.high >= 1 else found.filter(least__lt=wish.high)
    return found.order_by("rank", "task_id")


def neighbour(project: Project, wish: Wish, task: Task, *, forward: bool = True) -> int | None:
    """Returns the task that comes after (or before) another one, behind the last the first again; None where none is.

    Args:
        project: The project.
        wish: Which tasks are looked at.
        task: Where one is; it need not be one of them.
        forward: Whether the next, or the one before.
    """
    found = rows(project, wish).exclude(task=task)
    here = TaskAgreement.objects.filter(task=task).first()
    order = ("rank", "task_id") if forward else ("-rank", "-task_id")
    if here is not None:
        side = "gt" if forward else "lt"
        same = Q(rank=here.rank, **{f"task_id__{side}": task.pk})
        beyond = found.filter(Q(**{f"rank__{side}": here.rank}) | same).order_by(*order)
        ahead = beyond.values_list("task_id", flat=True).first()
        if ahead is not None:
            return ahead
    return found.order_by(*order).values_list("task_id", flat=True).first()


def _share(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 <= value <= 1 else None
