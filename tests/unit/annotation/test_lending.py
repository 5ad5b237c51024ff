"""Leases, drafts and the order of tasks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from foveate.annotation.drafts import Conflict, LeaseOver, Saved, decide
from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.leases import is_over, lease_until, may_take_again
from foveate.annotation.order import ordered

NOW = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_a_lease_lasts_its_minutes() -> None:
    until = lease_until(NOW, ProjectSettings(lease_minutes=45))
    assert until - NOW == timedelta(minutes=45)
    assert [is_over(until, at) for at in (NOW, until - timedelta(microseconds=1), until)] == [False, False, True]


@pytest.mark.parametrize(
    ("state", "taken", "same_stage", "may"),
    [
        ("open", 1, True, True),
        ("open", 2, True, False),
        ("open", 1, False, False),
        ("done", 1, True, False),
        ("set_aside", 0, True, False),
    ],
)
def test_a_place_that_nobody_took_may_be_taken_again(state: str, taken: int, same_stage: bool, may: bool) -> None:
    assert may_take_again(state, taken=taken, wanted=2, same_stage=same_stage) is may


def test_a_draft_is_saved_on_top_of_the_newest_version() -> None:
    assert decide(0, 0, overwrite=False, lease="held") == Saved(1)
    assert decide(3, 3, overwrite=False, lease="held") == Saved(4)
    assert decide(3, 3, overwrite=False, lease="free") == Saved(4, takes_again=True)


@pytest.mark.parametrize("base", [0, 2, 4])
def test_another_version_is_told_and_not_written_over(base: int) -> None:
    assert decide(3, base, overwrite=False, lease="held") == Conflict(3)
    assert decide(3, base, overwrite=True, lease="held") == Saved(4)


def test_a_task_that_went_to_another_is_told_first() -> None:
    assert decide(3, 1, overwrite=True, lease="gone") == LeaseOver()


def test_the_order_is_that_of_the_data_or_drawn() -> None:
    keys = [f"{n}.jpg" for n in range(50)]
    assert ordered(keys, None) == keys
    drawn = ordered(keys, 7)
    assert sorted(drawn) == sorted(keys)
    assert drawn not in (keys, ordered(keys, 8))
    assert drawn == ordered(keys[::-1], 7)
    # A task more moves no other past another.
    assert [key for key in ordered([*keys, "new.jpg"], 7) if key != "new.jpg"] == drawn
