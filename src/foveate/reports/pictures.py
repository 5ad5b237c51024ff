"""Samples as cards of the page: the picture with its layers, and what is written under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foveate.core.boxes import SizeHW
from foveate.core.regions import Mask
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import TargetShape
from foveate.errors import FoveateError
from foveate.reports._text import cut, plain, short
from foveate.reports.album import Album
from foveate.reports.galleries import Gallery
from foveate.reports.photos import MapPicture, map_picture
from foveate.reports.rows import Row, Said
from foveate.reports.shapes import Drawn, comparable, counting, drawn

_NO_SIZE: SizeHW = (300, 400)


@dataclass(frozen=True, slots=True)
class View:
    """One run's picture of a sample.

    Attributes:
        run: The run's number.
        said: What it said.
        region: Its region.
        counted: The numbers of the targets that it is compared with; none where nothing can be compared.
        map: Its score map.
        label: What a reader who does not see the picture is told.
        remarks: What is special about the drawing.
    """

    run: int
    said: Said
    region: Drawn | None
    counted: tuple[int, ...]
    map: MapPicture | None
    label: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One sample that is shown.

    Attributes:
        number: Of its row among all samples.
        row: The sample.
        size_hw: Of the picture, in the photo's pixels.
        photo: The key of its photo in the page, or None.
        absent: Why there is no photo, or None.
        targets: The accepted regions.
        views: One a run.
        places: Where it belongs: gallery, run and rank, as the page's script reads it.
        tags: The same in words.
    """

    number: int
    row: Row
    size_hw: SizeHW
    photo: str | None
    absent: str | None
    targets: tuple[Drawn, ...]
    views: tuple[View, ...]
    places: str
    tags: tuple[str, ...]


def shown_rows(galleries: Sequence[Gallery]) -> list[int]:
    """Returns the numbers of the samples that are shown, each once, in the order of the galleries."""
    return list(dict.fromkeys(row for gallery in galleries for row in gallery.rows))


def cards_of(rows: Sequence[Row], galleries: Sequence[Gallery], album: Album, names: Sequence[str]) -> list[Card]:
    """Returns the cards of the samples that are shown."""
    return [_card(number, rows[number], galleries, album, names) for number in shown_rows(galleries)]


def _card(number: int, row: Row, galleries: Sequence[Gallery], album: Album, names: Sequence[str]) -> Card:
    photo = album.photos.get(row.truth.id)
    size_hw = row.size_hw or (photo.size_hw if photo else None) or _extent(row)
    targets = tuple(drawn(target.shape, size_hw) for target in row.truth.targets)
    belongs = [gallery for gallery in galleries if number in gallery.rows]
    several = len(names) > 1
    return Card(
        number=number,
        row=row,
        size_hw=size_hw,
        photo=photo.key if photo else None,
        absent=album.absent.get(row.truth.id),
        targets=targets,
        views=tuple(_view(row, run, size_hw, targets, names) for run in range(len(names))),
        places=" ".join(f"{g.key}/{'' if g.run is None else g.run}/{g.rows.index(number)}" for g in belongs),
        tags=tuple(
            f"{g.title.lower()} of {names[g.run]}" if several and g.run is not None else g.title.lower()
            for g in belongs
        ),
    )


def _view(row: Row, run: int, size_hw: SizeHW, targets: Sequence[Drawn], names: Sequence[str]) -> View:
    said = row.said[run]
    prediction = said.prediction
    region = drawn(prediction.final.shape, size_hw) if prediction and prediction.final else None
    remarks = [remark for each in [*targets, region] if each for remark in _remarks(each)]
    found = None
    try:
        found = map_picture(prediction.map.load()) if prediction and prediction.map else None
    except FoveateError as error:
        remarks.append(error.problem)
    counted = counting(row.truth, prediction) if region and comparable(row.truth) else ()
    if counted and len(counted) < len(targets):
        remarks.append("of several accepted regions the best counts")
    label = _label(row, said, names[run] if len(names) > 1 else "")
    return View(run, said, region, counted, found, label, tuple(dict.fromkeys(remarks)))


def _remarks(drawn: Drawn) -> list[str]:
    coarse = [f"a mask is drawn coarsely, 1 : {drawn.coarse}"] if drawn.coarse > 1 else []
    return coarse if drawn.problem is None else [*coarse, f"a region is not drawn: {drawn.problem}"]


def _label(row: Row, said: Said, name: str) -> str:
    parts = [f"{name}, " if name else "", f"{row.photo}: "]
    if said.ok and row.grounded:
        parts.append("target and predicted region" + ("" if said.iou is None else f", IoU {short(said.iou)}"))
    elif said.ok:
        parts.append("predicted region; there is no target")
    else:
        parts.append(f"{'target' if row.grounded else 'no target'}; {said.state}")
    return plain(cut("".join(parts), 200))


def _extent(row: Row) -> SizeHW:
    """Returns that of a mask, or one in which all regions have room, where nothing tells that of the photo."""
    shapes: list[TargetShape] = [t.shape for t in row.truth.targets if not isinstance(t.shape, SoftMap)]
    shapes += [said.prediction.final.shape for said in row.said if said.prediction and said.prediction.final]
    masks = [shape.encoded.size_hw for shape in shapes if isinstance(shape, Mask)]
    if masks:
        return masks[0]
    right = max((shape.xyxy[2] for shape in shapes), default=0.0)
    bottom = max((shape.xyxy[3] for shape in shapes), default=0.0)
    if not (right and bottom):
        return _NO_SIZE
    return max(1, round(bottom * 1.05)), max(1, round(right * 1.05))
