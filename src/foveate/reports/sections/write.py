"""The folder of a report: one page that needs nothing beside it, and its tables, figures and photos as files."""

from __future__ import annotations

import csv
import io
import json
import math
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foveate.errors import OutputError, some
from foveate.reports.heads import versions
from foveate.reports.sections.filters import suffix
from foveate.reports.sections.keys import apart
from foveate.reports.sections.page import html
from foveate.reports.sections.parts import Album, Cell, Figure, Section, Table
from foveate.runs.provenance import provenance

PAGE, MARKER = "index.html", ".foveate-report.json"
# What a folder holds; one kind is never replaced by another. Analyses and reports of runs are one.
REPORT, AUDIT, AGREEMENT = "foveate_analysis", "foveate_audit", "foveate_agreement"
RESCORED = "foveate_rescored"
_REMEDY = "Choose another --out."
_APART = "Write it beside the report."


@dataclass(frozen=True)
class Written:
    """What was written; it can be used as the page's path.

    Attributes:
        out: The folder.
        page: The page in it.
        size: The page's bytes.
        tables: How many tables there are.
        figures: How many figures.
        photos: How many photos.
    """

    out: Path
    page: Path
    size: int
    tables: int
    figures: int
    photos: int

    def __fspath__(self) -> str:
        return str(self.page)


def write_report(out: Path, title: str, lead: str, sections: Sequence[Section]) -> Written:
    """Writes a folder with the page `index.html`, `tables/NAME.csv`, `figures/NAME.svg` and `.png`, and `photos/`.

    All of it is made beside and then put in place, so that there is no half report. An earlier report is replaced.

    Args:
        out: The folder; it is made where there is none.
        title: The page's heading.
        lead: What it is about.
        sections: Its chapters.

    Raises:
        OutputError: The folder holds something that is not an earlier report, or cannot be written.
    """
    sections = apart(sections)
    page = html(title, lead, sections, [f"{versions(provenance())}."]).encode("utf-8", "backslashreplace")
    return write_folder(out, page, sections)


def write_folder(
    out: Path,
    page: bytes,
    sections: Sequence[Section],
    more: Mapping[str, bytes] | None = None,
    *,
    name: str = PAGE,
    kind: str = REPORT,
) -> Written:
    """Writes a folder of a page that is made already, with the parts of its chapters as files, as `write_report` does.

    Args:
        out: The folder.
        page: The page.
        sections: Its chapters, as `apart` gives them.
        more: Further files by their names.
        name: Of the page's file.
        kind: Of the report; only an earlier one of that kind is replaced.

    Raises:
        OutputError: As there.
    """
    out = Path(out)
    parts = [part for section in sections for part in section.parts]
    write_files(out, {name: page, **(more or {}), **dict(_files(parts))}, kind)
    count = {made: sum(isinstance(part, made) for part in parts) for made in (Table, Figure)}
    photos = sum(len(part.photos) for part in parts if isinstance(part, Album))
    return Written(out, out / name, len(page), count[Table], count[Figure], photos)


def write_files(out: Path, files: Mapping[str, bytes], kind: str = REPORT) -> None:
    """Writes the files of a kind of report into a folder, all or none; an earlier one of that kind is replaced.

    Raises:
        OutputError: The folder holds something that is not an earlier report, or cannot be written.
    """
    with _told(out):
        place = out.resolve()
        _put(place, _earlier(out, place, kind), dict(files), kind)


def check_place(out: Path, beside: Path | None = None, kind: str = REPORT) -> None:
    """Refuses a folder that the report could not be written to, before any work is done.

    Args:
        out: The folder.
        beside: A file that is written too; it must not lie in the folder, which is replaced as a whole.
        kind: Of the report.

    Raises:
        OutputError: There is something else, or the file is to lie in the folder.
    """
    with _told(out):
        place = out.resolve()
        if beside is not None and place in (beside.resolve(), *beside.resolve().parents):
            raise OutputError(str(beside), f"it would lie in the report {out}, which is replaced as a whole", _APART)
        _earlier(out, place, kind)


def _earlier(out: Path, place: Path, kind: str) -> bool:
    """Returns whether there is a folder already that may go: an empty one, or such a report without additions.

    Raises:
        OutputError: There is something else.
    """
    if not place.exists():
        return False
    if not place.is_dir():
        raise OutputError(str(out), "there is a file of this name", _REMEDY)
    there = {path.relative_to(place).as_posix() for path in place.rglob("*") if _holds(path)}
    if not there:
        return True
    ours = _listed(place / MARKER, kind)
    if ours is None:
        raise OutputError(str(out), "the folder is not empty, and holds no report of this kind", _REMEDY)
    others = sorted(there - {*ours, MARKER})
    if others:
        raise OutputError(
            str(out),
            f"beside an earlier report the folder holds {some(others)}, which would be lost",
            f"Move that away, or {_REMEDY[0].lower()}{_REMEDY[1:]}",
        )
    return True


def _holds(path: Path) -> bool:
    return path.is_symlink() or not path.is_dir()


def _listed(marker: Path, kind: str) -> list[str] | None:
    """Returns the files that an earlier report consists of; None where there is none."""
    try:
        told: Any = json.loads(marker.read_text(encoding="utf-8"))
        return [str(name) for name in told[kind]]
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


def _files(parts: Sequence[Figure | Table | Album]) -> Iterator[tuple[str, bytes]]:
    for part in parts:
        if isinstance(part, Figure):
            yield f"figures/{part.name}.svg", f'<?xml version="1.0" encoding="utf-8"?>\n{part.svg}\n'.encode()
            yield f"figures/{part.name}.png", part.png
        elif isinstance(part, Table):
            yield f"tables/{part.name}.csv", as_csv(part).encode("utf-8", "backslashreplace")
        else:
            for n, photo in enumerate(part.photos, start=1):
                yield f"photos/{part.name}_{n:02}{suffix(photo.image)}", photo.image


def as_csv(table: Table) -> str:
    """Returns a table with all digits; what is not there is an empty cell."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows([_bare(value) for value in row] for row in table.rows)
    return file.getvalue()


def _bare(value: Cell) -> Cell:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _put(place: Path, earlier: bool, files: dict[str, bytes], kind: str) -> None:
    """Writes all files into a folder beside, then exchanges the folders."""
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh, old = (place.with_name(f".{secrets.token_hex(8)}.{kind}") for kind in ("part", "old"))
    try:
        for name, data in files.items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_bytes(data)
        (fresh / MARKER).write_text(json.dumps({kind: sorted(files)}, indent=1) + "\n", encoding="utf-8")
        if earlier:
            place.rename(old)
        try:
            fresh.rename(place)
        except OSError:
            if earlier:
                old.rename(place)
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    if earlier:
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _told(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(str(out), f"it cannot be written ({error.strerror or error})", _REMEDY) from error
