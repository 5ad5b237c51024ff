"""Small runs for the tests of reports: a folder of photos with questions, and predictions of any kind."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction, Status
from foveate.core.regions import Box, Mask, Region, Shape
from foveate.core.soft_maps import SoftMap
from foveate.datasets._open import fingerprint, open_dataset
from foveate.reports.rows import Row, Said
from foveate.runs.header import Header
from foveate.runs.store import writing
from tests.helpers import Sides, save_photo, truth

SIZE: SizeHW = (48, 64)
BOX: Sides = (0.0, 0.0, 10.0, 10.0)
QUESTIONS: list[tuple[str, str, Sides | None, str]] = [
    ("a", "Where is the cup?", (0, 0, 32, 24), "cup"),
    ("b", "What is red?", (16.0, 12.0, 48.0, 36.0), "a box"),
    ("c", "Who is there?", None, ""),
    ("d", "Where is the dog?", (40, 20, 64, 48), "dog"),
]


def box_of(iou: float) -> Sides:
    """Returns a box whose IoU with `BOX` is `iou`: a lower part of it, or one beside it."""
    return (0.0, 0.0, 10.0, 10.0 * iou) if iou else (20.0, 20.0, 30.0, 30.0)


def said(sample: str, iou: float | None, *, state: Status | None = None, score: float = 0.5) -> Said:
    """Returns what a run said: a region of this IoU, or a failure that counts 0; None where there is no target."""
    if state is not None:
        return Said(Prediction(sample, state, reason="because"), iou, None)
    region = Region(Box(box_of(iou or 0.0)), score)
    return Said(Prediction(sample, "ok", final=region, candidates=(region,), size_hw=SIZE), iou, None)


def row(sample: str, *of_runs: Said, grounded: bool = True, coverage: float | None = None) -> Row:
    """Returns a sample with a target, or without."""
    found = truth(sample, BOX if grounded else None, SIZE)
    return Row(found, f"Where is {sample}?", f"{sample}.png", SIZE, coverage, of_runs)


def rows_of_ious(*ious: float) -> list[Row]:
    """Returns samples on which one run has these IoUs."""
    return [row(f"s{n}", said(f"s{n}", iou)) for n, iou in enumerate(ious)]


def mask_of(xyxy: tuple[int, int, int, int], size_hw: SizeHW = SIZE) -> Mask:
    """Returns the mask of a box of whole pixels."""
    return Mask(Box(xyxy).rle(size_hw))


def answering(sample: str, shape: Shape | None, answer: str | None, soft: SoftMap | None = None) -> Prediction:
    """Returns a prediction with an answer, and `no_region` for None."""
    if shape is None:
        return Prediction(sample, "no_region", answer=answer, size_hw=SIZE, reason="nothing there", map=soft)
    region = Region(shape, 0.75)
    return Prediction(sample, "ok", answer, 0.5, region, (region,), SIZE, map=soft)


def write_table(folder: Path, questions: Sequence[tuple[str, str, Sides | None, str]], *, photos: bool = True) -> Path:
    """Writes a folder of photos and the table of questions: id, question, box, answer; returns the table."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "questions.csv").open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["image", "id", "question", "width", "height", "left", "top", "right", "bottom", "answer"])
        for n, (sample, question, xyxy, answer) in enumerate(questions):
            lines.writerow([f"{n}.png", sample, question, 64, 48, *(xyxy or ("",) * 4), answer])
            if photos:
                save_photo(folder / f"{n}.png", SIZE, (40 * n % 255, 120, 160))
    return folder / "questions.csv"


def write_run(out: Path, table: Path, predictions: Sequence[Prediction], *, created: str = "2024-01-01") -> Path:
    """Writes a run of made predictions; returns its folder."""
    queries = list(open_dataset("folder", table.parent, questions=table).queries())
    places = {"root": str(table.parent), "questions": str(table)}
    header = Header(
        "folder:all",
        fingerprint(queries),
        "made",
        {"threshold": 0.5},
        len(queries),
        len(queries),
        card={"summary": "Made by hand.", "limits": "Knows `nothing`."},
        places=places,
        created=created,
        provenance={"foveate": "0", "packages": {"numpy": "2"}},
    )
    with writing(out, header, resume=False) as run:
        for prediction in predictions:
            run.append(prediction)
    return out


_INLINE = {"a", "bdi", "code", "i", "kbd", "span", "strong"}
_VOID = {"meta", "link", "input", "br", "hr", "img", "wbr"}


class Page(HTMLParser):
    """A page as it was read: its elements, whether they nest, and the text in each kind of element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.all_text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag not in _INLINE:
            self.all_text.append(" ")

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts.setdefault(self._open[-1], []).append(data)
        if not {"script", "style"} & set(self._open):
            self.all_text.append(data)

    def values(self, *names: str) -> list[str]:
        """Returns the values of attributes of these names."""
        return [value for _, attributes in self.elements for name, value in attributes.items() if name in names]

    def of_class(self, name: str) -> list[dict[str, str]]:
        """Returns the attributes of the elements of a class."""
        return [attributes for _, attributes in self.elements if name in attributes.get("class", "").split()]

    @property
    def text(self) -> str:
        """What a person reads, in one line."""
        return " ".join("".join(self.all_text).split())
