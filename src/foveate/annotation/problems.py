"""Why a work cannot be sent yet: a field, a sentence and a remedy for each reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foveate.annotation._shape_problems import box_problems, polygon_problems
from foveate.annotation.reasons import REASONS, WITH_TEXT
from foveate.annotation.work import AskWork, BoxWork, GroundingWork, PolygonWork, VerifyWork, Work
from foveate.core.boxes import SizeHW
from foveate.errors import some

LONGEST_QUESTION = 300
_STEPS = {
    "several_questions": "whether more than one question is asked",
    "several_regions": "whether more than one region is needed",
}
# What a field is called, where it is filled in and must not be.
_FILLED = {
    "several_regions": "step 2 is answered",
    "outcome": "step 3 is answered",
    "polygon": "a polygon is drawn",
    "box": "a box is drawn",
    "closed": "a polygon is closed",
    "reason": "a reason is given",
    "reason_text": "a reason is written",
    "question": "a question is written",
    "answer": "an answer is written",
}


@dataclass(frozen=True)
class Problem:
    """One reason why a work cannot be sent.

    Attributes:
        field: The field at fault.
        problem: What is wrong, with both values, as a sentence without its full stop.
        remedy: What to do, a full sentence.
    """

    field: str
    problem: str
    remedy: str


def problems(work: Work, size_hw: SizeHW) -> list[Problem]:
    """Returns why a work cannot be sent; nothing where it can.

    Args:
        work: What a person has filled in.
        size_hw: Height and width of the upright photo.
    """
    if isinstance(work, GroundingWork):
        return list(_of_steps(work, size_hw))
    if isinstance(work, BoxWork | PolygonWork):
        return list(_of_drawing(work, size_hw))
    return list(_of_ask(work) if isinstance(work, AskWork) else _of_verify(work))


def _of_steps(work: GroundingWork, size_hw: SizeHW) -> Iterator[Problem]:
    later = ["several_regions", "outcome", "polygon", "closed", "reason", "reason_text"]
    for number, (step, asked) in enumerate(_STEPS.items(), start=1):
        answer = getattr(work, step)
        if answer is None:
            yield Problem(step, f"step {number} is not answered: {asked}", "Answer yes or no.")
        if answer is not False:
            why = f"step {number} is {'answered yes, which ends the sample' if answer else 'not answered'}"
            yield from _filled(work, later, why, f"Clear it, or answer no in step {number}.")
            return
        later = later[1:]
    yield from _of_drawing(work, size_hw)


def _of_drawing(work: GroundingWork | BoxWork | PolygonWork, size_hw: SizeHW) -> Iterator[Problem]:
    shape = "box" if isinstance(work, BoxWork) else "polygon"
    if work.outcome is None:
        remedy = f"Draw a {shape}, choose the whole image, or say why it cannot be drawn."
        yield Problem("outcome", "nothing is drawn or chosen", remedy)
        return
    unused = [] if work.outcome == shape else [shape, "closed"]
    unused += [] if work.outcome == "cannot_draw" else ["reason", "reason_text"]
    chosen = work.outcome.replace("_", " ")
    yield from _filled(work, unused, f"the choice is {chosen}", "Clear it, or choose otherwise.")
    if work.outcome == "cannot_draw":
        yield from _of_reason(work)
    elif isinstance(work, BoxWork) and work.outcome == "box":
        yield from (Problem("box", *told) for told in box_problems(work.box, size_hw))
    elif not isinstance(work, BoxWork) and work.outcome == "polygon":
        yield from (Problem("polygon", *told) for told in polygon_problems(work.polygon, work.closed, size_hw))


def _of_reason(work: GroundingWork | BoxWork | PolygonWork) -> Iterator[Problem]:
    if work.reason is None:
        yield Problem("reason", "no reason is chosen why it cannot be drawn", "Choose one.")
    elif work.reason not in REASONS:
        yield Problem("reason", f"the reason {work.reason} is none", f"Choose one of {some(list(REASONS), 10)}.")
    elif work.reason in WITH_TEXT and not work.reason_text.strip():
        yield Problem("reason_text", f"the reason {work.reason} says nothing without a text", "Write it.")


def _of_ask(work: AskWork) -> Iterator[Problem]:
    if work.outcome is None:
        yield Problem("outcome", "nothing is asked", "Write a question, or say that there is nothing to ask about.")
    elif work.outcome == "nothing":
        yield from _filled(work, ("question", "answer"), "the choice is nothing", "Clear it, or choose otherwise.")
    elif not work.question.strip():
        yield Problem("question", "the question is empty", "Write a question whose answer is one object of the photo.")
    elif len(work.question.strip()) > LONGEST_QUESTION:
        problem = f"the question has {len(work.question.strip())} letters, {LONGEST_QUESTION} are the most"
        yield Problem("question", problem, "Write a shorter one.")


def _of_verify(work: VerifyWork) -> Iterator[Problem]:
    if work.outcome is None:
        yield Problem("outcome", "nothing is chosen", "Say whether the box is right, or what is wrong.")


def _filled(work: Work, fields: list[str] | tuple[str, ...], why: str, remedy: str) -> Iterator[Problem]:
    """Yields a problem for each field that is filled in where it must not be; a class may not have all of them."""
    for field in fields:
        value = getattr(work, field, None)
        # An answer of no is an answer; a polygon that is not closed is nothing.
        if value not in (None, "", []) and (value is not False or field != "closed"):
            yield Problem(field, f"{_FILLED[field]}, but {why}", remedy)
