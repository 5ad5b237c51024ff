"""Whose turn it is: one work of each asker after the other, in the order in which they came."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

from foveate.assist.desk.states import FullError

Job = TypeVar("Job")


class Turns(Generic[Job]):
    """A fair queue: from when a work is next of its asker's, nobody else gets more than one before it.

    Who has been served and wants more goes behind all who wait; so does who comes anew.

    Args:
        most: How many may wait in all.
        most_each: How many of one asker.
    """

    def __init__(self, most: int, most_each: int) -> None:
        self._most, self._most_each = most, most_each
        # Askers in the order of their turns, each with at least one waiting work.
        self._waiting: dict[str, deque[Job]] = {}

    def __len__(self) -> int:
        return sum(len(jobs) for jobs in self._waiting.values())

    def add(self, who: str, job: Job) -> None:
        """Takes one more.

        Raises:
            FullError: This asker, or all together, have as many waiting as may be.
        """
        own = len(self._waiting.get(who, ()))
        if own >= self._most_each:
            raise FullError("the desk", f"{own} of your questions are waiting already", "Wait for one of the answers.")
        if len(self) >= self._most:
            raise FullError("the desk", f"{len(self)} questions are waiting already", "Ask again in a minute.")
        self._waiting.setdefault(who, deque()).append(job)

    def take(self) -> Job | None:
        """Takes out the one whose turn it is; None where nobody waits."""
        if not self._waiting:
            return None
        who = next(iter(self._waiting))
        jobs = self._waiting.pop(who)
        job = jobs.popleft()
        if jobs:
            self._waiting[who] = jobs
        return job

    def drop(self, job: Job) -> bool:
        """Takes out one that is no longer wanted, whose turn its asker's next one gets. Returns whether it waited."""
        for who, jobs in self._waiting.items():
            if job in jobs:
                jobs.remove(job)
                if not jobs:
                    del self._waiting[who]
                return True
        return False

    def __iter__(self) -> Iterator[Job]:
        """Yields all that wait, in the order in which they will be taken if nobody else comes."""
        rounds = max((len(jobs) for jobs in self._waiting.values()), default=0)
        for turn in range(rounds):
            for jobs in self._waiting.values():
                if turn < len(jobs):
                    yield jobs[turn]
