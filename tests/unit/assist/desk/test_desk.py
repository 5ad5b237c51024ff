from __future__ import annotations

import contextlib
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from foveate.assist.desk import (
    AskWork,
    Desk,
    DeskSettings,
    Done,
    Failed,
    FullError,
    GoneError,
    Request,
    Waiting,
    Work,
    Working,
)
from tests.helpers import PLUGIN, REPOSITORY
from tests.unit.assist.desk.fakes import Break, Chatter, Has, Odd, Say, a_photo

LONG = 60.0


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with Desk(DeskSettings(seconds=3, mebibytes=400, most_each=2, most_waiting=4, warm_photos=2)) as made:
        yield made


def done(desk: Desk, work: Work, value: int = 0, who: str = "anna") -> Any:
    """Returns what came of a work about a photo of this value."""
    state = desk.wait(desk.submit(desk.bring(a_photo(value), who), work, who), LONG)
    return state.result if isinstance(state, Done) else state


def until(holds: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def runs(pid: int) -> bool:
    """Returns whether a process is there and not merely waiting for somebody to ask how it ended."""
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(told.strip()) and not told.strip().startswith("Z")


def test_a_method_is_asked_elsewhere(desk: Desk) -> None:
    answered = done(desk, AskWork("What is this?", "whole_image"))
    assert answered.prediction.final.shape.xyxy == (0, 0, 6, 4)
    assert answered.grounder == "whole_image"
    none = done(desk, AskWork("What is this?", "whole_imge"))
    assert isinstance(none, Failed)
    assert (none.kind, none.remedy) == ("refused", "Did you mean whole_image?")


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("abort", "crashed"),
        ("segfault", "crashed"),
        ("hang", "too_long"),
        ("eat", "too_large"),
        ("devour", "too_large"),
    ],
)
def test_what_breaks_harms_nobody_else(desk: Desk, how: str, kind: str) -> None:
    before = done(desk, Say(), who="bert")[2]
    mallory = desk.submit(desk.bring(a_photo(66), "mallory"), Break(how), "mallory")
    anna = desk.submit(desk.bring(a_photo(3), "anna"), Say("hello"), "anna")
    broken, well = desk.wait(mallory, LONG), desk.wait(anna, LONG)
    assert isinstance(broken, Failed)
    assert broken.kind == kind
    assert broken.remedy.endswith("method.")
    assert isinstance(well, Done)
    assert well.result[:2] == ("hello", 3)
    assert well.result[2] != before
    assert not runs(before)


