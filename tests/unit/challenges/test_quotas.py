"""What a team has left: against a plain count by hand, at the borders of UTC days, and by the memo's states."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.challenges.definition import Limits
from foveate.challenges.quotas import Left, Sent, left, refusal

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
STATES = (
    "waiting checking refused queued running scoring scored failed lost withdrawn".split()  # noqa: SIM905
)
# By the memo (design/challenges.md, Limits): what each state costs.
COSTS = {
    "waiting": "va",
    "checking": "va",
    "queued": "va",
    "running": "va",
    "scoring": "va",
    "scored": "va",
    "failed": "a",
    "refused": "",
    "lost": "",
    "withdrawn": "",
}
COUNT = st.none() | st.integers(0, 6)
SENT = st.builds(
    Sent,
    st.sampled_from(STATES),
    st.datetimes(datetime(2026, 11, 29), datetime(2026, 12, 2, 23), timezones=st.just(UTC)),
    st.booleans(),
)


def costs(one: Sent) -> str:
    return "va" if one.state == "withdrawn" and one.scored else COSTS[one.state]


@given(
    st.builds(Limits, COUNT, COUNT, COUNT, COUNT, st.integers(1, 4)),
    st.lists(SENT, max_size=12),
    st.datetimes(datetime(2026, 12, 1), datetime(2026, 12, 2, 23), timezones=st.just(UTC)),
)
def test_it_is_what_counting_by_hand_gives(limits: Limits, sent: list[Sent], now: datetime) -> None:
    midnight = datetime(now.year, now.month, now.day, tzinfo=UTC)
    used = {"v": 0, "a": 0, "vt": 0, "at": 0, "u": 0}
    for one in sent:
        for kind in costs(one):
            used[kind] += 1
            used[f"{kind}t"] += not one.at < midnight
        used["u"] += one.state in ("waiting", "checking", "queued", "running", "scoring")

    def rest(limit: int | None, key: str) -> int | None:
        return None if limit is None else max(0, limit - used[key])

    found = left(limits, sent, now)
    assert found == Left(
        rest(limits.valid_a_day, "vt"),
        rest(limits.valid_in_all, "v"),
        rest(limits.all_a_day, "at"),
        rest(limits.all_in_all, "a"),
        max(0, limits.at_once - used["u"]),
        midnight + timedelta(days=1),
    )
    why = refusal(limits, sent, now)
    assert (why is None) == found.may_send
    # Whoever waits until then may be told "in all" or "at once", never "today" of the same entries.
    if why and why.again_at and max((one.at for one in sent), default=now) < why.again_at:
        later = refusal(limits, sent, why.again_at)
        assert later is None or later.code != "limit_today"


def sent_at(*texts: str, state: str = "scored") -> list[Sent]:
    return [Sent(state, datetime.fromisoformat(text)) for text in texts]


def test_a_day_is_one_of_utc_whatever_the_zone_of_who_asks() -> None:
    sent = sent_at("2026-11-30T23:59:59.999999+00:00", "2026-12-01T00:00:00+00:00")
    in_tokyo = NOW.astimezone(timezone(timedelta(hours=9)))
    for now in (NOW, in_tokyo):
        found = left(Limits(valid_a_day=5, valid_in_all=9), sent, now)
        assert (found.valid_today, found.valid_in_all) == (4, 7)
        assert found.next_day == datetime(2026, 12, 2, tzinfo=UTC)
    last = datetime(2026, 12, 1, 23, 59, 59, 999999, tzinfo=UTC)
    assert left(Limits(valid_a_day=1), sent, last).valid_today == 0
    assert left(Limits(valid_a_day=1), sent, last + timedelta(microseconds=1)).valid_today == 1


def test_a_clock_that_went_back_gives_no_entries_for_free() -> None:
    sent = sent_at("2026-12-02T00:00:01+00:00")
    assert left(Limits(valid_a_day=1), sent, NOW).valid_today == 0


@pytest.mark.parametrize("state", ["refused", "lost", "withdrawn"])
def test_what_costs_nothing(state: str) -> None:
    sent = [Sent(state, NOW)] * 9
    found = left(Limits(1, 1, 1, 1, 1), sent, NOW)
    assert (found.valid_today, found.valid_in_all, found.all_today, found.all_in_all, found.at_once) == (1, 1, 1, 1, 1)
    assert found.today == 1


def test_withdrawing_what_was_scored_gives_nothing_back() -> None:
    assert left(Limits(valid_a_day=2), [Sent("withdrawn", NOW, scored=True)], NOW).valid_today == 1


def test_what_is_said_and_when_it_is_over() -> None:
    three = [Sent("scored", NOW)] * 3
    why = refusal(Limits(valid_a_day=3), three, NOW)
    assert why
    assert (why.code, why.again_at) == ("limit_today", datetime(2026, 12, 2, tzinfo=UTC))
    assert why.said == "Your team has sent the 3 valid entries that this phase takes in a day."
    assert why.remedy == "The next day begins at 2026-12-02 00:00 UTC."
    # What no day mends is told before.
    ever = refusal(Limits(valid_a_day=3, all_in_all=3), three, NOW)
    assert ever
    assert (ever.code, ever.again_at) == ("limit_in_all", None)
    busy = refusal(Limits(at_once=2), [Sent("queued", NOW), Sent("running", NOW)], NOW)
    assert busy
    assert busy.code == "limit_at_once"
    failed = refusal(Limits(valid_a_day=3, all_a_day=2), [Sent("failed", NOW)] * 2, NOW)
    assert failed
    assert "failed ones counted" in failed.said


def test_no_limits_but_how_many_at_once() -> None:
    found = left(Limits(), [Sent("scored", NOW)] * 500, NOW)
    assert (found.today, found.may_send, found.at_once) == (None, True, 3)
