"""What a person fills in for a task: one class a stage, the same in the browser, the API and exported files.

The fields are said in `design/annotation.md`. A draft may be unfinished; whether it may be sent is said by
`foveate.annotation.problems.problems`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]
Point = tuple[Number, Number]
# More points than any hand draws, and longer texts than anybody writes, are refused at the door.
_MOST_POINTS = 5_000


def _one_outline(points: object) -> object:
    """Refuses several rings, such as those of a hole, with a word why."""
    if isinstance(points, list | tuple) and any(_is_ring(part) for part in points[: _MOST_POINTS + 1]):
        raise ValueError(
            "a polygon is one list of points: a region is one outer boundary, as in the official targets, and neither "
            "holes nor further outlines are taken"
        )
    # Counted before any is looked at: to say what is wrong with each of half a million takes half a minute.
    if isinstance(points, list | tuple) and len(points) > _MOST_POINTS:
        raise ValueError(f"a polygon has at most {_MOST_POINTS:,} points, not {len(points):,}")
    return points


def _is_ring(part: object) -> bool:
    return isinstance(part, list | tuple) and bool(part) and isinstance(part[0], list | tuple)


Points = Annotated[list[Point], BeforeValidator(_one_outline), Field(max_length=_MOST_POINTS)]
# The character U+0000 is no text, and not every database can keep it.
WITHOUT_NUL = "^[^\\x00]*$"
Text = Annotated[str, Field(max_length=2_000, pattern=WITHOUT_NUL)]
Seconds = Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]


class _Work(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: Seconds = 0.0
    comment: Text = ""


class GroundingWork(_Work):
    """The three steps of the first paper."""

    stage: Literal["grounding"] = "grounding"
    several_questions: bool | None = None
    several_regions: bool | None = None
    outcome: Literal["polygon", "whole_image", "cannot_draw"] | None = None
    polygon: Points = []
    closed: bool = False
    reason: str | None = Field(None, max_length=40, pattern=WITHOUT_NUL)
    reason_text: Text = ""


class BoxWork(_Work):
    """A box, drawn for a question."""

    stage: Literal["box"] = "box"
    outcome: Literal["box", "whole_image", "cannot_draw"] | None = None
    box: tuple[Number, Number, Number, Number] | None = None
    reason: str | None = Field(None, max_length=40, pattern=WITHOUT_NUL)
    reason_text: Text = ""


class PolygonWork(_Work):
    """A polygon, drawn for a question without the steps before it."""

    stage: Literal["polygon"] = "polygon"
    outcome: Literal["polygon", "whole_image", "cannot_draw"] | None = None
    polygon: Points = []
    closed: bool = False
    reason: str | None = Field(None, max_length=40, pattern=WITHOUT_NUL)
    reason_text: Text = ""


class AskWork(_Work):
    """A question whose answer is one object of the photo."""

    stage: Literal["ask"] = "ask"
    outcome: Literal["asked", "nothing"] | None = None
    question: Text = ""
    answer: Text = ""


class VerifyWork(_Work):
    """Whether a box is the one right answer."""

    stage: Literal["verify"] = "verify"
    outcome: Literal["right", "box_wrong", "several_answers", "no_answer", "question_wrong"] | None = None


Work = Annotated[
    GroundingWork | BoxWork | PolygonWork | AskWork | VerifyWork,
    Field(discriminator="stage"),
]
WORK: TypeAdapter[Work] = TypeAdapter(Work)
