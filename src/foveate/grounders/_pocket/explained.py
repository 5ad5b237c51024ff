"""A finding as what people are told when they ask why, and the map that goes with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.explanations import Evidence, Explanation
from foveate.core.regions import Sides
from foveate.core.soft_maps import SoftMap
from foveate.grounders._pocket.finding import Finding, as_evidence
from foveate.grounders._pocket.places import sides
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.things import main_boxes
from foveate.perception.phrase_book import display_name
from foveate.perception.propose import kinds
from foveate.perception.spot_things import names_of_things

# Cells along the longer side of a map that is made of boxes.
_CELLS = 96
_BOXES = "how likely each place shows what was looked for ({}), by the detector's boxes"
_NAMES = 'how likely each place is named "{}" by itself'
_TEXT = "how sure the reader is of the text at each place"
_SALIENT = "how much each place stands out"
_BESIDE = "how much each place stands out, which had no part in the answer"


def explanation(seen: Seen, found: Finding) -> Explanation:
    """Returns what a finding rests on; where it found nothing, what is surely there instead, if that was looked at."""
    others = found.considered
    if not (found.regions or others) and seen.looked_for_things:
        others = tuple(map(as_evidence, main_boxes(seen)))
    return Explanation(found.evidence, others, found.refusal)


def map_of(seen: Seen, told: Explanation) -> tuple[SoftMap, str]:
    """Returns how strongly each place counted for an answer, or for looking in vain, and what that means.

    Of a thing that the detector knows it is made of all its boxes, also of those that were too faint; of a name beyond
    these of the names at each place; of text of its lines. All else is shown with what stands out.
    """
    first = told.rests_on[0] if told.rests_on else None
    if first and first.kind == "salient":
        return seen.tokens.saliency, _SALIENT
    if first and first.kind == "text":
        return _painted([(line.xyxy, line.score) for line in seen.lines], seen.size_hw), _TEXT
    names = [told.refusal.looked_for] if told.refusal else [each.said for each in told.rests_on if _is_named(each)]
    for name in filter(None, names):
        found = _of_kind(seen, name) or _of_name(seen, name)
        if found:
            return found
    if any(each.kind == "salient" for each in told.rests_on):
        return seen.tokens.saliency, _SALIENT
    return seen.tokens.saliency, _BESIDE


def _is_named(evidence: Evidence) -> bool:
    return evidence.kind in {"thing", "name"}


def _of_kind(seen: Seen, name: str) -> tuple[SoftMap, str] | None:
    rows = [row for row, kind in enumerate(kinds()) if display_name(kind) == name]
    if not rows:
        return None
    own = np.flatnonzero(np.isin(seen.things.kind, rows))
    boxes = [(sides(seen.things.xyxy[row]), float(seen.chances[row])) for row in own]
    return _painted(boxes, seen.size_hw), _BOXES.format(name)


def _of_name(seen: Seen, name: str) -> tuple[SoftMap, str] | None:
    rows = next((rows for thing, rows in names_of_things().items() if display_name(thing) == name), None)
    if rows is None:
        return None
    chances: NDArray[np.float32] = seen.names.chances[rows].sum(0)
    return SoftMap.over(np.clip(chances, 0.0, 1.0), seen.size_hw), _NAMES.format(name)


def _painted(boxes: Iterable[tuple[Sequence[float] | Sides, float]], size_hw: SizeHW) -> SoftMap:
    """Returns boxes as a map: each cell that one touches has the highest of their scores."""
    height, width = size_hw
    per_pixel = _CELLS / max(size_hw)
    values = np.zeros((max(round(height * per_pixel), 1), max(round(width * per_pixel), 1)), dtype=np.float32)
    down, across = values.shape[0] / height, values.shape[1] / width
    for (x0, y0, x1, y1), score in boxes:
        rows = slice(int(y0 * down), max(int(np.ceil(y1 * down)), int(y0 * down) + 1))
        columns = slice(int(x0 * across), max(int(np.ceil(x1 * across)), int(x0 * across) + 1))
        values[rows, columns] = np.maximum(values[rows, columns], score)
    return SoftMap.over(values, size_hw)
