"""`foveate ask`: one question about one photo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from foveate.core.predictions import Prediction


def ask(
    image: Annotated[Path, typer.Argument(readable=False, help="The photo.", show_default=False)],
    question: Annotated[list[str], typer.Argument(help="The question; quotes spare trouble.", show_default=False)],
    grounder: Annotated[str, typer.Option(help="The method; `foveate grounders` lists them.")] = "pocket",
    save: Annotated[
        Path | None,
        typer.Option(readable=False, help="Write the photo with the region drawn on it.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of prose.")] = False,
) -> None:
    """Ask a photo a question and see where the answer is.

    Example: foveate ask kitchen.jpg "Where can we cook meals?" --save answer.png
    """
    from foveate import plugins
    from foveate.cli._output import print_json, remark
    from foveate.execution.ask import ask as ask_photo

    if save is not None:
        _check_save(save, image)
    asked = " ".join(question)
    prediction = ask_photo(image, asked, grounder=grounder)
    if as_json:
        print_json({"image": str(image), "question": asked, **answer_object(prediction, grounder)})
    else:
        card = plugins.load("grounders", grounder).CARD
        typer.echo("\n".join(prose(prediction, card.score)))
    if save is not None:
        _save(save, image, asked, prediction)
        if not as_json:
            remark(f"The picture is in {save}")


def _check_save(save: Path, image: Path) -> None:
    from foveate.cli._output import check_picture
    from foveate.errors import UsageError
    from foveate.sources.places import exists

    check_picture(save)
    if exists(save) and exists(image) and save.samefile(image):
        raise UsageError(str(save), "this is the photo itself", "Choose another name for the picture.")


def _save(save: Path, image: Path, question: str, prediction: Prediction) -> None:
    from foveate.assist.overlay import overlay
    from foveate.cli._output import save_picture
    from foveate.sources.images import FileImage

    save_picture(overlay(FileImage(image).load(), prediction, question), save)


def answer_object(prediction: Prediction, grounder: str) -> dict[str, Any]:
    """Returns what `--json` prints; the first grounding is the one that is scored."""
    from foveate.runs.codec import region_object

    return {
        "status": prediction.status,
        "answer": prediction.answer,
        "answer_score": prediction.answer_score,
        "groundings": [region_object(region) for region in prediction.groundings],
        "size_hw": None if prediction.size_hw is None else list(prediction.size_hw),
        "seconds": prediction.seconds,
        "grounder": grounder,
        "reason": prediction.reason,
    }


def prose(prediction: Prediction, meaning: str = "") -> list[str]:
    """Returns the lines that a person reads.

    Args:
        prediction: What is told.
        meaning: What the method's score means; "" where that is not known.
    """
    from foveate.core.boxes import format_box

    region = prediction.final
    if region is None:
        # "no", "0" and "neither" are answers without a place.
        answered = [f"Answer  {_one_line(prediction.answer)}"] if prediction.answer else []
        return [*answered, f"No region. {_one_line(prediction.reason)}"]
    box = format_box([round(side) for side in region.shape.xyxy])
    answer = _one_line(prediction.answer) or "(no answer in words)"
    note = [f"Note    {_one_line(prediction.reason)}"] if prediction.reason else []
    told = f"(0 to 1: {meaning or 'how sure the method is, on a scale of its own'})"
    sure = region.score if prediction.answer_score is None else prediction.answer_score
    score = [] if sure is None else [f"Score   {sure:.2f}  {told}"]
    return [f"Answer  {answer}", f"Region  {box}  (left, top, right, bottom in pixels)", *score, *note]


def _one_line(text: str | None) -> str:
    """Returns a text of a method without line breaks and control characters, which could rewrite the terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text or "").split())
