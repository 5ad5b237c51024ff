"""The official JSON of VQA v2: a list of questions, and beside it a list of annotations with ten answers each.

References:
    Goyal, Khot, Summers-Stay, Batra, Parikh: Making the V in VQA Matter, CVPR 2017; the files
    `v2_OpenEnded_mscoco_{subset}_questions.json` and `v2_mscoco_{subset}_annotations.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from foveate.errors import InputError
from foveate.formats.fields import NonBlank, Text
from foveate.formats.json_stream import stream_elements
from foveate.formats.tables import OnInvalid, Row, refuse, typed

FIX = "Fix the entry, or pass --skip-invalid."
PEOPLE = 10
_Id = Annotated[int, Field(strict=True, ge=0)]
M = TypeVar("M", "VqaQuestion", "VqaAnnotation")


class VqaAnswer(BaseModel):
    """What one person answered, and how sure they said they were."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    answer: str
    answer_confidence: Literal["yes", "maybe", "no"] | None = None


def _of_ten(answers: tuple[VqaAnswer, ...]) -> tuple[VqaAnswer, ...]:
    if len(answers) != PEOPLE:
        raise ValueError(f"there are {len(answers)} answers, of {PEOPLE} people")
    return answers


class VqaQuestion(BaseModel):
    """One question about a photo of COCO."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question_id: _Id
    image_id: _Id
    question: NonBlank


class VqaAnnotation(BaseModel):
    """The answers to one question, with what kind of question and answer they are."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question_id: _Id
    answers: Annotated[tuple[VqaAnswer, ...], AfterValidator(_of_ten)]
    image_id: _Id | None = None
    question_type: Text = None
    answer_type: Text = None
    multiple_choice_answer: Text = None


def read_pairs(
    questions: Path, annotations: Path | None, on_invalid: OnInvalid = refuse
) -> Iterator[tuple[VqaQuestion, VqaAnnotation | None]]:
    """Yields the questions in the order of their file, each with its annotation.

    Both files are read together: while they are in one order, as the official ones are, nothing is kept but ids.

    Args:
        questions: The file of questions.
        annotations: The file of annotations; None gives None with every question.
        on_invalid: Called for an entry that is broken or there twice, a question without an annotation, an annotation
            without a question, and two that name different photos.

    Raises:
        InputError: A file is none, or `on_invalid` raises (the default).
    """
    answered = _Answered(annotations, on_invalid) if annotations else None
    broken: set[int] = set()
    for question, row in _typed(questions, "questions", "question", VqaQuestion, on_invalid, broken):
        if answered is None:
            yield question, None
            continue
        found = answered.take(question.question_id)
        problem = _mismatch(question, found, annotations)
        if problem is None:
            yield question, found
        elif question.question_id not in answered.broken:
            on_invalid(InputError(f"{row.where}, {question.question_id}", problem, FIX))
    if answered:
        answered.refuse_left_over(questions, broken)


def _mismatch(question: VqaQuestion, found: VqaAnnotation | None, annotations: Path | None) -> str | None:
    if found is None:
        return f"{annotations} has no annotation of this question"
    if found.image_id not in {None, question.image_id}:
        return f"its image_id is {question.image_id}, in {annotations} it is {found.image_id}"
    return None


@dataclass
class _Answered:
    """Annotations by question, read as far as they are asked for."""

    path: Path
    on_invalid: OnInvalid
    broken: set[int] = field(default_factory=set)
    _waiting: dict[int, VqaAnnotation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rest = _typed(self.path, "annotations", "annotation", VqaAnnotation, self.on_invalid, self.broken)

    def take(self, question: int) -> VqaAnnotation | None:
        if question in self._waiting:
            return self._waiting.pop(question)
        for found, _ in self._rest:
            if found.question_id == question:
                return found
            self._waiting[found.question_id] = found
        return None

    def refuse_left_over(self, questions: Path, broken: set[int]) -> None:
        for found, _ in self._rest:
            self._waiting[found.question_id] = found
        for number in (number for number in self._waiting if number not in broken):
            where = f"{self.path}, question_id {number}"
            self.on_invalid(InputError(where, f"{questions} has no such question", FIX))


def _typed(
    path: Path, at: str, name: str, form: type[M], on_invalid: OnInvalid, broken: set[int]
) -> Iterator[tuple[M, Row]]:
    """Yields the entries of a list, their ids unique; of the broken ones the ids are noted, where they have one."""
    seen: set[int] = set()
    for _, row in stream_elements(path, at, on_invalid, name):
        try:
            found = typed(row, form, FIX)
            if found.question_id in seen:
                raise InputError(row.where, f"the question_id {found.question_id} is here a second time", FIX)
        except InputError as error:
            on_invalid(error)
            number = row.values.get("question_id")
            if isinstance(number, int) and number not in seen:
                broken.add(number)
            continue
        seen.add(found.question_id)
        yield found, row
