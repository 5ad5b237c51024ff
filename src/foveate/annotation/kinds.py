"""The kinds of projects, the stages of their tasks, and what an organiser may set."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Kind = Literal["grounding", "box_collection", "reannotation"]
# grounding: three steps and a polygon. ask: write a question about a photo. box, polygon: draw. verify: is it right?
Stage = Literal["grounding", "ask", "box", "polygon", "verify"]
KINDS: tuple[Kind, ...] = get_args(Kind)
STAGES: tuple[Stage, ...] = get_args(Stage)


def _not_each(every: int) -> int:
    if every == 1:
        raise ValueError("every task would be gold; give 2 or more, or 0 for none")
    return every


class ProjectSettings(BaseModel):
    """What an organiser may set; kept with the project.

    Attributes:
        submissions: How many people do each task (each stage of a box collection takes one person more). Pages and
            commands set 50 at most; the trial of an admission is done by all who come so far.
        lease_minutes: For how long a task is lent; each save renews it.
        shape: What is drawn in a re-annotation.
        most_redraws: How many boxes may be found wrong before a photo is set aside.
        seed: Of the order of tasks, where it is drawn; None for the data set's order.
        gold_every: Of about how many tasks that a person gets one is gold; 0 for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    submissions: int = Field(2, ge=1, le=1000)
    lease_minutes: int = Field(30, ge=1, le=24 * 60)
    shape: Literal["box", "polygon"] = "box"
    most_redraws: int = Field(2, ge=0, le=10)
    seed: int | None = None
    gold_every: Annotated[int, AfterValidator(_not_each)] = Field(0, ge=0, le=1000)


def first_stage(kind: Kind, settings: ProjectSettings) -> Stage:
    """Returns the stage in which a project's tasks begin."""
    if kind == "grounding":
        return "grounding"
    return "ask" if kind == "box_collection" else settings.shape
