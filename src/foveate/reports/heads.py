"""What a report says of the data set, and of where each run comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foveate.errors import some
from foveate.evaluation.wording import counted
from foveate.reports.album import NOT_ASKED, Album
from foveate.reports.listing import Listing
from foveate.reports.study import RunStudy, Study


@dataclass(frozen=True, slots=True)
class Head:
    """One run, for people.

    Attributes:
        name: What it is called here.
        source: Where it lies.
        method: The grounder's name; None for a file of predictions.
        about: What the method says of itself, by what it tells: what it does, its limits.
        facts: Options, weights, versions, when it was made.
        notes: What a reader must know.
    """

    name: str
    source: str
    method: str | None
    about: Mapping[str, str]
    facts: Mapping[str, str]
    notes: Sequence[str]


def head_of(run: RunStudy) -> Head:
    """Returns what is told of a run."""
    header, evaluation = run.loaded.header, run.evaluation
    notes = list(evaluation.notes)
    if evaluation.missing:
        notes.append(f"{counted(len(evaluation.missing), 'prediction')} missing: {some(list(evaluation.missing))}")
    source = str(run.loaded.about.get("source", run.loaded.source))
    if header is None:
        return Head(run.name, source, None, {}, {}, notes)
    card = header.card
    about = {told: str(card[key]) for key, told in _TOLD.items() if card.get(key)}
    facts = {
        "reference": str(card.get("reference") or ""),
        "options": _pairs(header.config),
        "weights": _pairs({name: sha256[:12] for name, sha256 in header.weights.items()}),
        "versions": versions(header.provenance),
        "made": header.created.replace("T", " ").replace("+00:00", " UTC"),
    }
    return Head(run.name, source, header.grounder, about, {key: value for key, value in facts.items() if value}, notes)


_TOLD = {"summary": "what it does", "limits": "its limits"}


def page_notes(study: Study, album: Album, listing: Listing) -> list[str]:
    """Returns what a reader must know of the page itself."""
    notes = []
    asked = [why for why in album.absent.values() if why == NOT_ASKED]
    if asked:
        notes.append("photos were left out of this report on purpose; targets and regions are drawn without them")
    elif album.absent:
        shown = len(album.absent) + len(album.photos)
        missing = f"{counted(len(album.absent), 'photo')} of the {counted(shown, 'sample')} that are shown"
        if album.nowhere == len(album.absent):
            notes.append(f"{missing} are not below the root of the data set; put them there and make the report again")
        else:
            notes.append(f"{missing} could not be put in; each picture says why")
    if len(listing.numbers) < listing.total:
        notes.append(
            f"the table of samples has {len(listing.numbers):,} of {listing.total:,}: those of the lowest IoU, and "
            "those that are shown"
        )
    for metric, why in sorted({item for run in study.runs for item in run.unmeasured.items()}):
        notes.append(f"{metric} cannot be measured here: {why}")
    return notes


def versions(provenance: Mapping[str, Any]) -> str:
    """Returns the versions of a provenance on one line."""
    packages = provenance.get("packages")
    found = {name: provenance.get(name) for name in ("foveate", "revision", "python", "machine")}
    found["revision"] = str(found["revision"])[:12] if found["revision"] else None
    return _pairs(found | (dict(packages) if isinstance(packages, Mapping) else {}))


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items() if value is not None)
