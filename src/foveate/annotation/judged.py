"""Submissions as judgements, which is how `foveate.quality` knows them."""

from __future__ import annotations

from collections.abc import Iterable

from foveate.annotation.shapes import drawn_shape
from foveate.annotation.submissions import Submission
from foveate.annotation.work import BoxWork, GroundingWork, PolygonWork, Work
from foveate.core.boxes import SizeHW
from foveate.quality.judgements import Judgement, Said

# Stages whose work says where something is: those of which `said_by` returns anything.
DRAWING_STAGES = ("grounding", "box", "polygon")


def said_by(work: Work, size_hw: SizeHW) -> Said | None:
    """Returns what a work says of its task; None where it is of a stage in which nothing is drawn.

    Raises:
        ValueError: Its outline is no region.
    """
    if not isinstance(work, BoxWork | GroundingWork | PolygonWork):
        return None
    shape = drawn_shape(work, size_hw)
    if isinstance(work, GroundingWork):
        return Said(work.several_questions, work.several_regions, work.outcome, shape)
    return Said(outcome=work.outcome, shape=shape)


def judgement_of(one: Submission) -> Judgement | None:
    """Returns a submission as a judgement; None where nothing could be drawn in its stage."""
    said = said_by(one.work, one.size_hw)
    if said is None:
        return None
    return Judgement(one.task, one.annotator, one.size_hw, said, _points(one.work), one.seconds, one.sent)


def judgements_of(submissions: Iterable[Submission]) -> list[Judgement]:
    """Returns a judgement for each submission in which something could be drawn, in their order.

    Decisions are left out, and what an organiser has set aside.
    """
    found = (judgement_of(one) for one in submissions if not one.adjudicated and not one.set_aside)
    return [judged for judged in found if judged is not None]


def _points(work: Work) -> int:
    if isinstance(work, GroundingWork | PolygonWork) and work.outcome == "polygon":
        return len(work.polygon)
    return 0
