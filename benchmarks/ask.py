"""What asking at the desk costs, and how 20 people at once are served while a photo breaks its process.

First: a process that is begun, the next question about the same photo, the next photo, and the memory of it, beside the
same asked in this process, where nobody is kept from anybody's harm. Then the crowd: each of 20 askers brings a photo
and asks two questions; before them one has sent a photo that crashes, twice, and one as much as may wait.

Run: python -m benchmarks.ask PHOTO... [--grounder pocket] [--askers 20]
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks._ask_works import Crash

from foveate.assist.asking import Asker
from foveate.assist.desk import AskWork, Desk, DeskSettings, Done, Failed, Waiting
from foveate.assist.photos import Photo, read_photo

QUESTIONS = ("What is this?", "What color is it?")
_LONG = 600.0
# Asked here only: at the desk a map is a work of its own.
_WITH_MAP = "again, with map"


@dataclass
class Asked:
    """One question of the crowd.

    Attributes:
        who: The asker.
        turn: What was told when it was asked; 0 where it was begun at once.
        about: How many seconds until the answer were told, or None.
        wait: How long it took.
        over: When it was over.
        said: The answer, or what went wrong.
    """

    who: str
    turn: int
    about: float | None
    wait: float
    over: float
    said: str


def alone(photos: Sequence[Photo], grounder: str) -> dict[str, list[float]]:
    """Returns the seconds of questions at the desk, of one after the other, and the process's memory in MiB."""
    found: dict[str, list[float]] = {name: [] for name in ("first", "next question", "next photo", "peak MiB")}
    with Desk() as desk:
        for number, photo in enumerate(photos):
            key = desk.bring(photo, "one")
            for question in QUESTIONS:
                begin = time.perf_counter()
                state = desk.wait(desk.submit(key, AskWork(question, grounder), "one"), _LONG)
                if not isinstance(state, Done):
                    raise RuntimeError(str(state))
                name = "next question" if question is not QUESTIONS[0] else "next photo" if number else "first"
                found[name].append(time.perf_counter() - begin)
        process = desk._crew.workers[0].process
        if process is not None:
            found["peak MiB"].append(peak(process._popen.pid))
    return found


def here(photos: Sequence[Photo], grounder: str) -> dict[str, list[float]]:
    """Returns the seconds of the same questions in this process."""
    names = ("first", "next question", "next photo", _WITH_MAP)
    found: dict[str, list[float]] = {name: [] for name in names}
    begin = time.perf_counter()
    asker = Asker(grounder)
    for number, photo in enumerate(photos):
        asker.look(photo)
        for question in QUESTIONS:
            asker.ask(question)
            name = "next question" if question is not QUESTIONS[0] else "next photo" if number else "first"
            found[name].append(time.perf_counter() - begin)
            begin = time.perf_counter()
        asker.ask(QUESTIONS[-1], with_map=True)
        found[_WITH_MAP].append(time.perf_counter() - begin)
        begin = time.perf_counter()
    return found


def peak(pid: int) -> float:
    """Returns the most memory that a process has taken, in MiB; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def crowd(photos: Sequence[Photo], grounder: str, askers: int) -> list[Asked]:
    """Returns what came of all questions, in the order in which they were over."""
    names = ["unlucky"] * 2 + ["greedy"] * 3 + [f"{number:02}" for number in range(askers) for _ in QUESTIONS]
    asked: list[Asked] = []
    with Desk(DeskSettings(most_waiting=len(names))) as desk:
        warm = desk.bring(photos[0], "first")
        desk.wait(desk.submit(warm, AskWork(QUESTIONS[0], grounder), "first"), _LONG)
        keys: dict[str, str] = {}
        threads = []
        for place, who in enumerate(names):
            if who not in keys:
                keys[who] = desk.bring(photos[len(keys) % len(photos)], who)
            question = QUESTIONS[place % len(QUESTIONS)]
            work = Crash(grounder) if who == "unlucky" else AskWork(question, grounder)
            begin, ticket = time.perf_counter(), desk.submit(keys[who], work, who)
            told = desk.state(ticket)
            turn, about = (told.turn, told.about_seconds) if isinstance(told, Waiting) else (0, None)
            threads.append(threading.Thread(target=_await, args=(desk, ticket, who, turn, about, begin, asked)))
            threads[-1].start()
        for thread in threads:
            thread.join()
    return sorted(asked, key=lambda each: each.over)


def _await(desk: Desk, ticket: str, who: str, turn: int, about: float | None, begin: float, asked: list[Asked]) -> None:
    state = desk.wait(ticket, _LONG)
    over = time.perf_counter()
    said = state.kind if isinstance(state, Failed) else type(state).__name__
    asked.append(Asked(who, turn, about, over - begin, over, said))


def unfair(asked: Sequence[Asked], askers: int) -> int:
    """Returns how many times somebody got a second answer before another, who asked at the same time, had one."""
    count, had = 0, set[str]()
    crowd = {f"{number:02}" for number in range(askers)}
    for each in asked:
        if each.who in had and each.who in crowd and not crowd <= had:
            count += 1
        had.add(each.who)
    return count


def main(words: Sequence[str] | None = None) -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--grounder", default="pocket")
    parser.add_argument("--askers", type=int, default=20)
    options = parser.parse_args(words)
    photos = [read_photo(path) for path in options.photos]
    at_desk, in_place = alone(photos, options.grounder), here(photos, options.grounder)
    print(f"{options.grounder}, {len(photos)} photos; seconds, median")
    print(f"{'':16}{'at the desk':>12}{'in place':>10}{'ratio':>7}")
    for name, taken in in_place.items():
        if name == _WITH_MAP:
            print(f"{name:16}{'':12}{statistics.median(taken):10.3f}")
        elif taken:
            desk, place = statistics.median(at_desk[name]), statistics.median(taken)
            print(f"{name:16}{desk:12.3f}{place:10.3f}{desk / place:7.2f}")
    print(f"{'peak MiB':16}{max(at_desk['peak MiB'], default=0):12.0f}")
    _print_crowd(crowd(photos, options.grounder, options.askers), options.askers)


def _print_crowd(asked: Sequence[Asked], askers: int) -> None:
    print(f"\n{askers} askers at once, {len(QUESTIONS)} questions each; in the order of the answers; seconds")
    print(f"{'who':10}{'told turn':>10}{'told':>8}{'took':>8}  what came")
    for each in asked:
        about = "" if each.about is None else f"{each.about:.1f}"
        print(f"{each.who:10}{each.turn:10}{about:>8}{each.wait:8.1f}  {each.said}")
    rest = [each for each in asked if each.who != "unlucky"]
    print(
        f"answered {sum(each.said == 'Done' for each in rest)} of {len(rest)}; lost to the crashing photo "
        f"{sum(each.said == 'crashed' for each in asked)}; second answers before a first: {unfair(asked, askers)}; "
        f"wait p50 {statistics.median(each.wait for each in rest):.1f}, longest {max(each.wait for each in rest):.1f}"
    )


if __name__ == "__main__":
    main()
