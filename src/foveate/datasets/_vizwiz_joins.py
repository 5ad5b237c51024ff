"""What the other data sets of VizWiz know of a sample: its answer type, the skills it needs, the flaws of its photo.

Each lies in a file of its own, anywhere below the root, or is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foveate.core.truths import Fact
from foveate.datasets._options import Options
from foveate.datasets._vizwiz_files import QUALITY, SKILLS, UNKNOWN, VQA, neither, only_file, split_files
from foveate.errors import InputError, UsageError, some
from foveate.formats.tables import OnInvalid
from foveate.formats.vizwiz_quality import PEOPLE, VizwizQualityRecord, read_vizwiz_quality
from foveate.formats.vizwiz_skills import VizwizSkillsRow, read_vizwiz_skills
from foveate.formats.vizwiz_vqa import VizwizVqaRecord, read_vizwiz_vqa

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
    records: Mapping[str, Any] = field(default_factory=dict)
    reached: int = 0
    unlike: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def find(self, photo: str, is_same: Callable[[Any], bool]) -> Any | None:
        """Returns what the file knows of a photo; counts it."""
        record = self.records.get(photo)
        if record is None:
            return None
        if not is_same(record):
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
        self._votes = _threshold(options.settings)
        files = split_files(root, split)
        self._unknown = files.get(UNKNOWN, [])
        self._skills = _join(SKILLS, files, read_vizwiz_skills, options.on_invalid)
        self._quality = _join(QUALITY, files, read_vizwiz_quality, options.on_invalid)
        self._vqa = _join(VQA, files, read_vizwiz_vqa, options.on_invalid) if vqa else None
        self._n = 0

    def facts(self, photo: str, question: str, answers: Sequence[str]) -> dict[str, Fact]:
        """Returns what the files know of a sample; what they do not know is not in it."""
        self._n += 1
        facts: dict[str, Fact] = {}
        if self._vqa:
            record = self._vqa.find(photo, lambda r: _same_asked(r, question, answers))
            facts |= vqa_facts(record, answers) if record else {}
        skills = self._skills.find(photo, lambda r: r.question.strip() == question.strip())
        facts |= _skill_facts(skills, self._votes) if skills else {}
        quality = self._quality.find(photo, lambda _: True)
        return facts | (_quality_facts(quality, self._votes) if quality else {})

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
    facts: dict[str, Fact] = {"answer_type": record.answer_type} if record.answer_type else {}
    if record.answers:
        waiting: dict[str, list[str]] = {}
        for answer in reversed(record.answers):
            waiting.setdefault(answer.answer, []).append(answer.answer_confidence)
        facts["confidences"] = tuple(waiting[answer].pop() for answer in answers)
    return facts


def _join(
    name: str,
    files: Mapping[str, Sequence[Path]],
    read: Callable[[Path, OnInvalid], Iterator[VizwizVqaRecord | VizwizSkillsRow | VizwizQualityRecord]],
    on_invalid: OnInvalid,
) -> Join:
    join = Join(name, only_file(name, files))

    def count(error: InputError) -> None:
        on_invalid(InputError(error.where, error.problem, _FIX))
        join.broken.append(error.fault)

    if join.path:
        join.records = {record.image: record for record in read(join.path, count)}
    return join


def _same_asked(record: VizwizVqaRecord, question: str, answers: Sequence[str]) -> bool:
    same_answers = not record.answers or Counter(record.texts) == Counter(answers)
    return record.question.strip() == question.strip() and same_answers


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
