"""The tables of chapters as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.reports._text import markdown
from foveate.reports.sections.page import cell
from foveate.reports.sections.parts import Section, Table


def markdown_of(title: str, sections: Sequence[Section]) -> str:
    """Returns chapters with their tables; figures and photos are left out."""
    parts = [f"# {markdown(title)}"]
    for section in sections:
        parts += [f"## {markdown(section.title)}", *map(markdown, filter(str.strip, section.lead.splitlines()))]
        for part in section.parts:
            if isinstance(part, Table) and part.rows:
                parts += [f"### {markdown(part.title)}", markdown(part.about), _table(part)]
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    numbers = [not any(isinstance(row[n], str) for row in table.rows) for n in range(len(table.head))]
    rule = ["---:" if number else "---" for number in numbers]
    rows = [
        [
            markdown(cell(value, min(table.digits, 1) if title.endswith(" %") else table.digits))
            for title, value in zip(table.head, row, strict=True)
        ]
        for row in table.rows
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (list(map(markdown, table.head)), rule, *rows))
