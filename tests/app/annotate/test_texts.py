from __future__ import annotations

import re

import pytest

from foveate.app.annotate.texts import as_html


@pytest.mark.parametrize(
    ("text", "levels"),
    [("# a\n## b\n# c", [2, 3, 2]), ("## a\n\n### b", [2, 3]), ("# a\n#### b\n###### c", [2, 3, 4]), ("#### a", [2])],
)
def test_headings_begin_below_the_pages_own_and_leave_none_out(text: str, levels: list[int]) -> None:
    html = as_html(text)
    assert [int(level) for level in re.findall(r"<h(\d)>", html)] == levels
    assert [int(level) for level in re.findall(r"</h(\d)>", html)] == levels


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))", "<style>*{}</style>",
        "<iframe src='https://example.org'></iframe>", "<a href='data:text/html,x'>a</a>", "<form action='/x'><input>",
        "<svg onload=alert(1)>", "<p style='position:fixed'>x</p>", "<details open ontoggle=alert(1)>x</details>",
    ],
)  # fmt: skip
def test_nothing_in_it_can_run(evil: str) -> None:
    html = as_html(f"before\n\n{evil}\n\nafter")
    assert re.findall(r"<(script|style|iframe|form|input|svg)|\s(on\w+|style)=|href=.(?:javascript|data)", html) == []
    assert "before" in html


def test_tables_and_details_stay() -> None:
    html = as_html("| a | b |\n|---|---|\n| 1 | 2 |\n\n<details><summary>more</summary>\n\n*x*\n\n</details>")
    for part in ("<table>", "<td>1</td>", "<summary>more</summary>", "<em>x</em>"):
        assert part in html
