"""CLEVR's JSON: questions with programs, scenes, the boxes of CLEVR-Answers, and what Foveate's own scenes have beside.

CLEVR 1.0 writes a step of a program with `function` and `value_inputs`; its generator, by which CLEVR-Answers was made,
with `type`, and `side_inputs` in older files. Both are read. Answers may be words, numbers or true and false; they
become words (`yes`, `no`, `3`).

References:
    Johnson, Hariharan, van der Maaten, Fei-Fei, Zitnick, Girshick: CLEVR, a Diagnostic Dataset for Compositional
    Language and Elementary Visual Reasoning, CVPR 2017; the files `CLEVR_{split}_questions.json` and
    `CLEVR_{split}_scenes.json`.
    Urooj, Kuehne, Duarte, Gan, Lobo, Shah: Found a Reason for me?, CVPR 2021; `CLEVR_{split}_question2bboxes.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from foveate.core.regions import Sides
from foveate.errors import InputError
from foveate.formats.fields import NonBlank, Text
from foveate.formats.json_regions import Four, RleObject
from foveate.formats.json_stream import stream_elements, stream_members
from foveate.formats.tables import OnInvalid, Row, refuse, typed

FIX = "Fix the entry, or pass --skip-invalid."
_HOPS = ("relate", "same_")


def _word(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int) else value


Answer = Annotated[Text, BeforeValidator(_word)]
Index = Annotated[int, Field(strict=True, ge=0)]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class ClevrStep(_Form):
    """One function of a program, with the steps before it that it takes."""

    function: Annotated[NonBlank, Field(validation_alias=AliasChoices("function", "type"))]
    inputs: tuple[Index, ...] = ()
    values: Annotated[tuple[str, ...], Field(validation_alias=AliasChoices("value_inputs", "side_inputs"))] = ()


class ClevrQuestion(_Form):
    """One question; without answer and program where the publisher keeps them."""

    number: Annotated[Index, Field(alias="question_index")]
    image: Annotated[NonBlank, Field(alias="image_filename")]
    question: NonBlank
    answer: Answer = None
    kind: Annotated[Index | None, Field(alias="question_family_index")] = None
    program: tuple[ClevrStep, ...] = ()

    @property
    def hops(self) -> int:
        """How many times its program goes from one object to others: by a relation or a common attribute."""
        return sum(step.function.startswith(_HOPS) for step in self.program)

    @property
    def text(self) -> str:
        """Its program as nested calls, such as `query_color(unique(filter_shape[cube](scene)))`."""
        said: list[str] = []
        for step in self.program:
            value = f"[{', '.join(step.values)}]" if step.values else ""
            inputs = [said[number] for number in step.inputs if number < len(said)]
            said.append(f"{step.function}{value}" + (f"({', '.join(inputs)})" if inputs else ""))
        return said[-1] if said else ""


class ClevrObject(_Form):
    """One object of a scene: its attributes; box and mask where they are told, as Foveate's own scenes do."""

    shape: NonBlank
    size: NonBlank
    color: NonBlank
    material: NonBlank
    bbox: Four | None = None
    mask: RleObject | None = None


class ClevrScene(_Form):
    """One scene: the picture's file and its objects, in their order."""

    image: Annotated[NonBlank, Field(alias="image_filename")]
    objects: tuple[ClevrObject, ...]


class Evidence(_Form):
    """The family of a question, and the numbers of the objects that its answer rests on: in Foveate's own scenes."""

    family: NonBlank
    objects: tuple[Index, ...]


def read_questions(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[ClevrQuestion]:
    """Yields the questions in the order of the file; their numbers are unique.

    Raises:
        InputError: The file is none, or `on_invalid` raises for a question (the default).
    """
    seen: set[int] = set()
    for _, row in stream_elements(path, "questions", on_invalid, "question"):
        try:
            found = typed(row, ClevrQuestion, FIX)
            if found.number in seen:
                raise InputError(row.where, f"question_index {found.number} is here a second time", FIX)
        except InputError as error:
            on_invalid(error)
            continue
        seen.add(found.number)
        yield found


def read_scenes(path: Path, on_invalid: OnInvalid = refuse) -> dict[str, ClevrScene]:
    """Returns the scenes of a file by the name of their picture.

    Raises:
        InputError: The file is none, or `on_invalid` raises for a scene (the default).
    """
    scenes: dict[str, ClevrScene] = {}
    for _, row in stream_elements(path, "scenes", on_invalid, "scene"):
        try:
            found = typed(row, ClevrScene, FIX)
            if found.image in scenes:
                raise InputError(row.where, f"the scene of {found.image} is here a second time", FIX)
        except InputError as error:
            on_invalid(error)
            continue
        scenes[found.image] = found
    return scenes


def read_boxes(path: Path, on_invalid: OnInvalid = refuse) -> dict[str, dict[str, Sides]]:
    """Returns left, top, width and height of the objects of each answer, by the question's number and the object's key.

    Raises:
        InputError: The file is none, or `on_invalid` raises for a question (the default).
    """
    found: dict[str, dict[str, Sides]] = {}
    for key, row in stream_members(path, "", on_invalid):
        try:
            found[key] = _boxes(row)
        except InputError as error:
            on_invalid(error)
    return found


def read_evidence(path: Path, on_invalid: OnInvalid = refuse) -> dict[str, Evidence]:
    """Returns the evidence of each question by its number.

    Raises:
        InputError: The file is none, or `on_invalid` raises for a question (the default).
    """
    found: dict[str, Evidence] = {}
    for key, row in stream_members(path, "", on_invalid):
        try:
            found[key] = typed(row, Evidence, FIX)
        except InputError as error:
            on_invalid(error)
    return found


_BOX: TypeAdapter[Mapping[str, Sides]] = TypeAdapter(dict[str, Four])


def _boxes(row: Row) -> dict[str, Sides]:
    try:
        return dict(_BOX.validate_python(row.values))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        problem = first["msg"].removeprefix("Value error, ")
        raise InputError(row.where, f"{name} is no box; {problem[0].lower()}{problem[1:]}", FIX) from error
