"""Samples as VizWiz-VQA-Grounding is published: a JSON of one record a photo, and the masks as PNG.

A folder: `SPLIT_grounding.json` and `binary_masks_png/SPLIT/NAME.png`. Which rule made the official masks is not known;
here a pixel belongs to a region when its centre lies inside (design/rasterisation.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from foveate.core.boxes import SizeHW
from foveate.core.polygons import as_corners, polygon_area
from foveate.core.queries import Query
from foveate.core.regions import Mask
from foveate.core.rle import area, decode
from foveate.core.truths import Target, TargetShape, Truth
from foveate.errors import InputError
from foveate.formats._drawn import rings
from foveate.formats._json_files import write_object
from foveate.formats._losses import LEFT_OUT, OF_REGIONS
from foveate.formats._places import is_file
from foveate.formats._sample_forms import FIX, Form, Reading, Sample
from foveate.formats.mask_png import mask_png, read_mask_png
from foveate.formats.vizwiz_json import read_vizwiz

MASKS = "binary_masks_png"
SPLITS = ("train", "val", "test")


def vizwiz_form(split: str = "val") -> Form:
    """Returns the form for one split, by whose name its files are called."""
    title = "VizWiz-VQA-Grounding (a folder: JSON and PNG masks)"
    return Form("vizwiz", title, _reader(split), _writer(split), photos=split, lost=_LOST)


_OUTLINE = "the mask holds it, the JSON its largest outline without holes"
_LOST = {
    **OF_REGIONS,
    "several_regions": "the first one is written",
    "box": "it becomes the polygon of its corners",
    "parts": _OUTLINE,
    "mask": _OUTLINE,
    "soft_map": f"of the places of at least one half {_OUTLINE}",
    "annotator": LEFT_OUT,
    "unnamed_region": "its answer is the first one of the sample, or empty",
    "no_poll": "they read as votes",
    "own_id": "the photo's name takes its place",
}
# All answers are in it, as votes.
del _LOST["poll"], _LOST["other_answers"]


def _reader(split: str) -> Callable[[Path, Reading], Iterator[Sample]]:
    def read(path: Path, reading: Reading) -> Iterator[Sample]:
        """Yields the samples of a folder; where there is a mask it is the target, as in the data set."""
        for name, record, polygon in read_vizwiz(path / f"{split}_grounding.json", reading.on_invalid):
            file = path / MASKS / split / f"{Path(name).stem}.png"
            shape = Mask(read_mask_png(file, record.size_hw)) if is_file(file) else polygon
            answer = record.most_common_answer or None
            targets = (Target(shape, answer, outline=polygon if shape is not polygon else None),) if shape else ()
            query = Query(name, name, None, record.question, record.size_hw)
            yield Sample(query, Truth(name, record.answers, targets, "single", bool(targets), record.size_hw))

    return read


def _writer(split: str) -> Callable[[Iterable[Sample], Path], int]:
    def write(samples: Iterable[Sample], path: Path) -> int:
        """Writes a new folder; returns how many samples have a region, which are kept."""
        path.mkdir()
        records: dict[str, Any] = {}
        owners: dict[Path, str] = {}
        for sample in samples:
            if not sample.truth.targets:
                continue
            name, size_hw = sample.query.image_name, _size(sample)
            if name in records:
                problem = "two questions are about this photo, and the form holds one record a photo"
                raise InputError(f"{name}, {sample.query.id}", problem, "Write jsonl, or leave one of them out.")
            records[name] = _record(sample, size_hw)
            mask = sample.truth.targets[0].shape.rle(size_hw)
            if area(mask) == 0:
                raise InputError(sample.query.id, "its region covers the middle of no pixel", FIX)
            try:
                pixels = decode(mask)
            except ValueError as error:
                raise InputError(sample.query.id, str(error), "Write jsonl, or leave it out.") from error
            _mask_file(path / MASKS / split, name, owners).write_bytes(mask_png(pixels))
        write_object(records, path / f"{split}_grounding.json")
        return len(records)

    return write


def _mask_file(folder: Path, name: str, owners: dict[Path, str]) -> Path:
    file = folder / f"{Path(name).stem}.png"
    owner = owners.setdefault(file, name)
    if owner != name:
        raise InputError(name, f"its mask would be the one of {owner}", "Give the two photos different names.")
    folder.mkdir(parents=True, exist_ok=True)
    return file


def _record(sample: Sample, size_hw: SizeHW) -> dict[str, Any]:
    target = sample.truth.targets[0]
    answers = list(sample.truth.answers)
    ring = _outline(target.shape, size_hw)
    return {
        "width": size_hw[1],
        "height": size_hw[0],
        "question": sample.query.question,
        "answers": answers,
        "most_common_answer": target.answer or (answers[0] if answers else ""),
        # Closed, as in the official files: the first point is the last one again.
        "answer_grounding": [{"x": x, "y": y} for x, y in [*ring, ring[0]]],
    }


def _outline(shape: TargetShape, size_hw: SizeHW) -> list[tuple[float, float]]:
    return max(rings(shape, size_hw), key=lambda ring: polygon_area(as_corners(ring)))


def _size(sample: Sample) -> SizeHW:
    if sample.query.size_hw is None:
        raise InputError(sample.query.id, "the size of its photo is not known", "State it, or give the photos.")
    return sample.query.size_hw
