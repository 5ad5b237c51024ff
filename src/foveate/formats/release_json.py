"""`release.json`: what a release says of itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from foveate.errors import InputError, reason_of
from foveate.formats.fields import NonBlank

FILE = "release.json"
FORMAT = 1
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
# At most 64 characters, as a name: it is a folder's name, too.
VERSION = re.compile(
    r"(?=.{5,64}\Z)(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)
SPLIT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_REMEDY = "Take the folder again from where it came from."


def _of(pattern: re.Pattern[str], what: str) -> AfterValidator:
    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(f"{text!r} is no {what}")
        return text

    return AfterValidator(check)


Name = Annotated[str, _of(NAME, "name of a release (small letters, digits, - and _)")]
Version = Annotated[str, _of(VERSION, "version like 1.0.0")]
SplitName = Annotated[str, _of(SPLIT, "name of a split")]


def _with_counts(values: dict[str, Any]) -> dict[str, Any]:
    for key in _COUNTED:
        if key in values and (not isinstance(values[key], int) or isinstance(values[key], bool) or values[key] < 0):
            raise ValueError(f"{key} is {values[key]!r}, and no count")
    return values


_COUNTED = (
    "groups_across",
    "photos_across",
    "photos_looked_at",
    "flagged",
    "kept_after_review",
    "left_out",
    "not_reviewed",
)
Counted = Annotated[dict[str, Any], AfterValidator(_with_counts)]


class Split(BaseModel):
    """One split: how many samples and photos it has, and the sum of the file of its samples."""

    model_config = ConfigDict(extra="allow", frozen=True)

    samples: int
    with_target: int
    photos: int
    sha256: str


class Parent(BaseModel):
    """The version that a release mends."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: Name
    version: Version
    sums: str


class Release(BaseModel):
    """What a release says of itself; what is more in the file is kept.

    Attributes:
        foveate_release: The version of this form.
        name: What it is called.
        version: Of semantic versioning; data that are frozen under one version never change.
        title: Its name in prose.
        made: When, UTC.
        foveate: The version of the program that made it.
        licence: Of the annotations.
        evaluate_as: What its targets are compared as.
        splits: By name, in order.
        layout: The official layout that lies beside, or empty.
        layout_losses: What that layout does not hold, in sentences.
        sources: What it was made of: names, fingerprints.
        splitting: How the splits came about.
        leakage: What is in several splits.
        photos: How many are in it, absent, stripped, with a place in them.
        attribution: How many photos have one.
        private: What was looked for, found, decided.
        people: Who drew.
        agreement: How far they agree.
        funnel: What was screened out.
        facts: What its maker says of it, heading by heading.
        facts_of_samples: The names of what is known of samples, with a sentence each.
        parent: What it mends, or None.
        changes: What it mends in a sentence, or empty.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    foveate_release: Literal[1]
    name: Name
    version: Version
    title: NonBlank
    made: str
    foveate: str
    licence: str
    evaluate_as: Literal["box", "mask", "answer"]
    splits: Annotated[dict[SplitName, Split], Field(min_length=1)]
    layout: str = ""
    layout_losses: list[str] = []
    sources: list[dict[str, Any]] = []
    splitting: dict[str, Any] = {}
    leakage: Counted = {}
    photos: dict[str, Any] = {}
    attribution: dict[str, Any] = {}
    private: Counted = {}
    people: dict[str, Any] = {}
    agreement: dict[str, Any] = {}
    funnel: dict[str, Any] = {}
    facts: dict[str, dict[str, str]] = {}
    facts_of_samples: dict[str, str] = {}
    parent: Parent | None = None
    changes: str = ""

    @property
    def full_name(self) -> str:
        """Name and version, as they are written on the command line."""
        return f"{self.name}@{self.version}"

    @property
    def samples(self) -> int:
        """How many samples all splits have."""
        return sum(split.samples for split in self.splits.values())


def read_release(folder: Path) -> Release:
    """Returns what the release in a folder says of itself.

    Raises:
        InputError: There is no release, or it is none of a form that is known.
    """
    file = folder / FILE
    try:
        return Release.model_validate_json(file.read_bytes())
    except OSError as error:
        raise InputError(
            str(file), f"it cannot be read ({reason_of(error)})", "Name the folder of a release."
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        if place == "foveate_release":
            problem = f"it is of another form than {FORMAT}, which this version of Foveate reads"
            raise InputError(str(file), problem, "Update Foveate, or name a release.") from error
        raise InputError(f"{file}, {place or 'whole'}", first["msg"].removeprefix("Value error, "), _REMEDY) from error


def version_key(version: str) -> tuple[object, ...]:
    """Returns what versions are sorted by: numbers, a preliminary version before its final one (semver.org, 11).

    Example:
        >>> sorted(["1.10.0", "1.9.0", "2.0.0-rc.2", "2.0.0", "2.0.0-rc.10"], key=version_key)
        ['1.9.0', '1.10.0', '2.0.0-rc.2', '2.0.0-rc.10', '2.0.0']
    """
    match = VERSION.fullmatch(version)
    if match is None:
        raise ValueError(f"{version!r} is no version like 1.0.0")
    numbers = tuple(int(match[place]) for place in (1, 2, 3))
    parts = () if match[4] is None else tuple(map(_part, match[4].split(".")))
    return (*numbers, match[4] is None, parts)


def _part(text: str) -> tuple[bool, int, str]:
    return (False, int(text), "") if text.isdecimal() else (True, 0, text)
