"""Every thing of some kinds in a photo, each once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, box_area
from foveate.core.overlap import box_iou
from foveate.core.regions import Region
from foveate.grounders._pocket.places import SAME_PLACE, sides
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.things import right
from foveate.perception.phrase_book import display_name, phrase_book

# A further thing must be this sure; the first one only as sure as any that is found. Chosen on dev photos of COCO, as
# the next two (design/pocket-closed-answers.md).
ANOTHER = 0.14
# Whether a thing is there, or how many are: right answers on dev photos of COCO are most at .03
# (design/pocket-closed-answers.md). Who asks where a thing is takes it to be there, and is shown what is less sure.
PRESENT = 0.03
# Of a box's area that lies in a better one: a part of that thing, not another.
_INSIDE = 0.75


def instances(seen: Seen, kinds: Sequence[str]) -> tuple[Region, ...]:
    """Returns every thing of some kinds, best first, labelled; one place counts once, as the kind that fits best."""
    names = tuple(phrase_book().things)
    found = np.flatnonzero(np.isin(seen.things.kind, [names.index(kind) for kind in kinds]))
    found = found[seen.things.score[found] >= seen.settings.threshold]
    rows = found[_apart(seen.things.xyxy[found])]
    rows = rows[(np.arange(len(rows)) == 0) | (seen.things.score[rows] >= ANOTHER)]
    scores = right(seen.chances)
    if len(rows) == 1:
        # Boxes are counted by the detector's score; where the one is, their chances tell better.
        rows = found[[scores[found].argmax()]]
    rows = rows[np.argsort(-scores[rows], kind="stable")]
    return tuple(
        Region(
            seen.outline(sides(seen.things.xyxy[row])),
            float(scores[row]),
            display_name(names[seen.things.kind[row]]),
        )
        for row in rows
    )


def surely_there(seen: Seen, kinds: Sequence[str]) -> bool:
    """Returns whether the detector is sure enough of any of some kinds for a "yes" and a number."""
    names = tuple(phrase_book().things)
    of_them = np.isin(seen.things.kind, [names.index(kind) for kind in kinds])
    return bool((seen.things.score[of_them] >= PRESENT).any())


def _apart(xyxy: Boxes) -> list[int]:
    """Returns the rows of boxes, best first, that are neither a part of a better one nor at its place."""
    kept: list[int] = []
    for row in range(len(xyxy)):
        others = xyxy[kept]
        same = box_iou(xyxy[row], others, empty=0.0) >= SAME_PLACE
        if not (same | (_inside(xyxy[row], others) >= _INSIDE)).any():
            kept.append(row)
    return kept


def _inside(xyxy: NDArray[np.float64], others: Boxes) -> NDArray[np.float64]:
    """Returns how much of the smaller of two boxes lies in the larger, ``(N,)``."""
    corner = np.minimum(xyxy[2:], others[:, 2:]) - np.maximum(xyxy[:2], others[:, :2])
    shared = np.clip(corner, 0.0, None).prod(axis=1)
    smaller = np.minimum(box_area(xyxy), box_area(others))
    return np.asarray(shared / smaller)
