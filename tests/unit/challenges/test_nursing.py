"""A job in a child: what it answers, and that nothing it does harms the worker."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from foveate.challenges.definition import DataReference, Phase
from foveate.challenges.nursing import Limits, Nursery
from foveate.challenges.pack import write_pack
from foveate.challenges.said import to_said
from foveate.datasets import toloka_vqa
from tests import poison_package as poison


class Place:
    """A nursery, a pack of three questions, and jobs for it."""

    def __init__(self, folder: Path, nursery: Nursery) -> None:
        self.folder, self.nursery = folder, nursery
        toloka_vqa.write_tiny(folder / "data")
        self.pack = write_pack(DataReference("toloka_vqa:test_public", folder / "data"), folder / "packs")
        self.heard: list[Mapping[str, Any]] = []

    def task(self, wish: int, **more: Any) -> dict[str, Any]:
        file = self.folder / "random-name"
        file.write_text(poison.table(wish))
        metrics = ("mean_iou", "poison")
        phase = to_said(Phase("p", "P", "evaluation", "d", forms=("toloka",), metrics=metrics))
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        (scratch / "entry.csv").unlink(missing_ok=True)
        given = {"file": str(file), "name": "boxes.csv", "columns": str(scratch / "columns.npz")}
        return {
            "kind": "score",
            "pack": str(self.pack.folder),
            "phase": phase,
            "scratch": str(scratch),
            **given,
            **more,
        }

    def run(self, wish: int, *, seconds: float = 30.0, limits: Limits | None = None, **more: Any) -> Any:
        go_on = more.pop("go_on", lambda: True)
        chosen = limits or Limits()
        return self.nursery.run(
            self.task(wish, **more), seconds=seconds, limits=chosen, heard=self.heard.append, go_on=go_on
        )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("nursing")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(poison.write(folder / "package")), *_path()]))
        patch.setenv("HOME", str(folder))
        patch.setenv("FOVEATE_DATABASE_URL", "postgres://foveate:secret@db/foveate")
        patch.setenv("FOVEATE_TOKEN", "fov_secret")
        nursery = Nursery()
        yield Place(folder, nursery)
        nursery.close()


def _path() -> list[str]:
    return [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]


def test_what_is_calm_is_scored_and_told(place: Place) -> None:
    ended = place.run(poison.CALM)
    assert ended.fault is None, ended
    assert ended.answer["form"] == "toloka"
    assert [said["stage"] for said in place.heard if said["said"]] == ["checking", "scoring"]
    assert ended.answer["scores"]["metrics"]["poison"]["value"] == 1.0


@pytest.mark.parametrize(
    ("wish", "limits", "fault", "why"),
    [
        (poison.CRASH, Limits(), "entry", "its process was ended by the signal SIGSEGV"),
        (poison.MEMORY, Limits(memory=2 << 30), "entry", "it took more memory than it may"),
        (poison.ENDLESS, Limits(cpu_seconds=1), "entry", "it took more time of the processor than it may"),
        (poison.FAIL, Limits(), "platform", "something went wrong on the server"),
        (poison.EXIT, Limits(), "platform", "its process ended without an answer"),
    ],
)
def test_what_is_poisonous_ends_its_own_process_only(
    place: Place, wish: int, limits: Limits, fault: str, why: str
) -> None:
    ended = place.run(wish, limits=limits)
    assert (ended.answer, ended.fault, ended.why) == (None, fault, why), ended
    assert place.run(poison.CALM).answer is not None


def test_the_clock_ends_what_never_ends(place: Place) -> None:
    began = time.monotonic()
    ended = place.run(poison.ENDLESS, seconds=1.0)
    assert (ended.fault, ended.why) == ("entry", "it took more than 1 seconds")
    assert time.monotonic() - began < 10


def test_who_closes_its_pipes_and_goes_on_is_ended(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foveate.challenges.nursing._LEAVING", 1.0)
    ended = place.run(poison.SILENT)
    assert (ended.fault, ended.why) == ("entry", "its process was ended by the signal SIGKILL")


def test_who_floods_is_kept_short_and_ended(place: Place) -> None:
    ended = place.run(poison.FLOOD, seconds=1.0)
    assert ended.fault == "entry"
    assert len(ended.errors) <= 20_000


def test_what_is_written_of_targets_reaches_no_team(place: Place) -> None:
    ended = place.run(poison.FAIL)
    assert "target: 1 2 3 4" in ended.errors
    assert "1 2 3 4" not in ended.why


def test_a_worker_that_is_told_to_stop_stops_its_child(place: Place) -> None:
    until = time.monotonic() + 0.5
    ended = place.run(poison.ENDLESS, go_on=lambda: time.monotonic() < until)
    assert ended.fault == "stopped"


def test_a_child_has_no_secrets(place: Place) -> None:
    assert place.run(poison.SECRETS).answer is not None
    seen = (place.folder / "seen").read_text()
    assert "'PATH'" in seen
    assert "DATABASE" not in seen
    assert "TOKEN" not in seen


def test_what_a_child_leaves_behind_is_ended(place: Place) -> None:
    assert place.run(poison.LEAVE).answer is not None
    number = int((place.folder / "left").read_text())
    _wait_until(lambda: not _is_alive(number))


def test_a_nursery_that_was_killed_is_begun_again(place: Place) -> None:
    place.run(poison.CALM)
    process = place.nursery._process
    assert process is not None
    process.kill()
    process.wait()
    assert place.run(poison.CALM).answer is not None


def test_a_nursery_that_dies_amid_a_job_is_the_platforms_fault(place: Place) -> None:
    def kill() -> bool:
        if place.nursery._process is not None:
            place.nursery._process.kill()
        return time.monotonic() - began < 1.0

    began = time.monotonic()
    assert place.run(poison.ENDLESS, go_on=kill).fault == "stopped"
    assert place.run(poison.CALM).answer is not None


def test_a_pack_that_is_not_there_is_the_platforms_fault(place: Place) -> None:
    assert place.run(poison.CALM, pack=str(place.folder / "nowhere")).fault == "platform"


def test_children_end_with_a_worker_that_was_killed(place: Place) -> None:
    """A worker in a process of its own is killed amid a job; its child sees the pipe end."""
    marker = place.folder / "child"
    reader, writer = os.pipe()
    worker = os.fork()
    if worker == 0:  # pragma: no cover
        with suppress(BaseException):
            own = Nursery()
            task = place.task(poison.ENDLESS)
            begun = own._begin

            def told(given: Mapping[str, Any]) -> Any:
                found = begun(given)
                marker.write_text(str(found[0]))
                os.write(writer, b"x")
                return found

            own._begin = told  # type: ignore[method-assign, assignment]
            own.run(task, seconds=60, limits=Limits(), heard=lambda _: None, go_on=lambda: True)
        os._exit(0)
    os.read(reader, 1)
    child = int(marker.read_text())
    assert _is_alive(child)
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    os.close(reader)
    os.close(writer)
    _wait_until(lambda: not _is_alive(child))


def _is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _wait_until(holds: Any) -> None:
    for _ in range(500):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it never came about")
