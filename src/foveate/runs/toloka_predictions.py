"""A file of predictions in the cup's layout: `image, left, top, right, bottom`, joined by id or the photo's name."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.errors import InputError
from foveate.formats.fields import SIDES
from foveate.formats.photo_names import sample_namer
from foveate.formats.tables import OnInvalid, Row, read_rows, refuse, refuse_repeated, typed
from foveate.formats.toloka_csv import ANSWER_COLUMNS, TolokaRow, row_error
from foveate.runs._known import Known, on_photo
from foveate.runs._refused import OnRemark, refuse_unheld, unheard
from foveate.sources.new_files import new_file


def read_predictions(
    path: Path,
    sizes: Mapping[str, SizeHW | None],
    on_invalid: OnInvalid = refuse,
    *,
    known: Known | None = None,
) -> Iterator[Prediction]:
    """Yields one prediction a row; four empty sides are `no_region`.

    Args:
        path: A CSV with at least the official columns. `image` is a sample's id, or the name, path or address of its
            photo (`sample_namer`); `id` is taken instead where it is there, `width` and `height` are checked where
            they are there.
        sizes: Height and width by sample id, for files that do not tell them.
        on_invalid: Called for a row that cannot be taken. If it returns, a row whose sample is known becomes a
            prediction with the status `invalid_output`, so that it counts 0 instead of vanishing.
        known: Refuses rows of other samples, which then are passed over; without it they come through.

    Raises:
        InputError: The file is not of this form, or `on_invalid` raises (the default).
    """
    seen: dict[str, str] = {}
    named = sample_namer(sizes)
    for row in read_rows(path, ANSWER_COLUMNS, on_invalid, tuple(TolokaRow.model_fields)):
        sample = _sample_of(row, named)
        try:
            if sample:
                if known:
                    known.refuse_other(sample, f"{row.where}, {sample}")
                refuse_repeated(sample, row.where, seen)
        except InputError as error:
            on_invalid(error)
            continue
        try:
            yield _prediction(typed(row, TolokaRow), sample, row, sizes.get(sample))
        except InputError as error:
            on_invalid(error)
            if sample:
                yield Prediction(sample, "invalid_output", size_hw=sizes.get(sample), reason=error.fault)


def write_predictions(predictions: Iterable[Prediction], out: Path, _: OnRemark = unheard) -> int:
    """Writes the cup's answer file, one row a prediction; returns how many.

    Raises:
        InputError: Predictions have no region, which the form cannot say, or one that is no box.
        OutputError: The file is there already, or cannot be written.
    """
    given = list(predictions)
    boxes = [(p.id, p.final.shape) for p in given if p.final is not None and isinstance(p.final.shape, Box)]
    regionless = [p.id for p in given if p.final is None]
    masks = [p.id for p in given if p.final is not None and not isinstance(p.final.shape, Box)]
    refuse_unheld(
        out,
        [
            ("no region", regionless, "Use a method that always gives one, or score the run itself."),
            ("a mask", masks, "Use the form vizwiz."),
        ],
        "the form has no way to say that",
    )
    with new_file(out) as file, io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        csv.writer(text).writerows([ANSWER_COLUMNS, *((sample, *box.xyxy) for sample, box in boxes)])
    return len(given)


def _sample_of(row: Row, named: Callable[[str], str]) -> str:
    given = str(row.values.get("id") or "")
    return given if given.strip() else named(str(row.values["image"]))


def _prediction(parsed: TolokaRow, sample: str, row: Row, size_hw: SizeHW | None) -> Prediction:
    size_hw = size_hw or parsed.size_hw
    difference = size_difference(parsed.size_hw, size_hw) if parsed.size_hw and size_hw else None
    if difference:
        raise row_error(row, sample, f"the row is for a photo {difference}", field="width, height")
    if not parsed.has_box:
        return Prediction(sample, "no_region", size_hw=size_hw, reason="The file gives no box.")
    try:
        region = Region(parsed.box(), parsed.score)
        return Prediction(sample, "ok", final=region, candidates=(region,), size_hw=size_hw)
    except ValueError as error:
        given = ", ".join(str(row.values[side]) for side in SIDES)
        told = {"field": ", ".join(SIDES), "expected": on_photo(size_hw), "got": given}
        raise row_error(row, sample, str(error), **told) from error
