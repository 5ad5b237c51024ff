"""How long a refused attempt at a gold question takes, by what is wrong in it: `python -m benchmarks.gold_time`.

Somebody who times the answers should learn nothing. Attempts of every sort are sent in turn through the API, as a
browser does, to gold of two sorts in turn: an outline of 200 points, and none. All are compared and logged. Printed:
the median of each sort with its spread; a region takes longer to send and to check, which its sender knows.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

SIZE_HW = (800, 1000)
_WARM = 5
BASE = {"stage": "grounding", "several_questions": False, "several_regions": False}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=60, help="attempts of each sort")
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.app.settings")
        from foveate.app.start import start

        start(Path(folder))
        from foveate.app.database import migrate

        migrate()
        golds = {"an outline": _region(200, 300), "no region": {**BASE, "outcome": "cannot_draw"}}
        for name, taken in _measured(golds, times).items():
            _print(name, taken)


def _region(points: int, radius: float, shift: float = 0.0) -> dict[str, Any]:
    turns = [2 * math.pi * n / points for n in range(points)]
    polygon = [(500 + shift + radius * math.cos(turn), 400 + radius * math.sin(turn)) for turn in turns]
    return {**BASE, "outcome": "polygon", "polygon": polygon, "closed": True}


def _attempts(number: int, gold: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns one attempt of each sort that is refused."""
    small = _region(100, 100 + number / 100, 40)
    found = {
        "step 1": {"stage": "grounding", "several_questions": True},
        "step 2": {"stage": "grounding", "several_questions": False, "several_regions": True},
        "whole image": {**BASE, "outcome": "whole_image"},
        "region": small,
    }
    if gold["outcome"] == "polygon":
        found["cannot draw"] = {**BASE, "outcome": "cannot_draw", "reason": "cut_off"}
    return found


def _measured(golds: dict[str, dict[str, Any]], times: int) -> dict[str, dict[str, list[float]]]:
    asked = {name: _asked(gold, name.replace(" ", "-")) for name, gold in golds.items()}
    taken: dict[str, dict[str, list[float]]] = {name: {} for name in golds}
    for turn in range(times + _WARM):
        for name, gold in golds.items():
            for sort, work in _attempts(turn, gold).items():
                took = _sent(*asked[name], work)
                if turn >= _WARM:
                    taken[name].setdefault(sort, []).append(1000 * took)
    return taken


def _sent(client: Any, number: int, work: dict[str, Any]) -> float:
    """Returns after how many seconds an attempt was refused."""
    body = json.dumps({"key": str(uuid.uuid4()), "work": work})
    began = time.perf_counter()
    answer = client.post(f"/api/v1/assignments/{number}/submission", body, content_type="application/json")
    took = time.perf_counter() - began
    if answer.status_code != 422 or answer.json()["error"]["code"] != "not_accepted":
        raise SystemExit(f"{answer.status_code} {answer.content[:300]!r}")
    _forget()
    return took


def _forget() -> None:
    """Keeps the log of attempts empty, so that what is measured is not how long it has become."""
    from foveate.app.admission.models import Attempt

    Attempt.objects.all().delete()


def _asked(gold: dict[str, Any], slug: str) -> tuple[Any, int]:
    from django.contrib.auth.models import Group
    from django.test import Client

    from foveate.annotation.kinds import ProjectSettings
    from foveate.app.accounts.models import User
    from foveate.app.admission.models import Admission, Candidate
    from foveate.app.annotate.models import Adjudication, Project, Task
    from foveate.app.annotate.services.lend import lend
    from foveate.quality.qualification import AdmissionSettings

    person = User.objects.create_user(f"person-{slug}")
    person.groups.add(Group.objects.get_or_create(name="annotator")[0])
    values: dict[str, Any] = {"kind": "grounding", "state": "open", "dataset": "photos", "made_by": person}
    values["settings"] = ProjectSettings(submissions=1000).model_dump()
    project, qualification = (Project.objects.create(slug=f"{slug}-{n}", title=slug, **values) for n in (1, 2))
    task = Task.objects.create(
        **{"project": qualification, "key": "gold", "position": 0, "image_name": "gold", "stage": "grounding"},
        **{"height": SIZE_HW[0], "width": SIZE_HW[1], "question": "What?", "gold": True},
    )
    Adjudication.objects.create(task=task, work=gold, how="given", decided_by=person, decided_at=project.made_at)
    settings = AdmissionSettings(attempts=50, failed_in_all=1000, wait_minutes=0)
    admission = Admission.objects.create(
        project=project, qualification=qualification, settings=settings.model_dump(mode="json"), made_by=person
    )
    Candidate.objects.create(admission=admission, person=person, state="qualification")
    client = Client()
    client.force_login(person)
    lent = lend(person, qualification)
    if lent is None:
        raise SystemExit("nothing was lent")
    return client, lent.assignment.pk


def _print(name: str, taken: dict[str, list[float]]) -> None:
    medians = {sort: statistics.median(all_) for sort, all_ in taken.items()}
    print(f"gold with {name}: median ms of a refused attempt, by what was sent")
    for sort, median in medians.items():
        low, _, high = statistics.quantiles(taken[sort], n=4)
        print(f"  {sort:12} {median:7.2f}   half of them {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    main()
