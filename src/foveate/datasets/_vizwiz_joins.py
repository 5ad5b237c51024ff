"""What the other data sets of VizWiz know of a sample: its answer type, the skills it needs, the flaws of its photo.

Each lies in a file of its own, anywhere below the root, or is not there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from foveate.core.truths import Fact
from foveate.datasets._options import Options
from foveate.datasets._vizwiz_files import QUALITY, SKILLS, UNKNOWN, VQA, neither, only_file, split_files
from foveate.errors import InputError, UsageError, some
from foveate.formats._places import told_if_closed
from foveate.formats.tables import OnInvalid
from foveate.formats.vizwiz_quality import PEOPLE, VizwizQualityRecord, read_vizwiz_quality
from foveate.formats.vizwiz_skills import VizwizSkillsRow, read_vizwiz_skills
from foveate.formats.vizwiz_vqa import VizwizVqaRecord, read_vizwiz_vqa
from foveate.sources._files import stamp

# More than half of five people. The papers state no threshold.
DEFAULT_VOTES = SEVERE_VOTES = 3
VOTES_OPTION = f"how many of five people must see a skill or a flaw ({DEFAULT_VOTES})"
VQA_FACTS = {
    "answer_type": "other, yes/no, number or unanswerable, by VizWiz-VQA",
    "confidences": "yes, maybe or no: how sure each of the ten people was, in the order of the answers",
}
PHOTO_FACTS = {
    "skills": "what it takes to answer: text, object, colour, counting, other (votes of VizWiz-VQA-Skills)",
    "quality": "none, medium or severe: 0, 1 to 2, or 3 and more of five people could not recognise the photo",
    "flaws": "framing, blur, dark, bright, obstruction, rotation, other, or none (votes of the image quality issues)",
    "unrecognizable": "how many of five people could not recognise what is in the photo",
}

_FIX = "Fix the record, pass --skip-invalid, or move the file out of the folder."


@dataclass(frozen=True, slots=True)
class Known:
    """What a file knows of a photo, in a few hundred bytes.

    Attributes:
        facts: What it says of every sample of the photo.
        question: The question that it is about; None where it is about the photo alone.
        texts: The ten answers that it is about, where it has any.
        confidences: How sure each person was, in the order of the texts.
    """

    facts: Mapping[str, Fact]
    question: str | None = None
    texts: tuple[str, ...] = ()
    confidences: tuple[str, ...] = ()

    def is_about(self, question: str, answers: Sequence[str]) -> bool:
        """Returns whether question and answers are those of the file."""
        same_answers = not self.texts or Counter(self.texts) == Counter(answers)
        return same_answers and self.question in (None, question.strip())


@dataclass(frozen=True)
class _Contents:
    """What a file holds, read once for all readings of an opened data set while the file stays as it is."""

    stamp: tuple[int, int]
    records: Mapping[str, Known]
    errors: Sequence[InputError]


@dataclass
class Join:
    """One file that knows more about the samples, and how many of them it reached.

    Attributes:
        name: What the file is.
        path: Where it is, or None.
        records: By the name of the photo.
        unlike: Samples whose question or answers are others there; they are not joined.
        broken: The errors of its records that were passed over.
    """

    name: str
    path: Path | None
    records: Mapping[str, Known] = field(default_factory=dict)
    reached: int = 0
    unlike: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def find(self, photo: str, question: str, answers: Sequence[str]) -> Known | None:
        """Returns what the file knows of a sample; counts it."""
        record = self.records.get(photo)
        if record is None:
            return None
        if not record.is_about(question, answers):
            self.unlike.append(photo)
            return None
        self.reached += 1
        return record

    def remark(self, n: int) -> str:
        """Returns the sentence about how many of `n` samples were reached."""
        told = f"{self.name}: {self.reached:,} of {n:,} samples ({self.path.name if self.path else 'absent'})"
        if self.unlike:
            told += f"; question or answers differ, not joined: {len(self.unlike):,}, {some(self.unlike)}"
        if self.broken:
            told += f"; passed over: {len(self.broken):,} broken, the first: {self.broken[0].removesuffix('.')}"
        return told


class Joins:
    """The files of one split below the root, ready to be asked about each sample.

    Args:
        root: The folder.
        split: The split.
        options: What to do with broken records, and the threshold of votes.
        vqa: Whether VizWiz-VQA is joined too.

    Raises:
        InputError: Two files could be the one that is meant, or a record is broken (as `options.on_invalid` says).
        UsageError: The setting `votes` is no number from 1 to 5.
    """

    def __init__(self, root: Path, split: str, options: Options, *, vqa: bool = True) -> None:
        votes = _threshold(options.settings)
        files = split_files(root, split)
        self._unknown = files.get(UNKNOWN, [])
        self._skills = _join(SKILLS, files, partial(_skills_of, votes), options)
        self._quality = _join(QUALITY, files, partial(_quality_of, votes), options)
        self._vqa = _join(VQA, files, _vqa_of, options) if vqa else None
        self._n = 0

    def facts(self, photo: str, question: str, answers: Sequence[str]) -> dict[str, Fact]:
        """Returns what the files know of a sample; what they do not know is not in it."""
        self._n += 1
        facts: dict[str, Fact] = {}
        for join in (self._vqa, self._skills, self._quality):
            known = join.find(photo, question, answers) if join else None
            if known:
                facts |= known.facts
                facts |= _confidences(known.texts, known.confidences, answers)
        return facts

    def remarks(self) -> Iterator[str]:
        """Yields how many samples each file reached, after all were asked about, and which of the files are absent.

        Where there is none of them, nobody asked for a join, and there is no word.
        """
        joins = [join for join in (self._vqa, self._skills, self._quality) if join]
        there = [join for join in joins if join.path]
        absent = [join.name for join in joins if not join.path]
        yield from (join.remark(self._n) for join in there)
        if there and absent:
            yield f"not below the folder, so nothing is known by: {', '.join(absent)}"
        yield from map(neither, self._unknown)


def vqa_facts(record: VizwizVqaRecord, answers: Sequence[str]) -> dict[str, Fact]:
    """Returns what VizWiz-VQA knows of a sample; the confidences in the order of the given answers."""
    return _answer_type(record) | _confidences(record.texts, record.confidences, answers)


def _answer_type(record: VizwizVqaRecord) -> dict[str, Fact]:
    return {"answer_type": record.answer_type} if record.answer_type else {}


def _confidences(texts: Sequence[str], confidences: Sequence[str], answers: Sequence[str]) -> dict[str, Fact]:
    """Returns how sure each person was, in the order of the given answers, which are the texts in some order."""
    if not texts:
        return {}
    waiting: dict[str, list[str]] = {}
    for text, confidence in zip(reversed(texts), reversed(confidences), strict=True):
        waiting.setdefault(text, []).append(confidence)
    return {"confidences": tuple(waiting[answer].pop() for answer in answers)}


def _join(
    name: str,
    files: Mapping[str, Sequence[Path]],
    read: Callable[[Path, OnInvalid], Iterator[tuple[str, Known]]],
    options: Options,
) -> Join:
    join = Join(name, only_file(name, files))

    def count(error: InputError) -> None:
        options.on_invalid(InputError(error.where, error.problem, _FIX))
        join.broken.append(error.fault)

    if join.path:
        join.records = _contents(join.path, read, count, options.kept)
    return join


def _contents(
    path: Path,
    read: Callable[[Path, OnInvalid], Iterator[tuple[str, Known]]],
    on_invalid: OnInvalid,
    kept: dict[object, object],
) -> Mapping[str, Known]:
    """Returns what a file holds; of one that was read before and is the same, errors are told as they were then."""
    with told_if_closed(path):
        known, now = kept.get(("join", path)), stamp(path)
    if isinstance(known, _Contents) and known.stamp == now:
        for error in known.errors:
            on_invalid(error)
        return known.records
    errors: list[InputError] = []

    def note(error: InputError) -> None:
        on_invalid(error)
        errors.append(error)

    records = dict(read(path, note))
    kept["join", path] = _Contents(now, records, errors)
    return records


def _vqa_of(path: Path, on_invalid: OnInvalid) -> Iterator[tuple[str, Known]]:
    for record in read_vizwiz_vqa(path, on_invalid):
        # Few texts make up most answers, and each is held once.
        texts, confidences = (tuple(map(sys.intern, part)) for part in (record.texts, record.confidences))
        yield record.image, Known(_answer_type(record), record.question.strip(), texts, confidences)


def _skills_of(votes: int, path: Path, on_invalid: OnInvalid) -> Iterator[tuple[str, Known]]:
    for row in read_vizwiz_skills(path, on_invalid):
        yield row.image, Known(_skill_facts(row, votes), row.question.strip())


def _quality_of(votes: int, path: Path, on_invalid: OnInvalid) -> Iterator[tuple[str, Known]]:
    for record in read_vizwiz_quality(path, on_invalid):
        yield record.image, Known(_quality_facts(record, votes))


def _skill_facts(row: VizwizSkillsRow, least: int) -> dict[str, Fact]:
    votes = row.votes
    return {} if votes is None else {"skills": tuple(skill for skill, n in votes.items() if n >= least)}


def _quality_facts(record: VizwizQualityRecord, least: int) -> dict[str, Fact]:
    """Returns the facts; the papers state no rule for the three levels, this one was fitted on the validation files."""
    facts: dict[str, Fact] = {}
    if record.unrecognizable is not None:
        level = "medium" if record.unrecognizable < SEVERE_VOTES else "severe"
        facts |= {"quality": level if record.unrecognizable else "none", "unrecognizable": record.unrecognizable}
    if record.flaws is not None:
        facts["flaws"] = tuple(flaw for flaw, n in record.flaws.model_dump().items() if n >= least)
    return facts


def _threshold(settings: Mapping[str, str]) -> int:
    text = settings.get("votes", str(DEFAULT_VOTES))
    if text.strip() not in {str(n) for n in range(1, PEOPLE + 1)}:
        raise UsageError(
            "votes", f"{text!r} is no number of people from 1 to {PEOPLE}", "Say votes=3, for more than half."
        )
    return int(text)
