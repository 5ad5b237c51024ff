"""How often there is text, and the answer in it, counted by what is known of the photos."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Analysis
from foveate.analysis.summaries import share
from foveate.analysis.text_elsewhere import PhotosRead, Text, photo_verdicts
from foveate.analysis.text_in_evidence import RULES, verdicts
from foveate.perception.text_lines import TextLine

Mask = NDArray[np.bool_]
# Of which photos: samples with a target, samples without one, photos that no sample names.
KINDS = ("with_target", "without_target", "no_sample")


@dataclass(frozen=True, eq=False)
class TextCount:
    """One thing that is counted over samples or photos.

    Attributes:
        kind: Of which photos, of `KINDS`.
        what: `region_has_text`, `photo_has_text`, `answer_in_region` or `answer_in_photo`.
        rule: How an answer is looked for; empty where none is.
        hits: ``bool (M,)``, where it is so.
        of: ``bool (M,)``, where it can be.
        photos: The photo of each.
    """

    kind: str
    what: str
    rule: str
    hits: Mask
    of: Mask
    photos: Sequence[str]

    @property
    def n(self) -> int:
        """Of how many."""
        return int(self.of.sum())

    @property
    def found(self) -> int:
        """In how many of these it is so."""
        return int((self.hits & self.of).sum())

    @property
    def share(self) -> float | None:
        """Which share that is; None of nothing."""
        return share(self.hits[self.of])


@dataclass(frozen=True)
class KindRead:
    """Photos of one kind.

    Attributes:
        kind: Of `KINDS`.
        photos: How many are there.
        absent: How many others are not.
        unread: How many of those that are there could not be read.
        lines: How many lines of text were read.
    """

    kind: str
    photos: int
    absent: int
    unread: int
    lines: int


def text_counts(text: Text, analysis: Analysis) -> list[TextCount]:
    """Returns all that is counted, kind by kind; a kind of which nothing was read has nothing."""
    found = list(_of_targets(text, analysis)) if text.evidence.evidence else []
    if text.untargeted.seen:
        found += _of_photos("without_target", text.untargeted)
    if text.unnamed.seen:
        found += _of_photos("no_sample", text.unnamed)
    return found


def text_as_json(text: Text, analysis: Analysis) -> dict[str, Any]:
    """Returns the text of a data set as plain values, `text` of `foveate analyze --text --json`."""
    told: dict[str, Any] = {"reader": text.evidence.reader, "photos": len(photos_read(text, analysis))}
    found = text_counts(text, analysis)
    for one_kind in kinds_read(text, analysis):
        kind = one_kind.kind
        of_kind: dict[str, Any] = {name: value for name, value in asdict(one_kind).items() if name != "kind"}
        for one in found:
            if one.kind == kind:
                values = {"n": one.n, "found": one.found, "share": one.share}
                (of_kind.setdefault(one.what, {}) if one.rule else of_kind)[one.rule or one.what] = values
        told[kind] = of_kind
    return told


def photos_read(text: Text, analysis: Analysis) -> set[str]:
    """Returns the names of all photos that were read; one may be of several kinds."""
    photos = analysis.columns.photos
    named = {photos[each.row] for each in text.evidence.evidence} | {one.photo for one in text.untargeted.seen}
    return named | {one.photo for one in text.unnamed.seen}


def kinds_read(text: Text, analysis: Analysis) -> list[KindRead]:
    """Returns how many photos of each kind there are, and how much text they have."""
    evidence, photos = text.evidence, analysis.columns.photos
    lines = _lines((photos[each.row], each.everywhere) for each in evidence.evidence)
    found = [KindRead("with_target", evidence.photos, evidence.absent, len(evidence.unread), lines)]
    for kind, read in zip(KINDS[1:], (text.untargeted, text.unnamed), strict=True):
        lines = _lines((one.photo, one.lines) for one in read.seen)
        found.append(KindRead(kind, read.photos, read.absent, len(read.unread), lines))
    return found


def _of_targets(text: Text, analysis: Analysis) -> Iterator[TextCount]:
    of = {name: verdicts(text.evidence, analysis, rule) for name, rule in RULES.items()}
    exact = of["exact"]
    photos = [analysis.columns.photos[row] for row in exact.rows.tolist()]
    everything = np.ones(len(photos), dtype=bool)
    yield TextCount("with_target", "region_has_text", "", exact.has_text, everything, photos)
    yield TextCount("with_target", "photo_has_text", "", exact.photo_has_text, everything, photos)
    for rule, found in of.items():
        there = found.has_text & found.answered
        yield TextCount("with_target", "answer_in_region", rule, found.in_region, there, photos)
    for rule, found in of.items():
        there = found.photo_has_text & found.answered
        yield TextCount("with_target", "answer_in_photo", rule, found.in_photo, there, photos)


def _of_photos(kind: str, read: PhotosRead) -> Iterator[TextCount]:
    of = {name: photo_verdicts(read, rule) for name, rule in RULES.items()}
    exact = of["exact"]
    everything = np.ones(len(exact.photos), dtype=bool)
    yield TextCount(kind, "photo_has_text", "", exact.has_text, everything, exact.photos)
    if exact.answered.any():
        for rule, found in of.items():
            yield TextCount(
                kind, "answer_in_photo", rule, found.in_photo, found.has_text & found.answered, found.photos
            )


def _lines(seen: Iterable[tuple[str, Sequence[TextLine]]]) -> int:
    """Returns how many lines the photos have; a photo of several samples counts once."""
    return sum(map(len, dict(seen).values()))
