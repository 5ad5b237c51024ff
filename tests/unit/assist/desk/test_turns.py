from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, MultipleResults, RuleBasedStateMachine, initialize, invariant, multiple, rule

from foveate.assist.desk.states import FullError
from foveate.assist.desk.turns import Turns

WHO = st.sampled_from("abcde")


class Queue(RuleBasedStateMachine):
    """Compares with a plain list of who came when, and counts who was served while another waited."""

    jobs: Bundle[tuple[str, int]] = Bundle("jobs")

    @initialize(most=st.integers(1, 8), each=st.integers(1, 4))
    def begin(self, most: int, each: int) -> None:
        self.turns: Turns[tuple[str, int]] = Turns(most, each)
        self.most, self.each, self.count = most, each, 0
        self.waiting: dict[tuple[str, int], dict[str, int]] = {}
        self.said: list[tuple[str, int]] = []

    @rule(target=jobs, who=WHO)
    def add(self, who: str) -> tuple[str, int] | MultipleResults[tuple[str, int]]:
        own = [job for job in self.waiting if job[0] == who]
        job = (who, self.count)
        self.count += 1
        if len(own) >= self.each or len(self.waiting) >= self.most:
            with pytest.raises(FullError):
                self.turns.add(who, job)
            return multiple()
        self.turns.add(who, job)
        # Whatever else is added, nobody who waits already falls back by more than this one.
        assert [each for each in self.turns if each != job] == self.said
        self.waiting[job] = dict.fromkeys("abcde", 0)
        return job

    @rule()
    def take(self) -> None:
        foretold = next(iter(self.turns), None)
        job = self.turns.take()
        assert job == foretold
        if job is None:
            assert not self.waiting
            return
        assert list(self.turns) == self.said[1:]
        del self.waiting[job]
        for served in self.waiting.values():
            served[job[0]] += 1

    @rule(job=jobs)
    def drop(self, job: tuple[str, int]) -> None:
        assert self.turns.drop(job) == (job in self.waiting)
        self.waiting.pop(job, None)

    @invariant()
    def is_fair(self) -> None:
        if not hasattr(self, "turns"):
            return
        self.said = list(self.turns)
        assert len(self.turns) == len(self.said) == len(self.waiting)
        assert set(self.said) == set(self.waiting)
        for job, served in self.waiting.items():
            # Before its asker's n-th next work, each other asker gets at most n: whatever came and went meanwhile.
            own = served[job[0]]
            assert all(times <= own + 1 + self._before(job) for who, times in served.items() if who != job[0])
        for who in "abcde":
            own_jobs = [job for job in self.said if job[0] == who]
            assert own_jobs == sorted(own_jobs)

    def _before(self, job: tuple[str, int]) -> int:
        """Returns how many of the asker's own wait before it."""
        return sum(each[0] == job[0] and each[1] < job[1] for each in self.waiting)


TestQueue = Queue.TestCase
TestQueue.settings = settings(max_examples=60, stateful_step_count=40)


def test_askers_take_turns_by_hand() -> None:
    turns: Turns[str] = Turns(10, 3)
    for who, job in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1"), ("b", "b2")):
        turns.add(who, job)
    assert list(turns) == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert turns.take() == "a1"
    turns.add("d", "d1")  # Who comes waits behind b and c, and behind a, who wants more.
    assert list(turns) == ["b1", "c1", "a2", "d1", "b2", "a3"]
    full: Turns[str] = Turns(10, 2)
    full.add("a", "1")
    full.add("a", "2")
    with pytest.raises(FullError, match="2 of your questions"):
        full.add("a", "3")
    full = Turns(1, 3)
    full.add("a", "1")
    with pytest.raises(FullError, match="1 questions are waiting"):
        full.add("b", "2")
