"""Instructions as an organiser writes them in Markdown, as people read them in HTML."""

from __future__ import annotations

import re
from functools import lru_cache

import nh3
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from foveate.annotation.instructions import default_instructions
from foveate.app.annotate.models import Project
from foveate.app.annotate.projects import kind_of, settings_of

# What text needs and no more: no script, style, form, frame or link that does something else than go somewhere.
_TAGS = {
    *("p", "br", "hr", "h2", "h3", "h4", "ul", "ol", "li", "strong", "em", "code", "pre", "blockquote"),
    *("a", "img", "table", "thead", "tbody", "tr", "th", "td", "kbd", "details", "summary"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "img": {"src", "alt", "title"}, "ol": {"start"}}
_FIGURE = re.compile(r"example:([a-z-]+)")
_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


# Kept: a page that is looked at often is not parsed anew each time, however long the parser takes for its text.
@lru_cache(maxsize=64)
def as_html(markdown: str, top: int = 2) -> SafeString:
    """Returns Markdown as HTML in which nothing can run, whatever was written.

    The page has its one first heading already: those of the text begin with the second, and leave no level out.

    Args:
        markdown: The text.
        top: The level of its highest headings; 3 where it stands below a second heading of the page.
    """
    tokens = _MARKDOWN.parse(markdown)
    headings = [number for number, token in enumerate(tokens) if token.type == "heading_open"]
    highest = min((int(tokens[number].tag[1]) for number in headings), default=1)
    before = top - 1
    for number in headings:
        before = min(int(tokens[number].tag[1]) - highest + top, before + 1, 4)
        tokens[number].tag = tokens[number + 2].tag = f"h{before}"
    _place_figures(tokens)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return mark_safe(nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https", "mailto"}))


def _place_figures(tokens: list[Token]) -> None:
    """Gives figures of ours, which are written `![what is seen](example:jar)`, their address."""
    for token in tokens:
        _place_figures(token.children or [])
        name = _FIGURE.fullmatch(str(token.attrGet("src") or ""))
        if token.type == "image" and name:
            token.attrSet("src", static(f"annotate/example-{name[1]}.svg"))


def instructions_of(project: Project) -> str:
    """Returns a project's instructions in Markdown: its own, or those that all of its kind have."""
    return project.instructions or default_instructions(kind_of(project), settings_of(project).shape)