def test_what_a_method_says_is_told_and_what_it_raises_is_not(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    before = done(desk, Say())[2]
    assert done(desk, Break("refuse"), 5) == Failed("refused", "5.jpg", "it is no good", "Take another.")
    assert done(desk, Break("error")).problem == "the method failed (ZeroDivisionError)"
    assert done(desk, Odd()).kind == "failed"
    assert done(desk, Say())[2] == before
    assert "break error: ZeroDivisionError" in caplog.text
    assert "secret" not in caplog.text
    assert "5.jpg" not in caplog.text


def test_what_a_method_prints_and_starts_disturbs_nobody(desk: Desk) -> None:
    read, writeable, other = done(desk, Chatter())
    assert (read, writeable) == ("", False)
    assert done(desk, Say("on")) == ("on", 0, done(desk, Say())[2])
    assert runs(other)
    done(desk, Break("leave"), 77)
    assert until(lambda: not runs(other))


def test_a_photo_that_took_two_processes_gets_no_third(desk: Desk) -> None:
    key = desk.bring(a_photo(99), "mallory")
    waiting = [desk.submit(key, Break("leave"), who) for who in ("mallory", "rob", "eve")]
    kinds = [getattr(desk.wait(ticket, LONG), "kind", "") for ticket in waiting]
    assert kinds == ["crashed", "crashed", "not_again"]
    before = done(desk, Say())[2]
    again = done(desk, Break("leave"), 99, "another")
    assert (again.kind, again.where) == ("not_again", "the photo")
    assert done(desk, Say("other work"), 99) == ("other work", 99, before)


def test_turns_are_told_kept_and_given_up(desk: Desk) -> None:
    key = desk.bring(a_photo(1), "a")
    begun = desk.submit(key, Say("slow", seconds=0.8), "a")
    second, third = (desk.submit(key, Say(text), "a") for text in ("second", "third"))
    with pytest.raises(FullError, match="2 of your questions are waiting"):
        desk.submit(key, Say(), "a")
    other = desk.submit(key, Say("other"), "b")
    assert isinstance(desk.state(begun), Working)
    turns = [desk.state(ticket) for ticket in (second, other, third)]
    assert [state.turn for state in turns if isinstance(state, Waiting)] == [1, 2, 3]
    abouts = [state.about_seconds for state in turns if isinstance(state, Waiting)]
    assert None not in abouts
    assert abouts == sorted(abouts)  # type: ignore[type-var]
    desk.cancel(second)
    with pytest.raises(GoneError):
        desk.state(second)
    assert [getattr(desk.state(ticket), "turn", 0) for ticket in (third, other)] == [
        1,
        2,
    ]  # The asker keeps their place.
    assert desk.request(other) == Request(key, Say("other"), "b")
    assert isinstance(desk.wait(other, 0.01), Waiting)
    got = [desk.wait(ticket, LONG) for ticket in (begun, other, third)]
    assert [state.result[0] for state in got if isinstance(state, Done)] == ["slow", "other", "third"]
    with pytest.raises(GoneError):
        desk.request("never was")


def test_a_forgotten_photo_is_nowhere(desk: Desk) -> None:
    for value in (11, 12, 13):
        done(desk, Say(), value)
    photo = a_photo(14)
    pixels = weakref.ref(photo.pixels)
    key = desk.bring(photo, "a")
    del photo
    ticket = desk.submit(key, Say("text"), "a")
    assert isinstance(desk.wait(ticket, LONG), Done)
    assert done(desk, Has(), 15) == [14, 15]  # The last two, as many as are to stay warm.
    waiting = desk.submit(desk.bring(a_photo(15), "b"), Say(seconds=0.3), "b"), desk.submit(key, Say(), "a")
    desk.forget(key)
    for gone in (ticket, waiting[1]):
        with pytest.raises(GoneError):
            desk.wait(gone, LONG)
    with pytest.raises(GoneError):
        desk.photo(key)
    desk.wait(waiting[0], LONG)
    assert 14 not in done(desk, Has(), 16)
    gc.collect()
    assert pixels() is None


def test_the_wait_is_told_by_what_such_works_took(desk: Desk) -> None:
    """By hand: 10 s for another photo, 1 s for one that was seen; nothing of this kind was ever done."""
    for warmth, seconds in (("started", 10.0), ("warm", 1.0)):
        desk._pace.record("nap", warmth, seconds)  # type: ignore[arg-type]
    known, other = desk.bring(a_photo(41), "a"), desk.bring(a_photo(42), "b")
    desk.wait(desk.submit(known, Say(kind="nap"), "a"), LONG)  # Its process has begun, and has seen this one.
    desk._pace.record("nap", "started", 10.0)
    first = desk.submit(known, Say(seconds=2, kind="nap"), "a")  # Of the second that is told, some is over.
    tickets = [desk.submit(key, Say(kind="nap"), who) for key, who in ((known, "a"), (other, "b"), (other, "b"))]
    told = [state.about_seconds or 0 for state in map(desk.state, tickets) if isinstance(state, Waiting)]
    assert told == pytest.approx([1.5, 11.5, 12.5], abs=0.51)
    assert isinstance(desk.wait(first, LONG), Done)
    for ticket in tickets:
        desk.wait(ticket, LONG)


def test_large_photos_leave_room_in_the_process() -> None:
    with Desk(DeskSettings(warm_mebibytes=3)) as desk:
        one = (1024, 340)  # A mebibyte.
        for value, size_hw in ((1, one), (2, one), (3, (2048, 340)), (4, (4096, 340))):
            key = desk.bring(a_photo(value, size_hw), "a")
            state = desk.wait(desk.submit(key, Has(), "a"), LONG)
            assert isinstance(state, Done)
            assert state.result == {1: [1], 2: [1, 2], 3: [2, 3], 4: [4]}[value]


def test_many_threads_get_each_their_own(desk: Desk) -> None:
    def one(number: int) -> bool:
        key = desk.bring(a_photo(number), str(number))
        while True:
            with contextlib.suppress(FullError):
                state = desk.wait(desk.submit(key, Say(str(number)), str(number)), LONG)
                desk.forget(key)
                return isinstance(state, Done) and state.result[:2] == (str(number), number)
            time.sleep(0.01)

    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(one, range(100, 160)))


