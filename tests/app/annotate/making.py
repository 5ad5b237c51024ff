"""Projects, tasks and work for the tests of lending, saving and sending."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

from django.db import connection
from django.test import Client

from foveate.annotation.flow import next_step
from foveate.annotation.kinds import Kind, ProjectSettings, first_stage
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Task
from tests.app.conftest import person

T = TypeVar("T")
SIZE_HW = (60, 80)
_names = itertools.count()


def make_project(made_by: User, tasks: int = 3, kind: Kind = "grounding", **settings: Any) -> Project:
    """Makes an open project of photos that are nowhere."""
    chosen = ProjectSettings(**settings)
    slug = f"project-{next(_names)}"
    project = Project.objects.create(
        slug=slug,
        title=slug,
        kind=kind,
        state="open",
        dataset="folder:all",
        settings=chosen.model_dump(),
        made_by=made_by,
    )
    begin = next_step(kind, chosen, ())
    Task.objects.bulk_create(
        Task(
            project=project,
            key=f"{n}.png",
            position=n,
            image_name=f"{n}.png",
            height=SIZE_HW[0],
            width=SIZE_HW[1],
            question="" if kind == "box_collection" else f"What is in photo {n}?",
            stage=first_stage(kind, chosen),
            wanted=begin.wanted,
        )
        for n in range(tasks)
    )
    return project


def annotators(count: int) -> list[User]:
    """Makes so many annotators."""
    return [person(f"annotator-{next(_names)}", "annotator") for _ in range(count)]


def outline(side: float = 10.0) -> dict[str, Any]:
    """Returns a finished grounding: a square."""
    points = [[5.0, 5.0], [5.0 + side, 5.0], [5.0 + side, 5.0 + side], [5.0, 5.0 + side]]
    return {
        "stage": "grounding",
        "several_questions": False,
        "several_regions": False,
        "outcome": "polygon",
        "polygon": points,
        "closed": True,
    }


def begun(*points: Sequence[float]) -> dict[str, Any]:
    """Returns a grounding that is not finished."""
    return {"stage": "grounding", "polygon": [list(point) for point in points]}


class Api:
    """What a browser of one person says to the API."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def lend(self, slug: str, **wish: Any) -> Any:
        return self._said("post", f"/api/v1/projects/{slug}/assignments", wish or None)

    def get(self, number: int) -> Any:
        return self._said("get", f"/api/v1/assignments/{number}", None)

    def save(self, number: int, base: int, work: Any, tab: str = "tab-1", **more: Any) -> Any:
        body = {"base": base, "tab": tab, "work": work, **more}
        return self._said("put", f"/api/v1/assignments/{number}/draft", body)

    def send(self, number: int, work: Any, key: str | None = None) -> Any:
        body = {"key": key or str(uuid.uuid4()), "work": work}
        return self._said("post", f"/api/v1/assignments/{number}/submission", body)

    def give_back(self, number: int, why: str = "") -> Any:
        return self._said("post", f"/api/v1/assignments/{number}/return", {"why": why})

    def _said(self, method: str, path: str, body: Any) -> Any:
        call = getattr(self.client, method)
        return call(path) if method == "get" else call(path, body or "", content_type="application/json")


def code_of(response: Any) -> str:
    """Returns the code of a refusal."""
    code: str = response.json()["error"]["code"]
    return code


def content_of(response: Any) -> bytes:
    """Returns the body of a response; read to its end, its file is closed."""
    return b"".join(response.streaming_content) if response.streaming else bytes(response.content)


def all_at_once(acts: Sequence[Callable[[], T]]) -> list[T]:
    """Returns what acts return, begun at the same moment, each in a thread of its own."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], T]) -> T:
        barrier.wait(timeout=30)
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def places_are_counted(project: Project) -> bool:
    """Returns whether each task counts its places right, and has no more than are wanted."""
    for task in Task.objects.filter(project=project):
        held = Assignment.objects.filter(task=task, stage=task.stage, state__in=("leased", "submitted")).count()
        if task.taken != held or held > task.wanted:
            return False
    return True
