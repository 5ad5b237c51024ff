"""The cup's answer file as predictions: `image, left, top, right, bottom`, joined by the image's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from foveate.core.boxes import SizeHW, box_problem
from foveate.core.predictions import Prediction
from foveate.core.regions import Region
from foveate.formats.tables import OnInvalid, Row, refuse
from foveate.formats.toloka_csv import ANSWER_COLUMNS, TolokaRow, read_toloka, row_error


def read_answers(
    path: Path, sizes: Mapping[str, SizeHW | None], on_invalid: OnInvalid = refuse
) -> Iterator[Prediction]:
    """Yields one prediction a row.

    Args:
        path: A CSV with at least the columns of the answer file; `width` and `height` are checked where given.
        sizes: Height and width by sample id, for files that do not tell them.
        on_invalid: Called for a row that cannot be taken. If it returns, a row whose image is known becomes a
            prediction with the status `invalid_output`, so that it counts 0 instead of vanishing.

    Raises:
        InputError: The file is not of this form, or `on_invalid` raises (the default).
    """
    for parsed, row in read_toloka(path, ANSWER_COLUMNS, on_invalid):
        yield _prediction(parsed, row, parsed.size_hw or sizes.get(parsed.image_name), on_invalid)


def _prediction(parsed: TolokaRow, row: Row, size_hw: SizeHW | None, on_invalid: OnInvalid) -> Prediction:
    name = parsed.image_name
    try:
        box = parsed.box()
        problem = box_problem(box.xyxy, size_hw)
        if problem:
            raise ValueError(problem)
    except ValueError as error:
        refusal = row_error(row, name, str(error))
        on_invalid(refusal)
        return Prediction(name, "invalid_output", size_hw=size_hw, reason=str(refusal))
    region = Region(box, 1.0)
    return Prediction(name, "ok", final=region, candidates=(region,), size_hw=size_hw)
