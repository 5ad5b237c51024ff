"""The figures of a report, each with a sentence and a table that tell the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing.

    Attributes:
        title: Whose it is; empty where there is one drawing for all.
        svg: The drawing.
    """

    title: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class Key:
    """How a run is drawn in a figure of several.

    Attributes:
        run: Its number.
        name: What it is called.
        line: Whether it has a line; a single mark has none.
    """

    run: int
    name: str
    line: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """One or several drawings of one thing.

    Attributes:
        key: For links.
        title: What it shows.
        about: How it is read, and what it says here.
        panels: The drawings.
        head: The titles of the table's columns.
        table: The numbers behind the drawings.
        legend: The runs that one drawing shows together.
    """

    key: str
    title: str
    about: str
    panels: Sequence[Panel]
    head: Sequence[str]
    table: Sequence[Sequence[str]]
    legend: Sequence[Key] = ()
