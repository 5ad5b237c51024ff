"""Opens what a challenge's folder names, and tells what is wrong with it, missing, or not said."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from foveate.challenges import toml
from foveate.challenges._fields import FaultsError
from foveate.challenges._guessed import shared_samples
from foveate.challenges._whole_image import whole_images
from foveate.challenges.definition import Challenge, DataReference, Phase, Reference
from foveate.challenges.pack import Pack, write_pack
from foveate.core.predictions import Prediction
from foveate.datasets._open import card_of
from foveate.errors import FoveateError, InputError, some
from foveate.evaluation.evaluate import Evaluation, evaluate
from foveate.evaluation.metric_names import metrics_named
from foveate.evaluation.wording import counted
from foveate.execution.ground import load_grounder
from foveate.runs.forms import read_form
from foveate.sources.folders import PhotoFolder

Level = Literal["error", "warning", "not_said", "told"]


@dataclass(frozen=True)
class Finding:
    """One thing that a check found.

    Attributes:
        level: `error`: it cannot be loaded. `warning`: look at it. `not_said`: left empty. `told`: good to know.
        where: What it is about.
        said: What was found, without a full stop.
        remedy: What to do, a full sentence; empty where there is nothing to be done.
    """

    level: Level
    where: str
    said: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.said}. {self.remedy}".rstrip()


@dataclass
class Checked:
    """What is known of a folder after a check.

    Attributes:
        challenge: What it says; None where that cannot be read.
        packs: The data by name, as far as they could be opened.
        findings: In the order of the file.
    """

    challenge: Challenge | None = None
    packs: dict[str, Pack] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def errors(self) -> list[Finding]:
        """Those that keep it from being loaded."""
        return [finding for finding in self.findings if finding.level == "error"]

    def refuse_errors(self) -> Challenge:
        """Returns the challenge.

        Raises:
            FaultsError: There are errors.
        """
        if self.errors or self.challenge is None:
            raise FaultsError([InputError(one.where, one.said, one.remedy) for one in self.errors])
        return self.challenge


def check(folder: Path) -> list[Finding]:
    """Returns what there is to say about a folder; its data are opened, and nothing is kept."""
    with tempfile.TemporaryDirectory(prefix="foveate-") as packs:
        return checked(folder, Path(packs)).findings


def checked(folder: Path, packs: Path, *, anywhere: bool = True) -> Checked:
    """Returns what is known of a folder.

    Args:
        folder: Where `challenge.toml` lies.
        packs: Where the data are written, as `write_pack` does.
        anywhere: Whether it may name places outside itself. Of one that may not, where it lies is not said either.
    """
    found = _checked(folder, packs, anywhere=anywhere)
    if not anywhere:
        found.findings = [_without(one, folder) for one in found.findings]
    return found


def _without(finding: Finding, folder: Path) -> Finding:
    """Returns a finding that calls places by their names in the folder: who brings a zip is not told of the server."""

    def short(text: str) -> str:
        for place in (folder, folder.absolute(), folder.resolve()):
            text = text.replace(f"{place}{os.sep}", "").replace(str(place), "the folder")
        return text

    return replace(finding, where=short(finding.where), said=short(finding.said), remedy=short(finding.remedy))


def _checked(folder: Path, packs: Path, *, anywhere: bool) -> Checked:
    found = Checked()
    try:
        found.challenge = toml.read(folder, anywhere=anywhere)
    except FaultsError as error:
        found.findings += [_error(fault) for fault in error.faults]
        return found
    except InputError as error:
        found.findings.append(_error(error))
        return found
    challenge = found.challenge
    for name, data in challenge.data.items():
        found.findings += _open(name, data, packs, found.packs)
    for phase in challenge.phases:
        if phase.data in found.packs:
            found.findings += _phase(phase, found.packs[phase.data])
    for reference in challenge.references:
        pack = found.packs.get(challenge.phase(reference.phase).data)
        if pack is not None:
            found.findings += _reference(reference, challenge.phase(reference.phase), pack)
    found.findings += shared(challenge, found.packs)
    found.findings += not_said(challenge)
    return found


def _error(error: FoveateError) -> Finding:
    return Finding("error", error.where, error.problem, error.remedy)


def _open(name: str, data: DataReference, packs: Path, into: dict[str, Pack]) -> Iterator[Finding]:
    where = f"data {name}"
    try:
        pack = into[name] = write_pack(data, packs)
    except FoveateError as error:
        # What the command line would call --root is a key here.
        remedy = f"Look at root in [data.{name}]{_instead(name, data)}." if "--" in error.remedy else error.remedy
        yield Finding("error", where, f"{error.where}: {error.problem}", remedy)
        return
    with_target = sum(1 for truth in pack.truths if truth.targets)
    said = f"{counted(pack.n, 'question')} about {counted(len(set(pack.groups.values())), 'photo')}"
    yield Finding("told", where, f"{said}, {with_target:,} with a target, fingerprint {pack.fingerprint[:12]}")
    sizeless = [sample for sample, size_hw in pack.sizes.items() if size_hw is None]
    if sizeless:
        remedy = "Give the sizes in the data, or name the photos' folder, so that entries can be checked."
        yield Finding("warning", where, f"the size of the photo is not known of {some(sizeless)}", remedy)
    yield from _photos(where, data, pack)


def _instead(name: str, data: DataReference) -> str:
    """Returns what helps those who do not have a split: another one of its name that is there, or to do without."""
    base, _, split = data.dataset.partition(":")
    root = Path(data.root) if data.root else None
    there = sorted(file.stem for file in root.iterdir()) if root and root.is_dir() else []
    try:
        known = card_of(base, data.root).splits
    except FoveateError:
        known = {}
    parts = [one for one in there if one in known and one != split and one.startswith(split)]
    sample = f', write dataset = "{base}:{parts[0]}", which is there' if parts else ""
    return f"{sample}, or take out [data.{name}] and the phases that use it"


def _photos(where: str, data: DataReference, pack: Pack) -> Iterator[Finding]:
    if data.images is None:
        return
    if not data.images.is_dir():
        yield Finding("error", where, f"{data.images} is no folder of photos", "Look at the path after images.")
        return
    photos = PhotoFolder(data.images)
    absent = sorted({name for name in pack.groups.values() if photos.find(name) is None})
    if absent:
        said = f"{counted(len(absent), 'photo')} not there: {some(absent)}"
        yield Finding("warning", where, said, "Put them there, or tell participants to bring their own.")


def _phase(phase: Phase, pack: Pack) -> Iterator[Finding]:
    """Scores the whole image of every photo: whatever a metric cannot measure here, it cannot measure of any entry."""
    where = f"phase {phase.name}"
    try:
        found = _scored(whole_images(pack.queries), phase, pack)
    except FoveateError as error:
        yield Finding("error", where, f"{error.where}: {error.problem}", error.remedy)
        return
    for name, value in found.metrics.items():
        if value.value is None:
            level: Level = "error" if name == phase.main else "warning"
            remedy = "Take a metric that fits the data: foveate metrics lists them."
            yield Finding(level, where, f"{name} cannot be measured: {value.undefined}", remedy)
    if "vizwiz" in phase.forms and any(size_hw is None for size_hw in pack.sizes.values()):
        yield Finding("error", where, "masks are taken, and the size of some photos is not known", "Give the sizes.")


def _scored(predictions: Sequence[Prediction], phase: Phase, pack: Pack, where: str = "whole image") -> Evaluation:
    return evaluate(predictions, pack.truths, metrics=phase.metrics, groups=pack.groups, resamples=0, where=where)


def _reference(reference: Reference, phase: Phase, pack: Pack) -> Iterator[Finding]:
    where = f"reference {reference.name}"
    try:
        if reference.published is not None:
            yield from _published(where, reference.published, phase)
        elif reference.file is not None:
            found = _scored(list(read_form(reference.file, pack.sizes)), phase, pack, str(reference.file))
            if found.missing:
                said = f"{counted(len(found.missing), 'sample')} without a row: {some(list(found.missing))}"
                yield Finding("warning", where, said, "They count 0.")
        elif reference.grounder and load_grounder(reference.grounder)[0].needs_image:
            said = f"{reference.grounder} looks at photos, which its worker must have"
            yield Finding("warning", where, said, "Name the photos' folder with images, or give a file instead.")
    except FoveateError as error:
        yield Finding("error", where, f"{error.where}: {error.problem}", error.remedy)


def _published(where: str, values: Mapping[str, float], phase: Phase) -> Iterator[Finding]:
    for name in values:
        if metrics_named(name)[0].name not in phase.metrics:
            remedy = "Add it to the phase's metrics, or leave it out."
            yield Finding("warning", where, f"{name} is no metric of its phase, so it is not shown", remedy)


def shared(challenge: Challenge, packs: Mapping[str, Pack]) -> Iterator[Finding]:
    """Yields what a participant could guess: hidden targets that an open phase hands out."""
    for practice in (phase for phase in challenge.phases if phase.targets == "open" and phase.data in packs):
        for hidden in (phase for phase in challenge.phases if phase.targets == "hidden" and phase.data in packs):
            found = shared_samples(packs[practice.data], packs[hidden.data])
            where = f"phases {practice.name} and {hidden.name}"
            if found.questions:
                said = f"{practice.name} gives away hidden targets of {hidden.name}: {some(found.questions)}"
                yield Finding("error", where, said, "Take these questions out of one of the two.")
            if found.renamed:
                said = f"question, size and target are the same, though not the photo's name: {some(found.renamed)}"
                yield Finding("warning", where, said, "Look whether these are the same photos under other names.")
            if found.photos:
                said = f"{counted(len(found.photos), 'photo')} of both, with other questions: {some(found.photos)}"
                yield Finding("told", where, said)


_WORTH_SAYING = ("summary", "organisers", "contact", "website", "citation", "licence", "description", "rules")


def not_said(challenge: Challenge) -> Iterator[Finding]:
    """Yields what a challenge leaves empty and participants ask for."""
    for key in _WORTH_SAYING:
        if not getattr(challenge, key).strip():
            where = f"{key}.md" if key in ("description", "rules") else key
            yield Finding("not_said", where, "nothing is said", "Participants ask for it.")
    for phase in challenge.phases:
        where = f"phase {phase.name}"
        moments: dict[str, datetime | None] = {"start": phase.start, "end": phase.end}
        for key, moment in moments.items():
            if moment is None and phase.kind != "practice":
                meant, such = ("it is open at once", "03-01") if key == "start" else ("it never ends", "04-01")
                remedy = f"Write {key} = 2026-{such}T00:00:00Z, say."
                yield Finding("not_said", where, f"it has no {key}: {meant}", remedy)
        limits = phase.limits
        if phase.targets == "hidden" and limits.valid_a_day is None and limits.valid_in_all is None:
            said = "it has no limit of valid entries, so that hidden targets can be guessed bit by bit"
            yield Finding("not_said", where, said, "Write [phases.limits] with valid_a_day or valid_in_all.")
