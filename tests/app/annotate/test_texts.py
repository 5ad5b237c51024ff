from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from docs.example_figures import FIGURES, drawn

from foveate.annotation.instructions import default_instructions
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


def test_below_a_second_heading_they_begin_with_the_third() -> None:
    html = as_html("# Part\n\n## Part\n\n### Part\n\n# Part", 3)
    assert re.findall(r"<h(\d)>Part</h\1>", html) == ["3", "4", "4", "3"]


def test_the_instructions_show_figures_with_words_that_say_what_is_on_them() -> None:
    shown = re.findall(
        r'<img src="/static/annotate/example-([a-z-]+).svg" alt="([^"]*)">', as_html(default_instructions("grounding"))
    )
    assert sorted(name for name, _ in shown) == sorted(FIGURES)
    assert all(len(alt) > 40 and alt.endswith(".") for _, alt in shown)
    assert "example-jar.svg" in as_html(default_instructions("reannotation", "polygon"))


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_are_those_that_their_script_draws(name: str) -> None:
    path = finders.find(f"annotate/example-{name}.svg")
    assert path
    assert Path(path).read_text(encoding="utf-8") == drawn(name)


def test_a_figure_of_another_name_or_a_script_as_its_source_is_not_shown() -> None:
    assert "src=" not in as_html("![a](example:../../x) ![b](javascript:alert(1)) ![c](example:UPPER)")


def test_a_text_is_parsed_once_however_often_its_page_is_looked_at() -> None:
    text = "once only " + "[" * 3_000
    before = as_html.cache_info()
    assert as_html(text) == as_html(text)
    after = as_html.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 1)
