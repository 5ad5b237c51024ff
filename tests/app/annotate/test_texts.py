from __future__ import annotations

import re

import pytest

from foveate.app.annotate.texts import as_html


@pytest.mark.parametrize(
    ("levels", "shown"),
    [
        ([1, 2, 3, 2], [2, 3, 4, 3]),
        ([2, 2, 3], [2, 2, 3]),
        ([3, 1, 3], [2, 2, 3]),
        ([1, 3, 2], [2, 3, 3]),
        ([1, 2, 3, 4, 5], [2, 3, 4, 4, 4]),
    ],
)
def test_headings_begin_below_the_page_own_and_leave_none_out(levels: list[int], shown: list[int]) -> None:
    html = as_html("\n\n".join(f"{'#' * level} Part" for level in levels))
    assert [int(level) for level in re.findall(r"<h(\d)>Part</h\1>", html)] == shown
