"""Who made each photo, under which licence, and where it is from: `attribution.csv`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

from foveate.core.truths import Fact
from foveate.errors import InputError, some
from foveate.evaluation.wording import counted
from foveate.formats._sample_forms import Sample
from foveate.formats.tables import read_rows, refuse

FILE = "attribution.csv"
COLUMNS = ("image", "author", "licence", "source")
# What data sets call these among their facts.
_FACTS = {
    "author": ("author", "photo_author", "credit"),
    "licence": ("licence", "license", "photo_licence"),
    "source": ("source_url", "url", "photo_url", "source"),
}


@dataclass(frozen=True, slots=True)
class Credit:
    """One photo's: empty texts are not known."""

    image: str
    author: str = ""
    licence: str = ""
    source: str = ""

    @property
    def whole(self) -> bool:
        """Whether author and licence are known: what must be told with nearly every licence."""
        return bool(self.author and self.licence)


def read_attribution(path: Path) -> dict[str, Credit]:
    """Returns the credits of a table with the columns image, author, licence, source; `license`, `url` do as well.

    Raises:
        InputError: It cannot be read, lacks the column image, or has two rows of one photo.
    """
    found: dict[str, Credit] = {}
    spelt = {"license": "licence", "url": "source"}
    for row in read_rows(path, ("image",), refuse, (*COLUMNS, *spelt)):
        values = {spelt.get(name, name): str(value or "").strip() for name, value in row.values.items() if value}
        image = values.get("image", "")
        if not image:
            raise InputError(row.where, "it names no photo", "Fill in the column image.")
        if image in found:
            raise InputError(row.where, f"{image} has a row before", "Give each photo one row.")
        found[image] = Credit(image, *(values.get(column, "") for column in COLUMNS[1:]))
    return found


def credits_of(samples: Iterable[Sample], told: Mapping[str, Credit]) -> list[Credit]:
    """Returns a credit for each photo, sorted by name: what was told, else what the data set's facts know.

    Args:
        samples: Whose photos.
        told: By the photo's name, or by its last part.
    """
    found: dict[str, Credit] = {}
    for sample in samples:
        name = sample.query.image_name
        if name not in found or not found[name].whole:
            short = told.get(name) or told.get(name.rpartition("/")[2])
            known = _of_facts(name, sample.truth.facts)
            found[name] = Credit(name, *_either(short, known)) if short else known
    return [found[name] for name in sorted(found)]


def write_attribution(credits: Iterable[Credit], path: Path) -> None:
    """Writes the table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(astuple(credit) for credit in credits)


def check_whole(credits: Iterable[Credit], where: str) -> None:
    """Refuses photos whose author or licence is not known.

    Raises:
        InputError: There are such.
    """
    lacking = [credit.image for credit in credits if not credit.whole]
    if lacking:
        problem = f"author or licence of {counted(len(lacking), 'photo')} is not known: {some(lacking)}"
        raise InputError(where, problem, "Give them with --attribution FILE.csv, or leave --require-attribution out.")


def _either(first: Credit, other: Credit) -> tuple[str, str, str]:
    return first.author or other.author, first.licence or other.licence, first.source or other.source


def _of_facts(name: str, facts: Mapping[str, Fact]) -> Credit:
    values = {
        column: next((fact for key in keys if isinstance(fact := facts.get(key), str)), "")
        for column, keys in _FACTS.items()
    }
    return Credit(name, **values)
