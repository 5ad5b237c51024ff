"""Every word of a page can be translated: templates hold none outside `translate` and `blocktranslate`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import foveate.app

APP = Path(foveate.app.__file__).parent
TEMPLATES = sorted(APP.glob("*/templates/**/*.html"))
# What is inside `code` and `kbd` is the same in every language, and so is our name.
_GONE = (
    r"{% block body_?class %}.*?{% endblock %}|{% comment %}.*?{% endcomment %}|{#.*?#}",
    r"{% blocktranslate.*?{% endblocktranslate %}",
    r"<(code|kbd|script|style|title|svg)\b.*?</\1>",
)
_SAID = re.compile(r"\b(?:aria-label|alt|title|placeholder|content)=\"([^\"]*)\"")


def bare_words(template: str) -> list[str]:
    """Returns the words that a template shows in one language only."""
    for pattern in _GONE:
        template = re.sub(pattern, " ", template, flags=re.DOTALL)
    template = re.sub(r"{%.*?%}|{{.*?}}", " ", template, flags=re.DOTALL)
    shown = [*re.sub(r"<[^>]*>", "\n", template).split("\n")]
    shown += [
        said for said in _SAID.findall(template) if not re.fullmatch(r"[\w\s,=.-]*width=device[^\"]*|light dark", said)
    ]
    return [text.strip() for text in shown if re.search(r"[A-Za-z]{2}", text.replace("Foveate", ""))]


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(APP))) for path in TEMPLATES])
def test_a_template_says_nothing_that_cannot_be_translated(path: Path) -> None:
    assert bare_words(path.read_text()) == []


def test_bare_words_are_found() -> None:
    assert bare_words('<h1>Hello</h1><p>{% translate "Good" %}</p><img alt="A cat">') == ["Hello", "A cat"]
    assert bare_words("{% blocktranslate %}Page {{ n }}{% endblocktranslate %} <code>--data</code> · 12") == []


def test_there_are_templates_to_look_at() -> None:
    assert len(TEMPLATES) > 20
