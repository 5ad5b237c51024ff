"""Contact sheets: predictions with their targets, drawn as `foveate ask` draws them, side by side in PNG files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import PIL.Image
from benchmarks._asking import Unread, asked
from benchmarks._causes import Explained, worst
from benchmarks._proxy import absent, photos, present
from benchmarks._refusals import score_of
from benchmarks._sets import HALVES, Asked, blind, cup, half, of

from foveate.assist.overlay import overlay
from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.truths import TargetShape

WIDTH = 480
_COLUMNS, _ROWS = 4, 3
_ABSENT = 12

Shown = tuple[Query, Prediction, str, Sequence[TargetShape]]


def sheets(out: Path) -> None:
    """Draws the worst samples, regions for what is absent, the cup's photos, and those of people who are blind."""
    for name, out_of in HALVES.items():
        asked_for = of(name, half([*present(photos(), "real"), *present(photos(), "ours")], out_of))
        write_sheets(out, f"worst-{name}", [_told(n, each) for n, each in enumerate(worst(asked_for), 1)])
        gone = predicted(of(name, half(absent(photos(), "real"), out_of)))
        wrong = sorted((pair for pair in gone if pair[1].final), key=lambda pair: -score_of(pair[1]))
        write_sheets(out, f"absent-{name}", [(*pair, pair[0].question, ()) for pair in wrong[:_ABSENT]])
    aims = {truth.id: truth.targets[0].shape for truth in cup().truths}
    write_sheets(out, "cup", [(*pair, pair[0].question, (aims[pair[0].id],)) for pair in predicted(cup())])
    write_sheets(out, "vizwiz", [(*pair, pair[0].question, ()) for pair in predicted(blind())])
    print(f"pictures in {out}")


def predicted(questions: Asked) -> list[tuple[Query, Prediction]]:
    """Returns the queries in their order, each with what `pocket` says."""
    said = {each.id: each for each in asked(questions.queries, Unread())}
    return [(query, said[query.id]) for query in questions.queries]


def _told(number: int, each: Explained) -> Shown:
    words = f"{number}. {each.sample.query.question} [{each.sample.kind}; {each.cause}; IoU {each.iou:.2f}] cause:"
    return each.sample.query, each.prediction, words, (each.sample.truth.targets[0].shape,)


def write_sheets(folder: Path, name: str, shown: Iterable[Shown]) -> list[Path]:
    """Writes twelve pictures a sheet, in their order; returns the files.

    Args:
        folder: It is made where it is not there.
        name: Of the files, before their number.
        shown: For each picture the query, what was predicted, the words below it, and the accepted regions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [_picture(*each) for each in shown]
    paths = []
    for first in range(0, len(pictures), _COLUMNS * _ROWS):
        path = folder / f"{name}-{first // (_COLUMNS * _ROWS) + 1}.png"
        _sheet(pictures[first : first + _COLUMNS * _ROWS]).save(path)
        paths.append(path)
    return paths


def _picture(query: Query, prediction: Prediction, told: str, targets: Sequence[TargetShape]) -> PIL.Image.Image:
    if query.image is None:
        raise ValueError(f"{query.id} has no photo to draw on")
    drawn = overlay(query.image.load(), prediction, told, targets=targets)
    return drawn.resize((WIDTH, max(1, round(drawn.height * WIDTH / drawn.width))), PIL.Image.Resampling.LANCZOS)


def _sheet(pictures: Sequence[PIL.Image.Image]) -> PIL.Image.Image:
    rows = [pictures[first : first + _COLUMNS] for first in range(0, len(pictures), _COLUMNS)]
    heights = [max(picture.height for picture in row) for row in rows]
    sheet = PIL.Image.new("RGB", (WIDTH * min(len(pictures), _COLUMNS), sum(heights)), "white")
    top = 0
    for row, height in zip(rows, heights, strict=True):
        for column, picture in enumerate(row):
            sheet.paste(picture, (column * WIDTH, top))
        top += height
    return sheet
