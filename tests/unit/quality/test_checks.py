"""Flags at each edge, and what is drawn for inspection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from foveate.quality.checks import RULES, CheckSettings, check, drawn_for_inspection
from foveate.quality.done import Done

USUAL = CheckSettings(idle_times=0)


def batch(*kinds: dict[str, Any], seconds: float = 20.0) -> list[Done]:
    """Returns one submission for each kind, `{}` for one that nothing is to be said of."""
    return [Done(str(n), **{"seconds": seconds, "points": 9, **kind}) for n, kind in enumerate(kinds)]


def rules(sent: Sequence[Done], settings: CheckSettings = USUAL) -> list[list[str]]:
    return [[flag.rule for flag in one.flags] for one in check(sent, settings)]


@pytest.mark.parametrize("rule", ["several_questions", "several_regions", "cannot_draw"])
def test_more_than_three_of_a_batch_of_five_are_flagged_and_all_of_it_is_looked_at(rule: str) -> None:
    yes: dict[str, Any] = {rule: True, "points": None}
    assert rules(batch(yes, yes, yes, {}, {})) == [[]]
    (found,) = check(batch(yes, yes, {}, yes, yes), USUAL)
    (flag,) = found.flags
    assert (flag.rule, flag.found, flag.limit, flag.which) == (rule, 4, 3, (0, 1, 2, 3, 4))


def test_yes_in_step_one_and_in_step_two_are_not_added() -> None:
    one, two = {"several_questions": True, "points": None}, {"several_regions": True, "points": None}
    assert rules(batch(one, one, one, two, two)) == [[]]


def test_thirty_seconds_for_a_batch_are_enough_and_a_breath_less_is_not() -> None:
    assert rules(batch({}, {}, {}, {}, {}, seconds=6.0)) == [[]]
    sent = batch({}, {}, {}, {}, {"seconds": 5.9}, seconds=6.0)
    (flag,) = check(sent, USUAL)[0].flags
    assert (flag.rule, flag.which) == ("too_quick", (0, 1, 2, 3, 4))
    assert flag.found == pytest.approx(29.9)


def test_five_points_are_enough_and_two_outlines_with_fewer_are_let_pass() -> None:
    few, five = {"points": 4}, {"points": 5}
    assert rules(batch(few, few, five, five, five)) == [[]]
    (flag,) = check(batch(few, five, few, five, few), USUAL)[0].flags
    assert (flag.rule, flag.found, flag.which) == ("few_points", 3, (0, 2, 4))
    nothing: dict[str, Any] = {"points": None}
    assert rules(batch(nothing, nothing, nothing, nothing, {})) == [[]], "what is no outline has no points"


def test_a_batch_that_is_not_full_tells_only_what_cannot_change() -> None:
    yes = {"cannot_draw": True, "points": None, "seconds": 1.0}
    for few in ((yes, yes, yes), (yes,)):
        assert rules(batch(*few)) == [[]], "it may be slow yet, and fewer than four"
    (found,) = check(batch(yes, yes, yes, yes), USUAL)
    assert (found.whole, [flag.rule for flag in found.flags]) == (False, ["cannot_draw"])
    assert rules(batch(yes, yes, yes, yes, yes)) == [["cannot_draw", "too_quick"]]


def test_gold_is_missed_at_the_threshold_itself_and_by_another_answer() -> None:
    met = {"gold": 0.7000001, "gold_same": True}
    at = {"gold": 0.7, "gold_same": True}
    other = {"gold": None, "gold_same": False, "points": None}
    nothing_to_draw = {"gold": None, "gold_same": True, "points": None}
    assert rules(batch(met, nothing_to_draw)) == [[]]
    (flag,) = check(batch(met, at, other), USUAL)[0].flags
    assert (flag.rule, flag.found, flag.which) == ("gold_missed", 2, (1, 2))


def test_agreement_is_a_mean_over_the_latest_and_off_until_it_is_asked_for() -> None:
    low, high = {"peers": 0.25}, {"peers": 0.75}
    sent = batch(*[low] * 5, *[high] * 5)
    assert rules(sent) == [[], []]
    settings = CheckSettings(idle_times=0, least_peers=0.5, peers_over=6)
    # Of the first five there are too few; of the latest six one is low: (0.25 + 5 · 0.75) / 6 = 2/3.
    assert rules(sent, settings) == [[], []]
    turned = batch(*[high] * 5, *[low] * 5)
    (flag,) = check(turned, settings)[1].flags
    assert (flag.rule, flag.which) == ("peers", (5, 6, 7, 8, 9))
    assert flag.found == pytest.approx(1 / 3)
    assert rules(batch(*[{"peers": 0.5}] * 10), settings) == [[], []], "the limit itself is enough"
    alone = batch(*[low] * 10, *[{}] * 5)
    assert rules(alone, settings) == [[], ["peers"], []], (
        "a batch that was not compared is not flagged for those before"
    )


def test_one_task_that_takes_many_times_the_usual_is_flagged_if_it_is_long_at_all() -> None:
    settings = CheckSettings(idle_times=10)
    assert rules(batch({}, {}, {}, {}, {"seconds": 300.0}), settings) == [[]]
    (flag,) = check(batch({}, {}, {}, {}, {"seconds": 300.1}), settings)[0].flags
    assert (flag.rule, flag.limit, flag.which) == ("idle", 300.0, (4,))
    slow = batch({}, {}, {}, {}, {"seconds": 500.0}, seconds=60.0)
    assert rules(slow, settings) == [[]]
    assert rules(batch({}, {}, {}, {}, {"seconds": 600.1}, seconds=60.0), settings) == [["idle"]]


@given(st.lists(st.sampled_from(["", "several_questions", "several_regions", "cannot_draw"]), max_size=23), st.data())
def test_more_work_changes_no_flag_of_what_is_there(kinds: list[str], data: st.DataObject) -> None:
    settings = CheckSettings(batch=data.draw(st.integers(1, 7)))
    sent = batch(*[{kind: True, "points": None} if kind else {} for kind in kinds], seconds=4.0)
    some = sent[: data.draw(st.integers(0, len(sent)))]
    before, after = check(some, settings), check(sent, settings)
    assert [one.size for one in after] == [min(settings.batch, len(sent) - one.first) for one in after]
    for was, now in zip(before, after, strict=False):
        told = {flag.rule for flag in was.flags}
        assert told <= {flag.rule for flag in now.flags}
        assert not was.whole or was == now
        assert [RULES.index(flag.rule) for flag in now.flags] == sorted(RULES.index(flag.rule) for flag in now.flags)


def test_settings_that_mean_nothing_are_refused() -> None:
    for wrong in ({"batch": 0}, {"gold_threshold": 1.0}, {"inspect_share": 1.1}, {"unknown": 1}):
        with pytest.raises(ValidationError):
            CheckSettings(**wrong)


def test_so_many_of_each_batch_are_drawn_and_none_twice() -> None:
    tasks = [f"{n}.jpg" for n in range(23)]
    settings = CheckSettings(inspect_number=2)
    drawn = drawn_for_inspection("ann", tasks, settings)
    assert [sum(5 * b <= n < 5 * b + 5 for n in drawn) for b in range(5)] == [2, 2, 2, 2, 0]
    assert len(set(drawn)) == len(drawn)
    assert drawn == drawn_for_inspection("ann", tasks, settings)
    assert drawn != drawn_for_inspection("bob", tasks, settings)
    assert drawn != drawn_for_inspection("ann", tasks, CheckSettings(inspect_number=2, seed=1))


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 5), st.floats(0, 1))
def test_what_is_drawn_stays_drawn(count: int, more: int, number: int, share: float) -> None:
    tasks = [str(n) for n in range(count + more)]
    settings = CheckSettings(inspect_number=number, inspect_share=share)
    before = drawn_for_inspection("ann", tasks[:count], settings)
    assert set(before) <= set(drawn_for_inspection("ann", tasks, settings))
    greater = CheckSettings(inspect_number=number + 1, inspect_share=min(1.0, share + 0.1))
    assert set(before) <= set(drawn_for_inspection("ann", tasks[:count], greater))


def test_a_share_draws_about_as_many() -> None:
    drawn = drawn_for_inspection(
        "ann", [str(n) for n in range(4000)], CheckSettings(inspect_number=0, inspect_share=0.05)
    )
    # Binomial of 4,000 and 0.05: 200 with a deviation of 13.8.
    assert 145 <= len(drawn) <= 255
