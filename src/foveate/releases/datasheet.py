"""The datasheet of a release, `DATASHEET.md`: facts where they are known, "Not known" where nobody has told.

References:
    Gebru, Morgenstern, Vecchione, Vaughan, Wallach, Daumé III, Crawford: Datasheets for Datasets. Communications of the
    ACM, 2021. Its headings, in short.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from foveate.errors import InputError, UsageError, did_you_mean, reason_of
from foveate.evaluation.wording import counted
from foveate.formats.release_json import Release

NOT_KNOWN = "Not known."
# Under this name of `people`: the gold questions among what mended versions took in, by version.
MENDED = "gold_of_versions"
# Heading by heading: what the maker alone can answer, in the file of --facts.
QUESTIONS: Mapping[str, Mapping[str, str]] = {
    "motivation": {
        "purpose": "For what purpose was it made?",
        "creators": "Who made it, and on whose behalf?",
        "funding": "Who paid for it?",
    },
    "composition": {
        "photos": "Where are the photos from, and who took them?",
        "questions": "Who asked the questions, and how?",
        "choice": "Is it a sample of something larger, and how was it chosen?",
        "people_in_it": "Are people in the photos, and do they know?",
    },
    "collection": {
        "annotators": "Who drew, and how were they chosen, taught and paid?",
        "instructions": "What were they told?",
        "time": "When was it collected?",
        "consent": "Did those whose data it is consent, and can they take that back?",
        "ethics": "Was it looked at by an ethics board?",
    },
    "preparation": {"cleaning": "What was done with the raw data, and are these kept?"},
    "uses": {
        "used_for": "What has it been used for?",
        "other_uses": "What else could it be used for?",
        "not_for": "What must it not be used for?",
    },
    "distribution": {"where": "Where is it published?", "terms": "Under which terms, and are there other people's?"},
    "maintenance": {
        "contact": "Who looks after it, and how are they reached?",
        "errata": "How are mistakes told, and mended?",
    },
    "limits": {"known": "Which mistakes and gaps are known?", "bias": "Whom or what does it not stand for?"},
}


def read_facts(path: Path) -> dict[str, dict[str, str]]:
    """Returns what a TOML file answers: a table a heading of `QUESTIONS`, a text a question.

    Raises:
        InputError: It cannot be read.
        UsageError: It has a heading or question that there is not.
    """
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(str(path), f"it cannot be read as TOML ({reason_of(error)})", "Look at the file.") from error
    for heading, answers in told.items():
        if heading not in QUESTIONS or not isinstance(answers, dict):
            raise UsageError(f"{path}, {heading}", "it is no heading of a datasheet", did_you_mean(heading, QUESTIONS))
        for key, answer in answers.items():
            if key not in QUESTIONS[heading]:
                remedy = did_you_mean(key, QUESTIONS[heading])
                raise UsageError(f"{path}, {heading}.{key}", "there is no such question", remedy)
            if not isinstance(answer, str) or not answer.strip():
                raise InputError(f"{path}, {heading}.{key}", "an answer is a text", 'Write it as key = "…".')
    return {heading: {key: answer.strip() for key, answer in answers.items()} for heading, answers in told.items()}


def datasheet(release: Release) -> str:
    """Returns the datasheet as Markdown."""
    parts = [f"# Datasheet: {release.title}, version {release.version}\n"]
    for heading, questions in QUESTIONS.items():
        parts.append(f"## {heading.capitalize()}\n")
        known = [f"- {sentence}" for sentence in _FACTS.get(heading, _nothing)(release)]
        if known:
            parts.append("\n".join(known) + "\n")
        told = release.facts.get(heading, {})
        parts += [f"**{question}** {told.get(key, NOT_KNOWN)}\n" for key, question in questions.items()]
    parts.append("Made by `foveate release`; the headings are those of Gebru et al. (Datasheets for Datasets, 2021).\n")
    return "\n".join(parts)


def readme(release: Release) -> str:
    """Returns what somebody reads first, as Markdown."""
    counts = "\n".join(
        f"| {name} | {split.samples:,} | {split.with_target:,} | {split.photos:,} |"
        for name, split in release.splits.items()
    )
    official = f"- `official/`: the same in the layout of {_LAYOUTS[release.layout]}\n" if release.layout else ""
    photos = "- `photos/`: the photos\n" if release.photos.get("written") else ""
    changes = "- `CHANGES.md`, `changes.json`: what differs from the version before\n" if release.parent else ""
    return f"""# {release.title}

Version {release.version}. Licence of the annotations: {release.licence or "not known"} (`LICENSE`).

| split | samples | with a target | photos |
|---|---|---|---|
{counts}

- `samples/`: questions, answers and targets, a JSON object a line, without loss
{official}{photos}{changes}- `DATASHEET.md`: what it is, how it came about, what it is not for
- `attribution.csv`: who made each photo, under which licence
- `release.json`: all of this for programs
- `SHA256SUMS`: check with `sha256sum -c SHA256SUMS`, or `foveate release check --folder .`

