"""The sign that text gives: the answer is written in the photo, and not in the target."""

from __future__ import annotations

from pathlib import Path

from foveate.analysis.analyze import analyze_data
from foveate.analysis.photo_work import Settings
from foveate.analysis.text_in_evidence import fuzzy, read_evidence, verdicts
from foveate.datasets._open import Dataset
from foveate.evaluation._audit_labels import Sign
from foveate.execution.ground import RunProgress

# The words of an answer stand elsewhere by chance too ("red", "no").
_STRENGTH = 0.4


def text_signs(
    data: Dataset, *, workers: int = 1, cache: Path | None = None, progress: RunProgress | None = None
) -> dict[str, list[Sign]]:
    """Returns the signs by id, of photos that are at hand.

    Args:
        data: The data set.
        workers: Processes that read photos.
        cache: Where what was read is kept, as `foveate analyze --text` keeps it.
        progress: Is told how far it is.

    Raises:
        FoveateError: What was read cannot be kept, or the reader does not work.
    """
    analysis = analyze_data(data)
    images = {query.image_name: query.image for query in data.queries(with_images=True)}
    found = read_evidence(data, analysis, images, Settings(workers, cache), progress=progress)
    told = verdicts(found, analysis, fuzzy)
    signs: dict[str, list[Sign]] = {}
    for place, row in enumerate(told.rows.tolist()):
        if told.in_photo[place] and not told.in_region[place]:
            why = f'the answer "{analysis.columns.answers[row]}" is written in the photo, and not in the target'
            signs[analysis.columns.ids[row]] = [Sign("answer_elsewhere", _STRENGTH, why)]
    return signs
