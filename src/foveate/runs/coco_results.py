"""Predictions as COCO results: the region with the highest score of an image is final, the others are candidates.

The form joins by number or text, holds no answers, labels or states, and cannot say that there is no region: an image
without an entry is one without a prediction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from foveate.core.boxes import SizeHW, format_box, xyxy_to_xywh
from foveate.core.predictions import Prediction
from foveate.core.regions import Mask, Polygon, Region
from foveate.errors import InputError
from foveate.formats.coco_results import (
    FIX,
    CocoResult,
    ImageId,
    read_image_names,
    read_results,
    refuse_not_finite,
)
from foveate.formats.photo_names import sample_namer
from foveate.formats.tables import OnInvalid, Row, refuse, typed
from foveate.runs._known import Known, on_photo
from foveate.runs._refused import OnRemark, counted, refuse_unheld, unheard
from foveate.sources.new_files import new_file

T = TypeVar("T")
# Whole numbers as everybody writes them, up to those that 64 bits hold.
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
_CATEGORY = 1
# What the form asks for where a method gives no score.
_SURE = 1.0


@dataclass(slots=True)
class _Found:
    """What a file has about one image: its regions with the numbers of their entries, and the first fault."""

    regions: list[tuple[int, Region]] = field(default_factory=list)
    fault: str | None = None
    best: list[tuple[int, Row, CocoResult]] = field(default_factory=list)

    def note(self, number: int, row: Row, entry: CocoResult) -> None:
        """Keeps an entry while none scores higher; one that is word for word the first of them once."""
        if self.best and entry.score > self.best[0][2].score:
            self.best.clear()
        if not self.best or (entry.score == self.best[0][2].score and entry != self.best[0][2]):
            self.best.append((number, row, entry))


def read_coco_results(
    path: Path,
    sizes: Mapping[str, SizeHW | None],
    on_invalid: OnInvalid = refuse,
    *,
    images: Path | None = None,
    known: Known | None = None,
    finals_only: bool = False,
) -> Iterator[Prediction]:
    """Yields one prediction an image, in the order in which the file first names them.

    An `image_id` is the sample's id, as text or as the whole number that it is; what else numbers mean is not guessed.

    Args:
        path: A JSON list of results.
        sizes: Height and width by sample id.
        on_invalid: Called for an entry that cannot be taken. If it returns, its image becomes `invalid_output`, also
            where other entries are sound, since nobody knows which would have been the best. An entry without a usable
            `image_id` may have been the best of any image: it is told and no more, and changes no prediction.
        images: A COCO file whose `images` tell the file name of each number, read as in the cup's tables.
        known: Refuses entries of other samples, which then are passed over; without it they come through.
        finals_only: Only the best region of an image is drawn; of the others corners, runs and numbers are looked at,
            and they are no candidates.

    Raises:
        InputError: The file is not of this form, a number is no sample, or `on_invalid` raises (the default).
    """
    names = {} if images is None else read_image_names(images, sample_namer(sizes))
    found: dict[str, _Found] = {}
    for number, image_id, row in read_results(path, on_invalid):
        try:
            if known:
                known.refuse_other(names.get(image_id, str(image_id)), row.where)
        except InputError as error:
            on_invalid(error)
            continue
        sample = _sample(image_id, row.where, sizes, names, images)
        here = found.setdefault(sample, _Found())
        try:
            entry = _entry_of(row)
            if finals_only:
                _looked_at(row, entry, sizes.get(sample), entry.refuse_beside)
                here.note(number, row, entry)
            else:
                here.regions.append((number, _looked_at(row, entry, sizes.get(sample), entry.region)))
        except InputError as error:
            on_invalid(error)
            here.fault = here.fault or error.fault
    for sample, here in found.items():
        try:
            if here.fault is None:
                for best, row, entry in here.best:
                    here.regions.append((best, _looked_at(row, entry, sizes.get(sample), entry.region)))
                _refuse_tie(here.regions, f"{path}, image {sample}")
        except InputError as error:
            on_invalid(error)
            here.fault = error.fault
        yield _prediction(sample, here, sizes.get(sample))


def write_coco_results(predictions: Iterable[Prediction], out: Path, on_remark: OnRemark = unheard) -> int:
    """Writes COCO results; returns how many predictions.

    Each has its final region and the candidates that score lower. A candidate that scores as high or higher, or has no
    score, is left out, since the form would take it for the final one.

    Args:
        predictions: All that the form is to hold.
        out: The file.
        on_remark: Told which predictions have candidates that were left out, and which a score that was made up.

    Raises:
        InputError: Predictions have no region, which the form cannot say.
        OutputError: The file is there already, or cannot be written.
    """
    given = list(predictions)
    regionless = [p.id for p in given if p.final is None]
    refuse_unheld(
        out,
        [("no region", regionless, "Use the form jsonl, or score the run itself.")],
        "the form has no way to say that",
    )
    numbered = all(_NUMBER.fullmatch(p.id) for p in given)
    written = {p.id: _lower(p) for p in given}
    entries = [_entry(int(p.id) if numbered else p.id, region) for p in given for region in written[p.id]]
    with new_file(out) as file:
        file.write(json.dumps(entries, allow_nan=False).encode("ascii"))
    left_out = [p.id for p in given if len(written[p.id]) < len(p.groundings)]
    if left_out:
        why = "candidates without a score below the final region's"
        on_remark(f"{counted(left_out, f'have {why}', f'has {why}')}; they were left out")
    unrated = [p.id for p in given if p.final is not None and p.final.score is None]
    if unrated:
        on_remark(f"{counted(unrated, 'have no score', 'has no score')}, and the form asks for one; 1 was written")
    return len(given)


def _sample(
    image_id: ImageId,
    where: str,
    sizes: Mapping[str, SizeHW | None],
    names: Mapping[ImageId, str],
    images: Path | None,
) -> str:
    if image_id in names:
        return names[image_id]
    sample = str(image_id)
    if isinstance(image_id, str) or sample in sizes:
        return sample
    if images is not None:
        raise InputError(where, f"{images} has no image of this number", "Give the COCO file that the results are for.")
    own = next(iter(sizes), "(it has none)")
    raise InputError(
        where,
        f"the data set has no sample {sample}; its own are like {own}",
        "Say which photo each number is, with --images and a COCO file that lists them.",
    )


def _entry_of(row: Row) -> CocoResult:
    refuse_not_finite(row)
    return typed(row, CocoResult, FIX)


def _looked_at(row: Row, entry: CocoResult, size_hw: SizeHW | None, look: Callable[[SizeHW | None], T]) -> T:
    try:
        return look(size_hw)
    except ValueError as error:
        told = {"field": "bbox", "expected": on_photo(size_hw)}
        told = {} if entry.bbox is None else {**told, "got": format_box(entry.bbox)}
        raise InputError(row.where, str(error), FIX, **told) from error


def _refuse_tie(regions: list[tuple[int, Region]], where: str) -> None:
    """Refuses two best regions, between which only the order of the file would decide."""
    best = max(_score(region) for _, region in regions)
    first, *others = [(number, region.shape) for number, region in regions if region.score == best]
    rival = next((number for number, shape in others if shape != first[1]), None)
    if rival is not None:
        raise InputError(
            where,
            f"entries {first[0]} and {rival} are two regions with the best score, {best:.10g}",
            "Give the one that is meant a higher score, or pass --skip-invalid.",
        )


def _prediction(sample: str, found: _Found, size_hw: SizeHW | None) -> Prediction:
    if found.fault is not None:
        return Prediction(sample, "invalid_output", size_hw=size_hw, reason=found.fault)
    ordered = tuple(sorted((region for _, region in found.regions), key=_score, reverse=True))
    return Prediction(sample, "ok", final=ordered[0], candidates=ordered, size_hw=size_hw)


def _lower(prediction: Prediction) -> list[Region]:
    final, *others = prediction.groundings
    return [final, *(region for region in others if region.score is not None and region.score < _score(final))]


def _score(region: Region) -> float:
    return _SURE if region.score is None else region.score


def _entry(image_id: ImageId, region: Region) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "image_id": image_id,
        "category_id": _CATEGORY,
        "score": _score(region),
        "bbox": xyxy_to_xywh(region.shape.xyxy).tolist(),
    }
    if isinstance(region.shape, Mask):
        encoded = region.shape.encoded
        entry["segmentation"] = {"size": list(encoded.size_hw), "counts": encoded.counts.decode("ascii")}
    if isinstance(region.shape, Polygon):
        entry["segmentation"] = [[side for point in part for side in point] for part in region.shape.parts]
    return entry