Score a run on it: `foveate score RUN --dataset release:{next(iter(release.splits))} --root .`
"""


_LAYOUTS = {"vizwiz": "VizWiz-VQA-Grounding", "toloka": "the Toloka VQA challenge"}
Facts = Callable[[Release], Iterator[str]]


def _nothing(_: Release) -> Iterator[str]:
    yield from ()


def _composition(release: Release) -> Iterator[str]:
    with_target = sum(split.with_target for split in release.splits.values())
    samples = counted(release.samples, "sample")
    yield f"{samples}, {with_target:,} with a target; targets are compared as {release.evaluate_as}s."
    for name, split in release.splits.items():
        samples, of = counted(split.samples, "sample"), counted(split.photos, "photo")
        yield f"{name}: {samples} of {of}, {split.with_target:,} with a target."
    photos = release.photos
    if photos.get("written"):
        how = "coded anew, upright, without metadata" if photos.get("stripped") else "as their files were"
        yield f"In it: {counted(photos['written'], 'photo')}, {how}; only named: {photos.get('absent', 0):,}."
    else:
        yield "No photo is in it; they are named, and must be had from where they came."
    if photos.get("with_place"):
        yield f"{counted(photos['with_place'], 'photo')} with the place where it was taken in the file."
    yield from _private(release.private)


def _private(private: Mapping[str, Any]) -> Iterator[str]:
    if not private.get("looked"):
        yield "Nobody and nothing looked for what is private in it."
        return
    by = ", ".join(f"{kind.replace('_', ' ')} {n:,}" for kind, n in private["flagged_by"].items()) or "nothing found"
    looked, flagged = counted(private["photos_looked_at"], "photo"), counted(private["flagged"], "photo")
    yield (
        f"Faces, cards, addresses, letters were looked for in {looked} and all words: "
        f"{flagged} flagged ({by}). The look misses some; what it did not flag is not safe by that."
    )
    kept, left_out = private["kept_after_review"], private["left_out"]
    yield f"After review, of the flagged photos: kept {kept:,}, left out {left_out:,}."
    if private["not_reviewed"]:
        yield f"Released without anybody having looked: {counted(private['not_reviewed'], 'flagged photo')}."


def _collection(release: Release) -> Iterator[str]:
    yield from _numbers("People", release.people)
    yield from gold_told(release.people.get("gold", {}))
    for version, gold in release.people.get(MENDED, {}).items():
        yield from (f"Of what mended it in {version}: {sentence}" for sentence in gold_told(gold))
    yield from _numbers("Agreement", release.agreement)
    for source in release.sources:
        yield f"Made of {source.get('dataset')}, fingerprint {str(source.get('fingerprint'))[:16]}."


def gold_told(gold: Mapping[str, int]) -> Iterator[str]:
    """Yields in sentences how many gold questions are in a release or its changes; nothing where there was none."""
    if gold:
        yield (
            f"Gold questions, by whose known answers people were judged: {gold['kept']:,} in it, {gold['left_out']:,} "
            "left out."
        )
    if gold.get("undecided"):
        yield f"Left out for want of a decision: {counted(gold['undecided'], 'gold question')}."


def _preparation(release: Release) -> Iterator[str]:
    yield from _numbers("Screening", release.funnel)
    splitting = release.splitting
    if splitting.get("way") == "hash":
        shares = ", ".join(f"{name} {share}" for name, share in splitting["shares"].items())
        yield f"Splits by photo, salted SHA-256 (salt {splitting['salt']!r}), shares {shares}."
    elif splitting:
        yield "Splits are those of its source."
    if splitting.get("grouped"):
        stay = "stay together; they" if splitting.get("way") == "hash" else "were looked for; photos"
        yield f"Photos that show the same {stay} were compared {splitting['grouped']}."
    for old in splitting.get("old", []):
        yield f"In {old['dataset']}, too, and so put into {old['to']}: {counted(old['photos'], 'photo')}."
    across = release.leakage.get("groups_across", 0)
    yield (
        f"Photos that show the same and are in several splits: {counted(across, 'group')}."
        if release.leakage
        else ("Whether photos are in several splits was not looked at.")
    )
    if release.parent:
        yield f"It mends {release.parent.version}: {release.changes or 'see CHANGES.md'}."


def _distribution(release: Release) -> Iterator[str]:
    yield f"Licence of the annotations: {release.licence or 'not known'}."
    told = release.attribution
    whole, photos = told.get("whole", 0), told.get("photos", 0)
    yield f"Author and licence are known of {whole:,} of {counted(photos, 'photo')} (`attribution.csv`)."
    if release.layout:
        yield f"`official/` holds it in the layout of {_LAYOUTS[release.layout]}."
    for loss in release.layout_losses:
        yield f"That layout does not hold all of it: {loss}."


def _numbers(title: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yields the plain values of a report on one line; deeper ones are in release.json."""
    plain = {key: value for key, value in values.items() if isinstance(value, int | float | str)}
    if plain:
        told = ", ".join(f"{key.replace('_', ' ')} {_number(value)}" for key, value in plain.items())
        yield f"{title}: {told}."
    else:
        yield f"{title}: not known."


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


_FACTS: Mapping[str, Facts] = {
    "composition": _composition,
    "collection": _collection,
    "preparation": _preparation,
    "distribution": _distribution,
}
