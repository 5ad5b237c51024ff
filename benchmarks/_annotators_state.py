"""The state of a server for `annotators`: a project with people, and afterwards all that was kept.

In processes of their own, since Django knows one database a process:
`python -m benchmarks._annotators_state make DATA DATABASE_URL PEOPLE TASKS` and `… dump DATA DATABASE_URL`.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

PASSWORD = "Correct-horse-7-battery"
SLUG = "load"
SUBMISSIONS = 3
SIZE_HW = (900, 1_200)
_PHOTOS = 12


def make(data: Path, people: int, tasks: int) -> None:
    """Makes annotators, photos, and an open project of them."""
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import Group

    from foveate.annotation.kinds import ProjectSettings
    from foveate.app.accounts.models import User
    from foveate.app.annotate.models import Project, Task

    folder = data / "photos"
    _photos(folder, tasks)
    secret = make_password(PASSWORD)
    users = User.objects.bulk_create(User(username=f"person-{n}", password=secret) for n in range(people))
    group, _ = Group.objects.get_or_create(name="annotator")
    for user in users:
        user.groups.add(group)
    settings = ProjectSettings(submissions=SUBMISSIONS).model_dump()
    project = Project.objects.create(
        slug=SLUG, title=SLUG, kind="grounding", state="open", dataset="folder", root=str(folder), made_by=users[0]
    )
    Project.objects.filter(pk=project.pk).update(settings=settings)
    Task.objects.bulk_create(
        Task(
            project=project,
            key=f"sample-{n}",
            position=n,
            image_name=f"{n % _PHOTOS}.jpg",
            height=SIZE_HW[0],
            width=SIZE_HW[1],
            question="What is this?",
            stage="grounding",
            wanted=SUBMISSIONS,
        )
        for n in range(tasks)
    )


def dump() -> dict[str, Any]:
    """Returns all that was kept."""
    from foveate.app.annotate.models import Assignment, DraftVersion, Submission, Task

    return {
        "drafts": list(DraftVersion.objects.values_list("assignment", "version", "work")),
        "submissions": [
            [str(key), *rest] for key, *rest in Submission.objects.values_list("key", "assignment", "work")
        ],
        "assignments": list(Assignment.objects.values_list("pk", "task", "annotator", "state")),
        "tasks": list(Task.objects.values_list("pk", "state", "wanted", "taken")),
    }


def _photos(folder: Path, tasks: int) -> None:
    folder.mkdir(parents=True)
    draw = np.random.default_rng(1)
    for n in range(_PHOTOS):
        coarse = draw.integers(0, 256, (SIZE_HW[0] // 50, SIZE_HW[1] // 50, 3), dtype=np.uint8)
        photo = PIL.Image.fromarray(coarse).resize(SIZE_HW[::-1], PIL.Image.Resampling.BICUBIC)
        photo.save(folder / f"{n}.jpg", quality=90)
    with (folder / "questions.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "image", "question"])
        rows.writerows([f"sample-{n}", f"{n % _PHOTOS}.jpg", "What is this?"] for n in range(tasks))


def main(words: list[str]) -> None:
    """Does what the words say."""
    from foveate.app.start import start

    act, data, database, *numbers = words
    start(Path(data), database or None)
    if act == "make":
        make(Path(data), *map(int, numbers))
    else:
        sys.stdout.write(json.dumps(dump()))


if __name__ == "__main__":
    main(sys.argv[1:])