def test_two_processes_share_the_work_and_each_keeps_its_photos() -> None:
    # Other tests of this process have desks of their own.
    before = set(threading.enumerate())
    with Desk(DeskSettings(processes=2, idle_seconds=1.5)) as desk:
        keys = [desk.bring(a_photo(value), "a") for value in (1, 2)]
        first = [desk.wait(t, LONG) for t in [desk.submit(key, Say(seconds=0.5), "a") for key in keys]]
        pids = [state.result[2] for state in first if isinstance(state, Done)]
        assert len(set(pids)) == 2
        for turn in (1, 0, 0, 1):
            state = desk.wait(desk.submit(keys[turn], Say(), "a"), LONG)
            assert isinstance(state, Done)
            assert state.result[2] == pids[turn]
        # A while without work ends them, threads included, and the next work begins one anew.
        assert until(lambda: not any(map(runs, pids)) and not desk._crew.workers)
        late = desk.submit(keys[0], Say(seconds=LONG), "a")
        assert until(lambda: bool(desk._crew.workers and desk._crew.workers[0].process))
        told: list[object] = []
        waiting = threading.Thread(target=lambda: told.append(desk.wait(late, LONG)))
        waiting.start()
        begun = time.monotonic()
        desk.close()
        waiting.join()
        assert time.monotonic() - begun < 10
        assert isinstance(told[0], Failed)
        assert told[0].kind == "stopped"
        with pytest.raises(FullError, match="closed"):
            desk.bring(a_photo(), "a")
    ours = [each for each in threading.enumerate() if each not in before and each.name.startswith("desk")]
    assert not [each for each in ours if each.is_alive()]


def test_a_process_that_does_not_begin_is_no_photos_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foveate.assist.desk.process._BEGIN", "raise SystemExit(3)")
    with Desk(DeskSettings(most_each=5)) as desk:
        key = desk.bring(a_photo(), "a")
        tickets = [desk.submit(key, Say(), "a") for _ in range(3)]
        told = [desk.wait(ticket, LONG) for ticket in tickets]
    assert [(state.kind, state.problem) for state in told if isinstance(state, Failed)] == [
        ("stopped", "a process did not begin")
    ] * 3


def test_photos_leave_by_themselves_and_old_answers_before_them(desk: Desk) -> None:
    with Desk(DeskSettings(kept_seconds=0.4)) as short:
        photo = a_photo()
        pixels = weakref.ref(photo.pixels)
        short.bring(photo, "a")
        del photo
        assert until(lambda: pixels() is None)
    key = desk.bring(a_photo(), "a")
    tickets = [desk.submit(key, Say(), "a") for _ in range(21) if desk.wait(desk.submit(key, Say(), "a"), LONG)]
    desk.wait(tickets[-1], LONG)
    assert len([job for job in desk._jobs.values() if job.request.key == key]) == desk.settings.answers_each
    assert isinstance(desk.state(tickets[-1]), Done)
    with pytest.raises(GoneError):
        desk.state(tickets[0])


_SERVER = """
import time
from foveate.assist.desk import Desk
from tests.unit.assist.desk.fakes import Break, Say, a_photo
desk = Desk()
key = desk.bring(a_photo(), "a")
print(desk.wait(desk.submit(key, Say(), "a"), 60).result[2], flush=True)
desk.submit(key, Break("hang"), "a")
time.sleep(0.3)
print("hangs", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a hung process is ended by Linux")
def test_no_process_outlives_a_killed_server_even_if_it_hangs() -> None:
    path = os.pathsep.join(map(str, (REPOSITORY / "src", REPOSITORY, PLUGIN)))
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert server.stdout is not None
    with server.stdout:
        pid = int(re.findall(r"\d+", server.stdout.readline())[0])
        assert server.stdout.readline() == "hangs\n"
        assert runs(pid)
        server.send_signal(signal.SIGKILL)
        server.wait()
    assert until(lambda: not runs(pid))
