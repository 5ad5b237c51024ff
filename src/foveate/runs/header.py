"""The first line of a run: what was asked, of whom, over what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from types import UnionType
from typing import Any

FORMAT = 3
# Format 1 had no score maps, format 2 neither controls nor what a method was trained on.
_READ = (1, 2, FORMAT)


@dataclass(frozen=True)
class Header:
    """What a run is about; it must be equal for a run to be resumed, apart from `created` and `provenance`.

    Attributes:
        dataset: Name with the split (`toloka_vqa:test_public`).
        fingerprint: Of the data set's questions (`foveate.datasets._open.fingerprint`).
        grounder: The method's name.
        config: The method's options, those left at their default included.
        n: How many predictions a finished run has.
        n_dataset: How many queries the data set has.
        ids: The ids that were asked, where these are not all.
        limit: The first how many, where a limit was set.
        only_with_images: Whether queries without a photo were left out.
        skipped: Rows of the data set that were passed over as invalid, as their sentences.
        card: What the method says of itself.
        weights: The sha256 of each file of weights that the method uses.
        settings: Options of the data set, by name; a difference shows in the fingerprint or the targets.
        places: Where the data were, as given: root and questions; for convenience, not compared.
        control: What was changed of the queries before the method saw them (`foveate controls`): its `name`, and how.
        trained_on: What the method was made of, where it says so: `dataset`, `fingerprint`, `n`, `file`, `sha256`.
        created: When the run was started, UTC.
        provenance: Versions of code and packages.
        format: Of the run on disk.
    """

    dataset: str
    fingerprint: str
    grounder: str
    config: Mapping[str, Any]
    n: int
    n_dataset: int
    ids: tuple[str, ...] | None = None
    limit: int | None = None
    only_with_images: bool = False
    skipped: tuple[str, ...] = ()
    card: Mapping[str, Any] = field(default_factory=dict)
    weights: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str | None] = field(default_factory=dict)
    control: Mapping[str, Any] = field(default_factory=dict)
    trained_on: Mapping[str, Any] = field(default_factory=dict)
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    provenance: Mapping[str, Any] = field(default_factory=dict)
    format: int = FORMAT

    def as_object(self) -> dict[str, Any]:
        """Returns the header as plain JSON values."""
        values = asdict(self)
        values["ids"] = None if self.ids is None else list(self.ids)
        values["skipped"] = list(self.skipped)
        return {"foveate_run": values}

    @classmethod
    def from_object(cls, values: Mapping[str, Any]) -> Header:
        """Returns the header of a JSON object.

        Raises:
            ValueError: It is not a header of this format.
        """
        try:
            inner = dict(values["foveate_run"])
            if inner.get("format") not in _READ:
                raise ValueError(f"the run has format {inner.get('format')}, this version reads up to {FORMAT}")
            inner["ids"] = None if inner["ids"] is None else tuple(inner["ids"])
            inner["skipped"] = tuple(inner["skipped"])
            header = cls(**inner)
        except (KeyError, TypeError) as error:
            raise ValueError("the first line is not the header of a run") from error
        wrong = [name for name, kind in _KINDS.items() if not isinstance(getattr(header, name), kind)]
        if wrong:
            raise ValueError(f"the header is damaged ({', '.join(wrong)})")
        places = (at for at in header.places.values() if at is not None)
        texts = (*(header.ids or ()), *header.skipped, *header.settings.values(), *places)
        if (
            header.n < 0
            or set(header.places) - {"root", "questions"}
            or not all(isinstance(text, str) for text in texts)
        ):
            raise ValueError("the header is damaged (n, settings, places, ids or skipped)")
        return header

    def difference(self, other: Header) -> str | None:
        """Returns the first thing in which two runs differ so that one cannot continue the other, or None."""
        for name, said in _COMPARED.items():
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
                    return f"{said}: there {_short(_apart(theirs, mine))}, here {_short(_apart(mine, theirs))}"
                return f"{said}: there {_short(theirs)}, here {_short(mine)}"
        return None


_KINDS: dict[str, type | UnionType] = {
    "dataset": str,
    "fingerprint": str,
    "grounder": str,
    "config": dict,
    "n": int,
    "n_dataset": int,
    "limit": int | None,
    "only_with_images": bool,
    "card": dict,
    "weights": dict,
    "settings": dict,
    "places": dict,
    "control": dict,
    "trained_on": dict,
    "created": str,
    "provenance": dict,
}
# What must be equal, and how a difference is told.
_COMPARED = {
    "dataset": "the data set is another",
    "grounder": "the method is another",
    "config": "the method has other options",
    "weights": "the method has other weights",
    "trained_on": "the method was trained on something else",
    "control": "the queries are changed in another way",
    "limit": "--limit is another",
    "only_with_images": "--only-with-images is another",
    "fingerprint": "the questions have changed (fingerprints)",
    "ids": "the questions asked are others",
}


def _apart(values: Mapping[str, Any], others: Mapping[str, Any]) -> str | None:
    """Returns the values that others do not have."""
    lacking = object()
    return ", ".join(f"{key} {value}" for key, value in values.items() if others.get(key, lacking) != value) or None


def _short(value: object) -> str:
    if value is None:
        return "none"
    text = f"{len(value):,} of them" if isinstance(value, tuple) else str(value)
    return text if len(text) <= 24 else f"{text[:21]}..."
