"""How long an attempt at a gold question takes, by what is in it: `python -m benchmarks.gold_time`.

Somebody who times the answers should learn nothing but whether they were accepted. Attempts of every sort are sent in
turn through the API, as a browser does, to gold of several sorts in turn: outlines of 20 and of 200 points, and none.
All are compared and logged; after each the database is what it was before. Printed: the median of each sort with its
spread, refused and accepted ones apart, and the median of the processor's time, which other work on the machine blurs
less. A region of many points takes longer to send and to check, which its sender knows; a small IoU or a large one,
with as many points, should take the same.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sqlite3
import statistics
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

SIZE_HW = (800, 1000)
RADIUS = 300.0
# The radius of what is sent, against gold's: a circle within a circle has the square of it as its IoU.
_SHARES = {"IoU .71": 0.71**0.5, "IoU .85": 0.85**0.5, "IoU .99": 0.99**0.5}
_WARM = 5
# Milliseconds until the answer, and of the processor.
Took = tuple[float, float]
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
        golds = {
            "200 points": _region(200, RADIUS),
            "20 points": _region(20, RADIUS),
            "no region": {**BASE, "outcome": "cannot_draw"},
        }
        for name, taken in _measured(golds, times).items():
            for accepted in (False, True):
                _print(name, "accepted" if accepted else "refused", _only(taken, accepted))


def _region(points: int, radius: float, shift: float = 0.0) -> dict[str, Any]:
    turns = [2 * math.pi * n / points for n in range(points)]
    polygon = [(500 + shift + radius * math.cos(turn), 400 + radius * math.sin(turn)) for turn in turns]
    return {**BASE, "outcome": "polygon", "polygon": polygon, "closed": True}


def _attempts(number: int, gold: dict[str, Any]) -> dict[tuple[str, bool], dict[str, Any]]:
    """Returns one attempt of each sort, by its name and whether it is accepted."""
    small = _region(100, 100 + number / 100, 40)
    cannot = {**BASE, "outcome": "cannot_draw", "reason": "cut_off"}
    found = {
        ("step 1", False): {"stage": "grounding", "several_questions": True},
        ("step 2", False): {"stage": "grounding", "several_questions": False, "several_regions": True},
        ("whole image", False): {**BASE, "outcome": "whole_image"},
        ("region", False): small,
        ("cannot draw", gold["outcome"] == "cannot_draw"): cannot,
    }
    if gold["outcome"] == "polygon":
        # As many corners as gold has, or more, so that the IoU is the share of the areas and nothing else.
        for name, share in _SHARES.items():
            found |= {(f"{name}, {n} points", True): _region(n, RADIUS * share) for n in (100, 400)}
    return found


def _measured(golds: dict[str, dict[str, Any]], times: int) -> dict[str, dict[tuple[str, bool], list[Took]]]:
    asked = {name: _asked(gold, name.replace(" ", "-")) for name, gold in golds.items()}
    before = _Before()
    taken: dict[str, dict[tuple[str, bool], list[Took]]] = {name: {} for name in golds}
    for turn in range(times + _WARM):
        for name, gold in golds.items():
            attempts = list(_attempts(turn, gold).items())
            # Each sort comes after every other one in turn, so that none always follows what leaves caches cold.
            for sort, work in attempts[turn % len(attempts) :] + attempts[: turn % len(attempts)]:
                took = _sent(*asked[name], work, accepted=sort[1])
                before.again()
                if turn >= _WARM:
                    taken[name].setdefault(sort, []).append(took)
    return taken


def _only(taken: dict[tuple[str, bool], list[Took]], accepted: bool) -> dict[str, list[Took]]:
    return {sort: found for (sort, one), found in taken.items() if one is accepted}


def _sent(client: Any, number: int, work: dict[str, Any], *, accepted: bool) -> Took:
    """Returns after how long an attempt was answered."""
    body = json.dumps({"key": str(uuid.uuid4()), "work": work})
    began, worked = time.perf_counter(), time.thread_time()
    answer = client.post(f"/api/v1/assignments/{number}/submission", body, content_type="application/json")
    took = 1000 * (time.perf_counter() - began), 1000 * (time.thread_time() - worked)
    refused = answer.status_code == 422 and answer.json()["error"]["code"] == "not_accepted"
    if answer.status_code // 100 != 2 if accepted else not refused:
        raise SystemExit(f"{answer.status_code} {answer.content[:300]!r}")
    return took


class _Before:
    """The database as it was, so that what is measured is neither what an attempt changed nor how long a log became."""

    def __init__(self) -> None:
        from django.db import connection

        connection.ensure_connection()
        self._live = connection
        self._kept = sqlite3.connect(":memory:")
        connection.connection.backup(self._kept)

    def again(self) -> None:
        self._kept.backup(self._live.connection)


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


def _print(name: str, kind: str, taken: dict[str, list[Took]]) -> None:
    if taken:
        print(f"gold with {name}: median ms of an attempt that is {kind}, by what was sent")
    for sort, found in taken.items():
        low, median, high = statistics.quantiles([wall for wall, _ in found], n=4)
        processor = statistics.median(cpu for _, cpu in found)
        print(f"  {sort:20} {median:7.2f}   half of them {low:.2f} to {high:.2f}   processor {processor:6.2f}")


if __name__ == "__main__":
    main()
