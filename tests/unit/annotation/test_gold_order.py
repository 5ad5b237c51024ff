"""When gold questions come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from foveate.annotation.gold_order import golds_due
from foveate.annotation.kinds import ProjectSettings


@given(st.integers(2, 50), st.text(max_size=8), st.integers(0, 2_000))
def test_of_each_block_of_tasks_one_is_gold(every: int, seed: str, ordinary: int) -> None:
    due = golds_due(ordinary, every, seed)
    assert ordinary // (every - 1) <= due <= ordinary // (every - 1) + 1
    assert 0 <= golds_due(ordinary + 1, every, seed) - due <= 1 + (every == 2)


def test_the_place_in_a_block_is_another_for_other_people_and_blocks() -> None:
    def places(seed: str) -> list[int]:
        return [next(n for n in range(9) if golds_due(9 * block + n, 10, seed) > block) for block in range(200)]

    assert places("one") != places("two")
    counts = [places("one").count(place) for place in range(9)]
    assert min(counts) > 8
    assert sum(counts) == 200


def test_every_task_gold_is_none_that_is_judged() -> None:
    with pytest.raises(ValidationError, match="every task would be gold"):
        ProjectSettings(gold_every=1)
