"""What the pages of an analysis are made of: sections of figures, tables and photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | int | float | None


@dataclass(frozen=True)
class Figure:
    """One drawing, as SVG for the page and as PNG for slides.

    Attributes:
        name: The stem of its files, unique in a report: `location_scatter`.
        title: What it shows.
        about: How it is read, and what it says here; a few sentences, which also stand for the drawing where it cannot
            be seen.
        svg: The drawing, one `<svg>` element, without a script and without anything from outside.
        png: The same as a PNG file.
    """

    name: str
    title: str
    about: str
    svg: str
    png: bytes


@dataclass(frozen=True)
class Table:
    """One table; it is also written as CSV, where numbers keep all their digits.

    Attributes:
        name: The stem of its file, unique in a report.
        title: What it lists.
        about: How it is read.
        head: The titles of its columns; one that ends in ` %` holds shares as percent already.
        rows: The cells; None is shown as n/a and written as an empty cell.
        digits: How many digits after the point the page shows of a float.
    """

    name: str
    title: str
    about: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    digits: int = 3


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
    """

    name: str
    title: str
    about: str
    photos: Sequence[Photo]


@dataclass(frozen=True)
class Section:
    """One chapter of the report.

    Attributes:
        key: For links: `location`.
        title: Its heading.
        lead: What it is about, and its finding in a sentence or two.
        parts: What it shows, in this order.
    """

    key: str
    title: str
    lead: str
    parts: Sequence[Figure | Table | Album]
