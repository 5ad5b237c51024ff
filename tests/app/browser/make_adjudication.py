"""Makes tasks that people have drawn in a server's state, in a process of its own.

`python -m tests.app.browser.make_adjudication DATA [DATABASE_URL]` prints `{slug: [tasks]}`. Each task has two outlines
of squares; of a later one the drawings are less alike, so that it comes first in the queue.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.app.browser.make_drawing import _picture

SLUGS = ("by-key", "by-two", "by-forms")
TASKS = 4


def main(data: Path, database: str | None = None) -> None:
    """Makes all, and prints their numbers."""
    from foveate.app.start import start

    start(data, database)
    folder = data / "photos that were drawn"
    folder.mkdir()
    _picture(400, 300).save(folder / "plain.png")
    sys.stdout.write(json.dumps({slug: _project(slug, folder, (300, 400)) for slug in SLUGS}))


def _project(slug: str, folder: Path, size_hw: tuple[int, int]) -> list[int]:
    from django.contrib.auth.models import Group

    from foveate.annotation.kinds import ProjectSettings
    from foveate.app.accounts.models import User
    from foveate.app.annotate.models import Project, Task
    from tests.app.annotate.made import polygon, sent

    project = Project.objects.create(
        slug=slug,
        title=slug,
        kind="grounding",
        state="open",
        dataset="folder",
        root=str(folder),
        settings=ProjectSettings(submissions=2).model_dump(),
        made_by=User.objects.get(username="admin"),
    )
    values = {"image_name": "plain.png", "height": size_hw[0], "width": size_hw[1], "stage": "grounding", "wanted": 2}
    for number in range(TASKS):
        Task.objects.create(project=project, key=f"{number}", position=number, question="Where is it?", **values)
    for name in ("drawer-1", "drawer-2"):
        person, _ = User.objects.get_or_create(username=name)
        person.groups.add(Group.objects.get(name="annotator"))
        for number in range(TASKS):
            left = 100 + (20 * number if name == "drawer-2" else 0)
            corners = [(left, 100), (left + 100, 100), (left + 100, 200), (left, 200)]
            sent(person, project, polygon(*corners))
    return list(project.tasks.order_by("position").values_list("pk", flat=True))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
