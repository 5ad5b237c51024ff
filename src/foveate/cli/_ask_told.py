"""How `foveate ask` tells what came of a question: the words first, or one JSON value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foveate.assist.answers import Answered
    from foveate.assist.picture import Picture
    from foveate.assist.replies import Reply
    from foveate.cli._ask_pictures import Made
    from foveate.core.predictions import Prediction
    from foveate.errors import FoveateError

_LABELS = {
    "upright": "The photo without its metadata is in",
    "larger": "Larger, it is in",
    "hidden": "With the rest hidden, it is in",
    "private": "With what is private hidden, it is in",
}


def answer_object(image: str, answered: Answered, reply: Reply) -> dict[str, Any]:
    """Returns what `--json` prints; the first grounding is the one that is scored."""
    from foveate.assist.replies import reply_object
    from foveate.runs.codec import region_object

    prediction = answered.prediction
    return {
        "image": image,
        **reply_object(answered, reply),
        "groundings": [region_object(region) for region in prediction.groundings],
        "size_hw": list(answered.size_hw),
    }


def error_object(image: str, question: str | None, grounder: str, error: FoveateError) -> dict[str, Any]:
    """Returns the JSON line of a photo that cannot be asked (no question), or of a question that failed."""
    from foveate.assist.replies import VERSION

    return {
        "image": image,
        "version": VERSION,
        "question": question,
        "grounder": grounder,
        "status": "error",
        "error": problem_object(error),
    }


def problem_object(error: FoveateError) -> dict[str, Any]:
    """Returns an error as JSON."""
    return {
        "where": error.where,
        "problem": error.problem,
        "remedy": error.remedy,
        "exit_code": error.exit_code,
    }


def pictures_object(made: Made) -> dict[str, Any]:
    """Returns the pictures that were made, by kind; null where there is no region or it could not be made."""
    return {
        "pictures": {
            kind: one and {"path": str(one[0]), "alt": one[1].alt, "notes": list(one[1].notes)}
            for kind, one in made.pictures.items()
        },
        "problems": [problem_object(error) for error in made.problems],
    }


def prose(reply: Reply, prediction: Prediction, meaning: str = "") -> list[str]:
    """Returns the lines that a person reads: the words, then the region in numbers.

    Args:
        reply: The words.
        prediction: What the method said.
        meaning: What the method's score means; "" where that is not known.
    """
    from foveate.assist.texts import sentence
    from foveate.core.boxes import format_box

    notes = [f"Note    {one_line(note)}" for note in reply.notes]
    region = prediction.final
    if region is None:
        # "no", "0" and "neither" are answers without a place, and their reason is among the notes.
        reason = [] if prediction.answer else [f"No region. {one_line(sentence(prediction.reason or ''))}"]
        return [one_line(reply.said), *reason, *notes]
    box = format_box([round(side) for side in region.shape.xyxy])
    told = f"(0 to 1: {meaning or 'how sure the method is, on a scale of its own'})"
    sure = region.score if prediction.answer_score is None else prediction.answer_score
    score = [] if sure is None else [f"Score   {sure:.2f}  {told}"]
    return [one_line(reply.said), f"Region  {box}  (left, top, right, bottom in pixels)", *score, *notes]


def why_lines(sentences: Iterable[str]) -> list[str]:
    """Returns the lines that tell why, each sentence on its own."""
    return [f"Why     {one_line(sentence)}" for sentence in sentences]


def picture_lines(pictures: Mapping[str, tuple[Path, Picture] | None], has_region: bool) -> list[str]:
    """Returns a line for each picture that was made, with what to know of it, and one where there was no region."""
    from foveate.errors import shown

    lines = [
        shown(" ".join([f"{_LABELS[kind]} {made[0]}.", *made[1].notes])) for kind, made in pictures.items() if made
    ]
    return (
        lines
        if has_region or None not in pictures.values()
        else [*lines, "There is no region, hence no picture of one."]
    )


def one_line(text: str | None) -> str:
    """Returns a text of a method without line breaks and control characters, which could rewrite the terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text or "").split())
