"""What the pages of an analysis are made of: sections of figures, tables and photos."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

Cell = str | int | float | None


@dataclass(frozen=True)
class Figure:
    """One drawing, as SVG for the page and as PNG for slides.

    Attributes:
        name: The stem of its files, unique in a report: `location_scatter`.
        title: What it shows.
        about: How it is read, and what it says here; a few sentences.
        svg: The drawing, one `<svg>` element, without a script and without anything from outside.
        png: The same as a PNG file.
        numbers: All that is drawn, in words; with `about` it stands for the drawing where that cannot be seen.
        fold: What stands for it and its neighbours of the same fold until they are opened; empty: it is seen.
    """

    name: str
    title: str
    about: str
    svg: str
    png: bytes
    numbers: str = ""
    fold: str = ""


@dataclass(frozen=True)
class Table:
    """One table; it is also written as CSV, where numbers keep all their digits and each has its own column.

    Attributes:
        name: The stem of its file, unique in a report.
        title: What it lists.
        about: How it is read.
        head: The titles of its columns. One that ends in ` %` holds shares as percent already. The page puts into one
            cell what belongs together: `T mean` and `T sd`, a value with `low` and `high` of its interval behind it, a
            median between its quartiles.
        rows: The cells; None is shown as n/a and written as an empty cell.
        digits: How many digits after the point the page shows of a float.
        digits_of: The same of a column, or of a row by its first cell.
        parted: The column whose value stands above the rows that have it in common, instead of in each.
        beside: Columns that only the CSV has.
        whole: Whether the page shows every row, however many there are.
        fold: What stands for it and its neighbours of the same fold until they are opened; empty: it is seen.
    """

    name: str
    title: str
    about: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    digits: int = 3
    digits_of: Mapping[str, int] = field(default_factory=dict)
    parted: str = ""
    beside: Collection[str] = ()
    whole: bool = False
    fold: str = ""


@dataclass(frozen=True)
class Photo:
    """One photo with what is said of it.

    Attributes:
        title: A few words.
        about: A sentence or two, also its alternative text.
        image: A JPEG or PNG file, already as small as it is shown.
    """

    title: str
    about: str
    image: bytes


@dataclass(frozen=True)
class Album:
    """Photos side by side.

    Attributes:
        name: Unique in a report; the photos are also written as files of this stem and a number.
        title: What they show.
        about: How they were chosen.
        photos: In their order.
        fold: What stands for it and its neighbours of the same fold until they are opened; empty: it is seen.
        large: Whether they need twice the room, because it is lines in them that are looked at.
    """

    name: str
    title: str
    about: str
    photos: Sequence[Photo]
    fold: str = ""
    large: bool = False


Part = Figure | Table | Album


@dataclass(frozen=True)
class Glance:
    """One data set in a few numbers, to be read first.

    Attributes:
        title: Its name.
        about: What it holds.
        values: What is measured, with its value: `covered on average`, `33.3 %`.
    """

    title: str
    about: str
    values: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Section:
    """One chapter of the report.

    Attributes:
        key: For links: `location`.
        title: Its heading.
        lead: Its finding, a line or a few.
        parts: What it shows, in this order.
        about: What its words mean, where they are not plain.
        glances: What is seen before anything else.
    """

    key: str
    title: str
    lead: str
    parts: Sequence[Part]
    about: str = ""
    glances: Sequence[Glance] = ()


def folded(section: Section, fold: str, seen: Collection[str]) -> Section:
    """Returns the section with all its parts folded but those of these names."""
    parts = [part if part.name in seen else _folded(part, fold) for part in section.parts]
    return replace(section, parts=parts)


def _folded(part: Part, fold: str) -> Part:
    return replace(part, fold=fold)
