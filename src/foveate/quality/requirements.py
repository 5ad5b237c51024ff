"""What a person must have done before, and whether they say or somebody else knows that they have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.tables import OnInvalid, read_rows, refuse, typed

Name = Literal["tasks", "share", "region"]
Source = Literal["imported", "declared", "unknown"]
_COLUMNS = ("person", "tasks", "accepted")
_MORE = ("region", "source")
# Nobody has done more, and every database can count so far.
_MOST = 2_000_000_000
# PostgreSQL takes no text with it.
_WITHOUT_NUL = "^[^\\x00]*$"


def _folded(regions: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.strip().upper() for one in regions if one.strip()))


class Requirements(BaseModel):
    """What an organiser asks for. The defaults are the first paper's, but for the place, which was the US.

    Attributes:
        least_tasks: So many earlier tasks at least; None where that does not matter.
        least_share: More than this share of them was accepted; None likewise.
        regions: Where somebody must be: codes of countries, or other words; none where that does not matter.
        by_declaration: Whether what a person says counts where nothing was imported about them.

    References:
        Chen, Anjum, Gurari (2022), section 3: at least 500 tasks, above 95 % accepted, located in the US.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    least_tasks: int | None = Field(500, ge=1, le=_MOST)
    least_share: float | None = Field(0.95, ge=0, lt=1, allow_inf_nan=False)
    regions: Annotated[tuple[str, ...], AfterValidator(_folded)] = ()
    by_declaration: bool = True

    @property
    def any(self) -> bool:
        """Whether anything is asked for."""
        return self.least_tasks is not None or self.least_share is not None or bool(self.regions)


class Record(BaseModel):
    """What is known of a person's earlier work; None for what is not.

    Attributes:
        tasks: Earlier tasks.
        accepted: How many of them were accepted.
        region: Where the person is.
        source: From where that is known.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    tasks: int | None = Field(None, ge=0, le=_MOST)
    accepted: int | None = Field(None, ge=0, le=_MOST)
    region: str = Field("", max_length=100, pattern=_WITHOUT_NUL)
    source: str = Field("", max_length=200, pattern=_WITHOUT_NUL)

    @model_validator(mode="after")
    def _no_more_than_all(self) -> Record:
        if self.accepted is not None and self.accepted > (self.tasks or 0):
            raise ValueError(f"{self.accepted:,} were accepted of {self.tasks or 0:,}")
        return self


class ImportedRow(Record):
    """A row of an organiser's table: a person by account or e-mail address, with the record."""

    person: NonBlank = Field(max_length=300, pattern=_WITHOUT_NUL)


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one requirement.

    Attributes:
        name: Which one.
        met: Whether it is met.
        source: By what: imported, declared, or unknown.
        value: The number, share or place that was compared; None where it is not known.
    """

    name: Name
    met: bool
    source: Source
    value: float | str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a person meets all requirements, with the finding of each that there is."""

    findings: tuple[Finding, ...]

    @property
    def met(self) -> bool:
        """Whether all are met."""
        return all(one.met for one in self.findings)


def verdict(asked: Requirements, declared: Record | None, imported: Record | None) -> Verdict:
    """Returns whether a person meets the requirements, and why.

    What was imported counts before what was declared, each requirement apart. Shares are compared exactly: 95 % of
    1,000 tasks is 950, and 950 is not more than that.

    Example:
        >>> verdict(Requirements(), Record(tasks=1000, accepted=950), None).met
        False
        >>> verdict(Requirements(), Record(tasks=1000, accepted=951), None).met
        True
    """
    found = []
    if asked.least_tasks is not None:
        record, source = _known(asked, declared, imported, "tasks")
        tasks = record.tasks if record else None
        found.append(Finding("tasks", tasks is not None and tasks >= asked.least_tasks, source, tasks))
    if asked.least_share is not None:
        record, source = _known(asked, declared, imported, "accepted")
        share = _share(record) if record else None
        met = share is not None and share > Fraction(str(asked.least_share))
        found.append(Finding("share", met, source, None if share is None else float(share)))
    if asked.regions:
        record, source = _known(asked, declared, imported, "region")
        region = record.region.strip() if record else None
        found.append(Finding("region", (region or "").upper() in asked.regions, source, region))
    return Verdict(tuple(found))


def read_records(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[ImportedRow]:
    """Yields the rows of a table `person, tasks, accepted`, and where they are there `region, source`.

    Raises:
        InputError: It is no such table, or a row is broken or about a person who stood there before (unless
            `on_invalid` returns).
    """
    seen: dict[str, str] = {}
    for row in read_rows(path, _COLUMNS, on_invalid, _MORE):
        try:
            values = {name: value for name, value in row.values.items() if value not in (None, "")}
            record = typed(type(row)(values, row.where), ImportedRow, "Fix the row.")
            first = seen.setdefault(record.person.casefold(), row.where)
            if first != row.where:
                raise InputError(row.where, f"{record.person} is here a second time, first {first}", "Keep one row.")
        except InputError as error:
            on_invalid(error)
            continue
        yield record


def _known(
    asked: Requirements, declared: Record | None, imported: Record | None, name: str
) -> tuple[Record | None, Source]:
    if imported is not None and getattr(imported, name) not in (None, ""):
        return imported, "imported"
    if asked.by_declaration and declared is not None and getattr(declared, name) not in (None, ""):
        return declared, "declared"
    return None, "unknown"


def _share(record: Record) -> Fraction | None:
    if record.accepted is None or not record.tasks:
        return None
    return Fraction(record.accepted, record.tasks)
