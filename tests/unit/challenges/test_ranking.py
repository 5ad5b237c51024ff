"""Places: by shown values and times alone, whatever the order of rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.challenges.ranking import Candidate, Rule, rank, rank_after_end

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def entry(key: int, team: int, value: float | None, minute: int = 0, **more: Any) -> Candidate:
    return Candidate(key, team, key, NOW + timedelta(minutes=minute), value, **more)


def said(entries: list[Candidate], **rule: Any) -> list[tuple[int, int]]:
    """Returns place and entry, best first."""
    return [(one.place, one.candidate.key) for one in rank(entries, Rule(**rule))]


THREE = [entry(1, 1, 0.5, 5), entry(2, 2, 0.7, 4), entry(3, 3, 0.7, 3), entry(4, 4, 0.2, 2)]


def test_of_equal_values_the_earlier_is_first_or_they_share() -> None:
    assert said(THREE) == [(1, 3), (2, 2), (3, 1), (4, 4)]
    assert said(THREE, ties="shared") == [(1, 3), (1, 2), (3, 1), (4, 4)]
    assert [one.shared for one in rank(THREE, Rule(ties="shared"))] == [True, True, False, False]
    assert said(THREE, better="lower") == [(1, 4), (2, 1), (3, 3), (4, 2)]


def test_places_are_those_of_competitions() -> None:
    entries = [entry(1, 1, 0.9), entry(2, 2, 0.7), entry(3, 3, 0.7), entry(4, 4, 0.1)]
    assert [place for place, _ in said(entries, ties="shared")] == [1, 2, 2, 4]


def test_which_entry_of_a_team_counts() -> None:
    mine = [entry(1, 1, 0.5, 1), entry(2, 1, 0.9, 2), entry(3, 1, 0.9, 3), entry(4, 1, 0.1, 4)]
    assert said(mine) == [(1, 2)]
    assert said(mine, counts="newest") == [(1, 4)]
    # Nothing chosen yet: the best one.
    assert said(mine, counts="chosen") == [(1, 2)]
    assert said([replace(mine[0], chosen=True), *mine[1:]], counts="chosen") == [(1, 1)]
    # A choice that is not seen is none.
    assert said([replace(mine[0], chosen=True, public=False), *mine[1:]], counts="chosen") == [(1, 2)]
    assert said([replace(mine[0], chosen=True), *mine[1:]]) == [(1, 2)]


@pytest.mark.parametrize(
    "change", [{"public": False}, {"disqualified": True}, {"state": "withdrawn"}, {"state": "failed"}, {"value": None}]
)
def test_what_does_not_count_moves_no_place(change: dict[str, Any]) -> None:
    best: dict[str, Any] = {"value": 0.99, **change}
    assert said([*THREE, entry(9, 9, **best)]) == said(THREE)


def test_what_is_no_number_has_no_place() -> None:
    assert said([*THREE, entry(9, 9, float("nan")), entry(10, 10, float("inf"))]) == said(THREE)


def test_what_was_sent_after_the_end_is_ranked_apart() -> None:
    late = [entry(8, 1, 0.99, 60, after_end=True), entry(9, 9, 0.4, 61, after_end=True)]
    assert said([*THREE, *late]) == said(THREE)
    assert [(one.place, one.candidate.key) for one in rank_after_end([*late, *THREE], Rule())] == [(1, 8), (2, 9)]


def test_in_one_moment_the_lower_number_is_first() -> None:
    assert said([entry(2, 2, 0.5), entry(1, 1, 0.5)]) == [(1, 1), (2, 2)]


def numbered(rows: list[dict[str, Any]]) -> list[Candidate]:
    return [entry(key, **row) for key, row in enumerate(rows, 1)]


candidates = st.lists(
    st.fixed_dictionaries(
        {
            "team": st.integers(1, 6),
            "value": st.sampled_from([None, 0.0, 0.1, 0.1001, 0.5, 1.0]),
            "minute": st.integers(0, 5),
            "state": st.sampled_from(["scored", "scored", "withdrawn"]),
            "public": st.booleans(),
            "chosen": st.booleans(),
            "after_end": st.booleans(),
        }
    ),
    max_size=25,
).map(numbered)
rules = st.builds(
    Rule, st.sampled_from(["higher", "lower"]), st.sampled_from(["best", "newest", "chosen"]),
    st.sampled_from(["earlier", "shared"]),
)  # fmt: skip


@given(candidates, rules, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(entries: list[Candidate], rule: Rule, shuffled: Any) -> None:
    other = list(entries)
    shuffled.shuffle(other)
    assert rank(other, rule) == rank(entries, rule)


@given(candidates, rules)
def test_a_place_is_one_more_than_the_teams_before(entries: list[Candidate], rule: Rule) -> None:
    places = rank(entries, rule)
    assert len({one.candidate.team for one in places}) == len(places)
    sign = 1 if rule.better == "higher" else -1
    for one in places:
        value, when = one.candidate.value or 0, (one.candidate.sent_at, one.candidate.number)
        before = sum(
            sign * (other.candidate.value or 0) > sign * value
            or (
                rule.ties == "earlier"
                and other.candidate.value == one.candidate.value
                and (other.candidate.sent_at, other.candidate.number) < when
            )
            for other in places
        )
        assert one.place == before + 1
        equal = sum(other.candidate.value == one.candidate.value for other in places)
        assert one.shared == (rule.ties == "shared" and equal > 1)


@given(candidates, rules)
def test_each_team_that_sent_something_ranks_by_the_entry_that_counts(entries: list[Candidate], rule: Rule) -> None:
    ranked = {one.candidate.team: one.candidate for one in rank(entries, rule)}
    late = {one.candidate.team: one.candidate for one in rank_after_end(entries, rule)}
    for found, after_end in ((ranked, False), (late, True)):
        counting = [one for one in entries if one.counts and one.after_end == after_end]
        assert set(found) == {one.team for one in counting}
        for team, one in found.items():
            mine = sorted((of for of in counting if of.team == team), key=lambda of: (of.sent_at, of.number))
            if rule.counts == "newest":
                assert one == mine[-1]
                continue
            chosen = [of for of in mine if of.chosen] if rule.counts == "chosen" else []
            values = [of.value or 0.0 for of in chosen or mine]
            best = max(values) if rule.better == "higher" else min(values)
            assert one == next(of for of in chosen or mine if of.value == best)


@given(candidates, st.sampled_from(["earlier", "shared"]), st.integers(0, 24))
def test_a_better_value_never_costs_a_place(entries: list[Candidate], ties: Any, at: int) -> None:
    if at >= len(entries):
        return
    one = entries[at]
    better = [*entries[:at], replace(one, value=1.0), *entries[at + 1 :]]
    before, after = (
        {place.candidate.team: place.place for place in rank(rows, Rule(ties=ties))} for rows in (entries, better)
    )
    assert after.get(one.team, 99) <= before.get(one.team, 99)
