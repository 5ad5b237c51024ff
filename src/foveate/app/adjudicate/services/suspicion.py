"""Why the targets that are drawn anew look wrong: kept when a project is made of an audit, told to organisers only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foveate.app.adjudicate.models import Suspicion
from foveate.app.annotate.models import Project, Task
from foveate.evaluation.audit import SIGNS
from foveate.evaluation.suspects import Suspected


def keep(project: Project, suspects: Sequence[Suspected]) -> None:
    """Keeps why tasks of a new project are in it."""
    by_key = {one.id: one for one in suspects}
    tasks = project.tasks.values_list("pk", "key") if by_key else ()
    told = [(number, by_key[key]) for number, key in tasks if key in by_key]
    Suspicion.objects.bulk_create(
        Suspicion(task_id=number, rank=one.rank, suspicion=one.suspicion, why=one.why, verdict=one.verdict)
        for number, one in told
    )


def suspicion_of(task: Task) -> Suspicion | None:
    """Returns why a task's own target looks wrong; None where no audit said so."""
    return Suspicion.objects.filter(task=task).first()


def as_details(found: Suspicion | None) -> dict[str, Any] | None:
    """Returns the same as the API tells it."""
    if found is None:
        return None
    return {
        "rank": found.rank,
        "suspicion": found.suspicion,
        "verdict": found.verdict,
        "signs": [{"name": name, "said": SIGNS.get(name, ""), "why": why} for name, why in signs_of(found)],
    }


def signs_of(found: Suspicion) -> list[tuple[str, str]]:
    """Returns the signs of a suspicion: their names, and their values in words; a text of no audit as it is."""
    signs: list[tuple[str, str]] = []
    for part in filter(None, found.why.split("; ")):
        name, colon, said = part.partition(": ")
        if colon and name in SIGNS:
            signs.append((name, said))
        elif signs:
            # A sentence may hold what parts them.
            signs[-1] = (signs[-1][0], f"{signs[-1][1]}; {part}")
        else:
            signs.append(("", part))
    return signs
