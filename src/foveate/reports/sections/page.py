"""A page of sections, with style, figures and photos inside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from foveate.reports.page import bare_environment, resource, style_source
from foveate.reports.sections.filters import for_sections, said
from foveate.reports.sections.parts import Album, Figure, Part, Section, Table


def html(title: str, lead: str, sections: Sequence[Section], made_by: Sequence[str]) -> str:
    """Returns the page.

    Args:
        title: Its heading.
        lead: What it is about.
        sections: Its chapters.
        made_by: What its end says about how it was made.
    """
    style = resource("report.css") + resource("sections.css")
    policy = f"default-src 'none'; img-src data:; style-src {style_source(style)}; base-uri 'none'; form-action 'none'"
    template = _environment().get_template("analysis.html.j2")
    return template.render(
        style=Markup(style),
        policy=Markup(policy),
        title=title,
        lead=lead,
        sections=sections,
        made_by=[*_beside([part for section in sections for part in section.parts]), *made_by],
    )


@cache
def _environment() -> Environment:
    environment = for_sections(bare_environment())
    environment.filters["plain"] = said
    return environment


def _beside(parts: Sequence[Part]) -> list[str]:
    """Returns the sentence on what lies beside the page, if anything does."""
    kinds = {
        "tables as CSV with all digits in tables/": any(isinstance(part, Table) for part in parts),
        "figures as SVG and PNG in figures/": any(isinstance(part, Figure) for part in parts),
        "photos in photos/": any(isinstance(part, Album) and part.photos for part in parts),
    }
    there = [told for told, is_there in kinds.items() if is_there]
    return [f"Beside this page: {', '.join(there)}."] if there else []
