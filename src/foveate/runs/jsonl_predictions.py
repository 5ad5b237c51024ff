"""Predictions as lines of JSON: those of a run without its header, or just an id and a region.

`{"id": …, "xyxy": […]}`, or `xywh`, `rle` (COCO's, packed or not) or `polygon` (outlines of `[x, y]`) in its place;
`score`, `label`, `answer`, `answer_score`, `size_hw` where there are such; `{"id": …, "status": "no_region"}` where
there is no region. A run's lines say `final` and `candidates` instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from foveate.core.boxes import SizeHW, format_box, size_difference
from foveate.core.predictions import Prediction, Status, order_problem
from foveate.core.regions import Polygon, Region
from foveate.errors import InputError, did_you_mean
from foveate.formats.json_regions import (
    Corner,
    Four,
    Number,
    RleObject,
    SampleId,
    Score,
    Size,
    box_from_xywh,
    box_from_xyxy,
    check_around,
    id_text,
    outlines_from,
    polygon_from,
)
from foveate.formats.tables import OnInvalid, Row, read_objects, refuse, refuse_repeated, typed
from foveate.runs._known import Known, on_photo
from foveate.runs._refused import OnRemark, counted, refuse_unheld, unheard
from foveate.runs.codec import to_json
from foveate.sources.new_files import new_file

_FIX = "Fix the line, or pass --skip-invalid."
_SHAPES = ("xyxy", "xywh", "rle", "polygon")
# What other files call what we have.
_ELSEWHERE = {
    **dict.fromkeys(("confidence", "conf", "probability", "prob"), "score"),
    **dict.fromkeys(("bbox", "box"), "xywh or xyxy"),
    **dict.fromkeys(("mask", "segmentation"), "rle or polygon"),
    **dict.fromkeys(("image", "image_id", "image_name", "file_name", "question_id"), "id"),
}


def _outlines(value: object) -> object:
    """Refuses one outline where a list of them is needed, in words that show the brackets."""
    inner = value[0] if isinstance(value, list) and value else None
    if isinstance(inner, int | float) or (isinstance(inner, list) and inner and isinstance(inner[0], int | float)):
        raise ValueError("a list of outlines is needed here, each a list of points: [[[x, y], [x, y], [x, y]]]")
    return value


class RegionObject(BaseModel):
    """A region in a line; `xyxy` beside `rle`, as runs have it, is the box around the mask."""

    model_config = ConfigDict(frozen=True)

    xyxy: Four | None = None
    xywh: Four | None = None
    rle: RleObject | None = None
    polygon: Annotated[list[list[Corner]] | None, BeforeValidator(_outlines)] = None
    score: Score | None = None
    label: str | None = None

    @property
    def shapes(self) -> list[str]:
        """The names of the shapes that are given."""
        return [name for name in _SHAPES if getattr(self, name) is not None]

    def region(self, size_hw: SizeHW | None) -> Region:
        """Returns the region.

        Raises:
            ValueError: It has no shape or several, or one that does not fit the photo.
        """
        if len(self.shapes) != 1 and self.shapes != ["xyxy", "rle"]:
            raise ValueError(f"a region is one of {', '.join(_SHAPES)}; here is {' and '.join(self.shapes) or 'none'}")
        if self.rle is not None:
            mask = self.rle.mask(size_hw)
            if self.xyxy is not None:
                check_around(self.xyxy, mask.xyxy)
            return Region(mask, self.score, self.label)
        if self.polygon is not None:
            return Region(polygon_from(self.polygon, size_hw)[0], self.score, self.label)
        if self.xywh is not None:
            return Region(box_from_xywh(self.xywh, size_hw), self.score, self.label)
        return Region(box_from_xyxy(self.xyxy or (0, 0, 0, 0), size_hw), self.score, self.label)

    def refuse_beside(self, size_hw: SizeHW | None) -> None:
        """Refuses what is wrong with a region that is only a candidate; outlines are not drawn for that.

        Raises:
            ValueError: As of `region`, but for outlines that cover no pixel.
        """
        if self.shapes == ["polygon"]:
            outlines_from(self.polygon or [], size_hw)
        else:
            self.region(size_hw)


class PredictionLine(RegionObject):
    """A line."""

    id: SampleId
    status: Status | None = None
    answer: str | None = None
    answer_score: Score | None = None
    final: RegionObject | None = None
    candidates: list[RegionObject] | None = None
    size_hw: Size | None = None
    seconds: Number = 0.0
    reason: str | None = None
    map: Any = None

    def prediction(self, size_hw: SizeHW | None, *, finals_only: bool = False) -> Prediction:
        """Returns the prediction.

        Args:
            size_hw: Height and width of the photo, where the data set tells them.
            finals_only: Candidates are looked at and left out.

        Raises:
            ValueError: The keys do not go together, or a region does not fit the photo.
        """
        difference = size_difference(self.size_hw, size_hw) if self.size_hw and size_hw else None
        if difference:
            raise ValueError(f"the line is for a photo {difference}")
        if self.map is not None:
            raise ValueError("it names a score map, which only the folder of its run has; score the run itself")
        size_hw = size_hw or self.size_hw
        final = self._final(size_hw)
        if final is None and self.status is None:
            raise ValueError("it has neither a region (xyxy, xywh, rle or polygon) nor a status (no_region, say)")
        status = self.status or "ok"
        considered = self._considered(size_hw, finals_only)
        return Prediction(
            self.id,
            status,
            answer=self.answer,
            answer_score=self.answer_score,
            final=final,
            candidates=considered if considered is not None else (final,) if final else (),
            size_hw=size_hw,
            seconds=self.seconds,
            reason=self.reason if status == "ok" else self.reason or "The file gives no reason.",
        )

    def _considered(self, size_hw: SizeHW | None, finals_only: bool) -> tuple[Region, ...] | None:
        if self.candidates is None or not finals_only:
            return None if self.candidates is None else tuple(other.region(size_hw) for other in self.candidates)
        for other in self.candidates:
            other.refuse_beside(size_hw)
        problem = order_problem([other.score for other in self.candidates])
        if problem:
            raise ValueError(problem)
        return ()

    def _final(self, size_hw: SizeHW | None) -> Region | None:
        own = [*self.shapes, *(name for name in ("score", "label") if getattr(self, name) is not None)]
        if self.final is not None:
            if own:
                raise ValueError(f"it has final and also {' and '.join(own)}; a region is given in one place")
            return self.final.region(size_hw)
        if not own:
            return None
        if len(self.shapes) != 1:
            # Two ways might be two regions, and a score of none is a misplaced one.
            raise ValueError(f"it has {' and '.join(own)}; a region is one of {', '.join(_SHAPES)}")
        return self.region(size_hw)


def read_jsonl(
    path: Path,
    sizes: Mapping[str, SizeHW | None],
    on_invalid: OnInvalid = refuse,
    *,
    known: Known | None = None,
    finals_only: bool = False,
) -> Iterator[Prediction]:
    """Yields one prediction a line.

    Args:
        path: A file of JSON lines, UTF-8.
        sizes: Height and width by sample id; a line may tell them itself, as `size_hw`.
        on_invalid: Called for a line that cannot be taken. If it returns, a line whose sample is known becomes a
            prediction with the status `invalid_output`; it keeps its answer, which has nothing to do with regions.
        known: Refuses lines of other samples, which then are passed over; without it they come through.
        finals_only: Candidates are looked at, but not drawn, and left out.

    Raises:
        InputError: The file is not of this form, or `on_invalid` raises (the default).
    """
    seen: dict[str, str] = {}
    for row in read_objects(path, on_invalid):
        if "foveate_run" in row.values:
            raise InputError(row.where, "this is the header of a run", "Score the run itself, without --dataset.")
        try:
            sample = _sample_of(row)
            if known:
                known.refuse_other(sample, f"{row.where}, {sample}")
            refuse_repeated(sample, row.where, seen)
        except InputError as error:
            on_invalid(error)
            continue
        try:
            yield _prediction(Row(row.values, f"{row.where}, {sample}"), sizes.get(sample), finals_only)
        except InputError as error:
            on_invalid(error)
            yield _invalid(sample, row.values, sizes.get(sample), error.fault)


def write_jsonl(predictions: Iterable[Prediction], out: Path, on_remark: OnRemark = unheard) -> int:
    """Writes a run's lines without its header; returns how many.

    Args:
        predictions: All that the form is to hold.
        out: The file.
        on_remark: Told which predictions have a score map, which stays in the run's folder.

    Raises:
        InputError: A region is a polygon, whose mask depends on the photo.
        OutputError: The file is there already, or cannot be written.
    """
    given = list(predictions)
    angular = [p.id for p in given if any(isinstance(region.shape, Polygon) for region in p.groundings)]
    refuse_unheld(out, [("a polygon", angular, "Give its mask.")], "the form has masks in its place")
    with new_file(out) as file:
        for prediction in given:
            file.write(to_json(prediction).encode("utf-8", "backslashreplace") + b"\n")
    mapped = [p.id for p in given if p.map is not None]
    if mapped:
        on_remark(f"{counted(mapped, 'have a score map', 'has a score map')}; score maps stay with the run")
    return len(given)


def _sample_of(row: Row) -> str:
    if "id" not in row.values:
        raise InputError(row.where, "id is missing", _FIX)
    try:
        return id_text(row.values["id"])
    except ValueError as error:
        raise InputError(row.where, f"id is {row.values['id']!r}; {error}", _FIX) from error


def _prediction(row: Row, size_hw: SizeHW | None, finals_only: bool) -> Prediction:
    _refuse_unknown(row.values, PredictionLine, row.where)
    inner = row.values.get("candidates")
    for values in (row.values.get("final"), *(inner if isinstance(inner, list) else ())):
        if isinstance(values, dict):
            _refuse_unknown(values, RegionObject, row.where)
    try:
        return typed(row, PredictionLine, _FIX).prediction(size_hw, finals_only=finals_only)
    except ValueError as error:
        raise InputError(row.where, str(error), _FIX, **_box_of(row.values, size_hw)) from error


def _box_of(values: Mapping[str, Any], size_hw: SizeHW | None) -> dict[str, str]:
    """Returns the box of a line that is not taken, for whoever shows its parts; nothing where it has none."""
    inner = values.get("final")
    for line in (values, inner if isinstance(inner, dict) else {}):
        for name in ("xyxy", "xywh"):
            if line.get(name) is not None:
                return {"field": name, "expected": on_photo(size_hw), "got": format_box(line[name])}
    return {}


def _invalid(sample: str, values: Mapping[str, Any], size_hw: SizeHW | None, reason: str) -> Prediction:
    """Returns what is left of a line that is not valid: the answer and its score, each where it is one."""
    answer, score = values.get("answer"), values.get("answer_score")
    sure = isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1
    return Prediction(
        sample,
        "invalid_output",
        answer=answer if isinstance(answer, str) else None,
        answer_score=score if sure else None,
        size_hw=size_hw,
        reason=reason,
    )


def _refuse_unknown(values: Mapping[str, Any], form: type[BaseModel], where: str) -> None:
    """Refuses keys that are not known, since a misspelt one would be lost."""
    for name in values:
        if name not in form.model_fields:
            plain = name.strip().lower()
            meant = _ELSEWHERE.get(plain)
            remedy = f"Did you mean {meant}?" if meant else did_you_mean(plain, form.model_fields)
            raise InputError(where, f"there is no key {name}", remedy)
