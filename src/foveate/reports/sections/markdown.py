"""The tables of chapters as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.reports._text import markdown
from foveate.reports.sections.parts import Section, Table
from foveate.reports.sections.sheet import whole_sheet


def markdown_of(title: str, sections: Sequence[Section]) -> str:
    """Returns chapters with their tables; figures and photos are left out."""
    return f"# {markdown(title)}\n" + markdown_chapters(sections)


def markdown_chapters(sections: Sequence[Section]) -> str:
    """Returns the same without a title, to be put behind something; empty without chapters."""
    parts = [""]
    for section in sections:
        parts += [f"## {markdown(section.title)}", *map(markdown, filter(str.strip, section.lead.splitlines()))]
        for part in section.parts:
            if isinstance(part, Table) and part.rows:
                parts += [f"### {markdown(part.title)}", *_said(part), _table(part)]
    return "\n\n".join(parts)[1:] + "\n" if len(parts) > 1 else ""


def _said(table: Table) -> list[str]:
    return [markdown(text) for text in (table.about, whole_sheet(table).left_out) if text]


def _table(table: Table) -> str:
    shown = whole_sheet(table)
    head = [markdown(column.title) for column in shown.columns]
    rule = ["---:" if column.number else "---" for column in shown.columns]
    lines = [head, rule]
    for body in shown.bodies:
        lines += [[f"**{markdown(body.title)}**", *[""] * (len(head) - 1)]] if body.title else []
        lines += [[markdown(text) for text in row] for row in body.rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
