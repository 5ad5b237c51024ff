"""IoUs as people read them: rounded, and never on another side of what they are judged by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.evaluation.wording import three


@pytest.mark.parametrize(
    ("value", "bounds", "said"),
    [
        (0.7444, (), "0.744"),
        (0.7446, (), "0.745"),  # Cut it would be 0.744.
        (1, (0.7,), "1.000"),
        (0.69996, (), "0.700"),
        (0.69996, (0.7,), "0.69996"),
        (0.7, (0.7,), "0.700"),
        (0.7004, (0.7,), "0.7004"),
        (0.7009, (0.7,), "0.701"),
        (0.79999, (0.8, 0.6), "0.79999"),
        (0.0002, (0,), "0.0002"),
        (-0.0001, (), "0.000"),
        (-0.002, (), "-0.002"),
        (None, (0.5,), "n/a"),
    ],
)
def test_three_digits_and_more_beside_a_bound(value: float | None, bounds: tuple[float, ...], said: str) -> None:
    assert three(value, *bounds) == said


@given(
    value=st.tuples(st.integers(0, 10**7), st.integers(1, 10**7)).map(lambda pair: min(pair) / max(pair)),
    bound=st.integers(0, 100).map(lambda n: n / 100),
)
def test_what_is_read_is_on_the_side_of_the_bound_on_which_it_is(value: float, bound: float) -> None:
    """IoUs are shares of pixels, and limits have two digits."""
    read = float(three(value, bound))
    assert abs(read - value) <= 0.0005 + 1e-12
    assert (read > bound, read < bound) == (value > bound, value < bound)
