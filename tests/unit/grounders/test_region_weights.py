"""From attention to weights of regions: every option against NumPy, by loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from foveate.errors import UsageError
from foveate.grounders._attention.region_weights import (
    Tokens,
    checked_choice,
    checked_heads,
    cross_weights,
    of_heads,
    self_weights,
)

# 3 heads; 5 rows of text of which 4 are there; 4 regions of which 3 are.
CROSS = np.random.default_rng(1).random((3, 5, 4))
# 3 heads; 5 places of text of which 4 are there, then 4 regions of which 3 are.
SELF = np.random.default_rng(2).random((3, 9, 9))


def by_loops(attention: Any, rows: list[int], columns: list[int], heads: str) -> list[float]:
    found = []
    for column in columns:
        values = []
        for row in rows:
            each = [attention[head][row][column] for head in range(3)]
            values.append({"mean": sum(each) / 3, "max": max(each), "2": each[1]}[heads])
        found.append(sum(values) / len(values))
    return found


@pytest.mark.parametrize("heads", ["mean", "max", "2"])
@pytest.mark.parametrize(("tokens", "rows"), [("all", [0, 1, 2, 3, 4]), ("non_pad", [0, 1, 2, 3]), ("cls", [0])])
def test_what_words_attend_to(tokens: str, rows: list[int], heads: str) -> None:
    found = cross_weights(CROSS, 4, 3, tokens, heads)
    np.testing.assert_allclose(found, by_loops(CROSS, rows, [0, 1, 2], heads))


@pytest.mark.parametrize("heads", ["mean", "max", "2"])
@pytest.mark.parametrize(("block", "rows"), [("vision", [5, 6, 7]), ("text", [0, 1, 2, 3]), ("cls", [0])])
def test_what_attends_to_regions_in_one_row(block: str, rows: list[int], heads: str) -> None:
    found = self_weights(SELF, 4, 5, 3, block, heads)
    np.testing.assert_allclose(found, by_loops(SELF, rows, [5, 6, 7], heads))


def test_padding_regions_are_left_out() -> None:
    other = SELF.copy()
    other[:, 8, :] = other[:, :, 8] = 99.0
    assert (self_weights(other, 4, 5, 3, "vision", "mean") == self_weights(SELF, 4, 5, 3, "vision", "mean")).all()


def test_heads_are_numbered_from_one() -> None:
    assert (of_heads(CROSS, "1") == CROSS[0]).all()
    assert [checked_heads("lxmert", heads, 3) for heads in ("mean", "max", "1", "3")] == ["mean", "max", "1", "3"]
    for wrong in ("0", "4", "-1", "", "all", "1.5"):
        with pytest.raises(
            UsageError, match=rf"grounder lxmert: heads is {wrong}, of 3 heads\. Say mean, max, or 1 to 3"
        ):
            checked_heads("lxmert", wrong, 3)
    with pytest.raises(UsageError, match=r"tokens is pad\."):
        checked_choice("lxmert", "tokens", "pad", Tokens)
