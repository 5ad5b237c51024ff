"""Many people at work while the server is killed, stopped and started: what it has acknowledged is there."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest
from benchmarks import annotators as crowd
from benchmarks._annotator import Acknowledged, Annotator

from tests.app.conftest import SERVERS
from tests.app.live import LiveFoveate

PEOPLE = 4


@pytest.fixture(params=SERVERS)
def live(request: pytest.FixtureRequest) -> LiveFoveate:
    """A server on SQLite, and one on PostgreSQL."""
    found: LiveFoveate = request.getfixturevalue(request.param)
    crowd.state(found, "make", PEOPLE, 200)
    return found


def until(there: Callable[[], bool]) -> None:
    """Waits for something that people do."""
    deadline = time.monotonic() + 60
    while not there():
        assert time.monotonic() < deadline, "nobody gets anything done"
        time.sleep(0.01)


def saves(people: list[Annotator]) -> int:
    return sum(len(one.acknowledged.saves) for one in people)


def sent(people: list[Annotator]) -> int:
    return sum(len(one.acknowledged.sent) for one in people)


def kept(live: LiveFoveate) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(crowd.state(live, "dump"))
    return found


def acknowledged(people: list[Annotator]) -> list[Acknowledged]:
    return [one.acknowledged for one in people]


def test_nothing_is_lost_or_doubled_while_many_work(live: LiveFoveate) -> None:
    people = crowd.signed_in(live, PEOPLE, pause=0)
    with crowd.at_work(people):
        until(lambda: saves(people) > 40 and sent(people) > 3)
    assert live.stop() == 0
    assert [one.refused for one in acknowledged(people)] == [[]] * PEOPLE
    assert crowd.faults(kept(live), acknowledged(people)) == []


@pytest.mark.parametrize("ending", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_after_a_crash_amid_saves_every_acknowledged_save_is_there(live: LiveFoveate, ending: signal.Signals) -> None:
    people = crowd.signed_in(live, PEOPLE, pause=0)
    with crowd.at_work(people):
        until(lambda: saves(people) > 25)
        live.send(ending)
        live.wait()
        live.start()
        before = saves(people)
        # The same people go on with what they had, without signing in again.
        until(lambda: saves(people) > before + 15 and sent(people) > 1)
    assert live.stop() == 0
    found = kept(live)
    leased = [state for *_, state in found["assignments"]].count("leased")
    assert 0 < leased <= PEOPLE
    assert crowd.faults(found, acknowledged(people)) == []
    assert len(found["drafts"]) > 20


def test_what_is_lost_twice_or_changed_would_be_found() -> None:
    told = Acknowledged(saves={(1, 2): {"polygon": [[1, 2]]}}, sent={"key": (1, {"outcome": "polygon"})})
    good: dict[str, Any] = {
        "drafts": [[1, 1, {}], [1, 2, {"polygon": [[1, 2]]}]],
        "submissions": [["key", 1, {"outcome": "polygon"}]],
        "assignments": [[1, 7, 3, "submitted"], [2, 8, 3, "leased"], [3, 8, 4, "expired"]],
        "tasks": [[7, "done", 1, 1], [8, "open", 2, 1]],
    }
    assert crowd.faults(good, [told]) == []
    for change, said in (
        ({"drafts": [[1, 1, {}]]}, "acknowledged, and lost"),
        ({"drafts": [[1, 2, {"polygon": []}]]}, "acknowledged, and lost"),
        ({"submissions": []}, "is lost or another"),
        ({"submissions": [["key", 1, {"outcome": None}]]}, "is lost or another"),
        ({"submissions": [*good["submissions"], ["key", 1, {"outcome": "polygon"}]]}, "has 2 submissions"),
        ({"submissions": [*good["submissions"], ["other", 2, {}]]}, "never acknowledged"),
        ({"tasks": [[7, "done", 1, 1], [8, "open", 2, 2]]}, "places taken"),
        ({"tasks": [[7, "done", 0, 1], [8, "open", 2, 1]]}, "places taken"),
        ({"assignments": [*good["assignments"], [4, 7, 3, "returned"]]}, "assigned 2 times"),
    ):
        found = crowd.faults({**good, **change}, [told])
        assert len(found) == 1, found
        assert said in found[0]
