"""The official JSON of VizWiz-VQA: a list of one record a photo, with ten answers of ten people.

References:
    Gurari et al.: VizWiz Grand Challenge: Answering Visual Questions from Blind People, CVPR 2018; the files
    `Annotations/{train,val,test}.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.tables import OnInvalid, Row, json_file, refuse, typed_once

FIX = "Fix the record, or pass --skip-invalid."


class VizwizAnswer(BaseModel):
    """One person's answer, and how sure the person was."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    answer: str
    answer_confidence: Literal["yes", "maybe", "no"]


class VizwizVqaRecord(BaseModel):
    """One record; the test split has no more than photo and question."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    image: NonBlank
    question: NonBlank
    answers: tuple[VizwizAnswer, ...] = ()
    answer_type: Literal["other", "unanswerable", "yes/no", "number"] | None = None
    answerable: Annotated[int, Field(ge=0, le=1, strict=True)] | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        told = {"answers": self.answers or None, "answer_type": self.answer_type, "answerable": self.answerable}
        refuse_partly(told)
        return self

    @property
    def texts(self) -> tuple[str, ...]:
        """The answers as they were typed."""
        return tuple(answer.answer for answer in self.answers)

    @property
    def confidences(self) -> tuple[str, ...]:
        """`yes`, `maybe` or `no` of each answer."""
        return tuple(answer.answer_confidence for answer in self.answers)


def read_vizwiz_vqa(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[VizwizVqaRecord]:
    """Yields the records in the order of the file; a photo stands there once.

    Raises:
        InputError: The file is missing or no such JSON, or `on_invalid` raises for a record (the default).
    """
    for record, _ in typed_once(list_rows(path, on_invalid), VizwizVqaRecord, lambda r: r.image, on_invalid, FIX):
        yield record


def refuse_partly(told: Mapping[str, object]) -> None:
    """Refuses a record that tells a part of what is public for a whole split or hidden for a whole split.

    Raises:
        ValueError: Some of the values are None, and some are not.
    """
    lacking = [name for name, value in told.items() if value is None]
    if lacking and len(lacking) < len(told):
        raise ValueError(f"it lacks {', '.join(lacking)}, but has {', '.join(n for n in told if n not in lacking)}")


def list_rows(path: Path, on_invalid: OnInvalid) -> Iterator[Row]:
    """Yields the objects of a JSON file that holds a list of them.

    Raises:
        InputError: The file is missing or holds no list, or `on_invalid` raises for what is no object.
    """
    values: Any = json_file(path, "Take the official file again.")
    if not isinstance(values, list):
        raise InputError(
            str(path), f"it is a JSON {type(values).__name__}, not a list of records", "Take the official file."
        )
    for number, record in enumerate(values, start=1):
        where = f"{path}, record {number}"
        if isinstance(record, dict):
            yield Row(record, where)
        else:
            on_invalid(InputError(where, f"this is a JSON {type(record).__name__}, not an object", FIX))
