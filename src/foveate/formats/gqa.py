"""The official JSON of GQA: questions by their id, and scene graphs by the photo's id.

`annotations.answer` of a question maps places in its answer (`"0"`, `"2:4"`) to objects of the photo's scene graph; the
boxes of these objects are left `x`, top `y`, width `w`, height `h`.

References:
    Hudson, Manning: GQA, a New Dataset for Real-World Visual Reasoning and Compositional Question Answering, CVPR 2019;
    the files `{train,val,testdev,test,challenge}_{balanced,all}_questions.json` and `{train,val}_sceneGraphs.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from foveate.core.boxes import SizeHW
from foveate.core.regions import Sides
from foveate.errors import InputError
from foveate.formats.fields import NonBlank, Text
from foveate.formats.json_regions import Number, Sized
from foveate.formats.json_stream import stream_members
from foveate.formats.tables import OnInvalid, refuse, typed

FIX = "Fix the entry, or pass --skip-invalid."


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class GqaTypes(_Form):
    """What kind of question it is."""

    structural: Text = None
    semantic: Text = None
    detailed: Text = None


class GqaGroups(_Form):
    """Which answers it was balanced among; `global` is empty for yes and no."""

    whole: Annotated[Text, Field(alias="global")] = None
    local: Text = None


class GqaAnnotations(_Form):
    """Objects of the scene graph by places in the text."""

    answer: Mapping[str, NonBlank] = {}


class GqaQuestion(_Form):
    """One question; without `answer` where the publisher keeps it."""

    question: NonBlank
    image: Annotated[NonBlank, Field(alias="imageId")]
    answer: Text = None
    full_answer: Annotated[Text, Field(alias="fullAnswer")] = None
    balanced: Annotated[bool | None, Field(alias="isBalanced", strict=True)] = None
    types: GqaTypes = GqaTypes()
    groups: GqaGroups = GqaGroups()
    annotations: GqaAnnotations = GqaAnnotations()

    @property
    def objects(self) -> tuple[str, ...]:
        """The objects of the answer, each once, in its order."""
        return tuple(dict.fromkeys(self.annotations.answer.values()))


@dataclass(frozen=True, slots=True)
class GqaScene:
    """What is needed of a scene graph.

    Attributes:
        size_hw: Height and width of the photo.
        boxes: Left, top, width and height by the object's id, as they are written.
    """

    size_hw: SizeHW
    boxes: Mapping[str, Sides]


def read_questions(paths: Sequence[Path], on_invalid: OnInvalid = refuse) -> Iterator[tuple[str, GqaQuestion]]:
    """Yields the id and the question, in the order of the files; ids are unique among all of them.

    Raises:
        InputError: A file is none, or `on_invalid` raises for a question (the default).
    """
    seen: set[str] = set()
    for path in paths:
        for key, row in stream_members(path, "", on_invalid, seen):
            try:
                if not key.strip():
                    raise InputError(row.where, "the id of a question is empty", FIX)
                yield key, typed(row, GqaQuestion, FIX)
            except InputError as error:
                on_invalid(error)


def read_scenes(path: Path, on_invalid: OnInvalid = refuse) -> dict[str, GqaScene]:
    """Returns the scenes of a file by the photo's id.

    Raises:
        InputError: The file is none, or `on_invalid` raises for a scene graph (the default).
    """
    scenes: dict[str, GqaScene] = {}
    for key, row in stream_members(path, "", on_invalid):
        try:
            read = typed(row, _Scene, FIX)
        except InputError as error:
            on_invalid(error)
            continue
        scenes[key] = GqaScene(read.size_hw, {k: (o.x, o.y, o.w, o.h) for k, o in read.objects.items()})
    return scenes


class _Object(_Form):
    x: Number
    y: Number
    w: Number
    h: Number


class _Scene(_Form, Sized):
    objects: Mapping[str, _Object] = {}
