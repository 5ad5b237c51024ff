"""Where in a photo a thing is that the detector does not know: the places at which EfficientNet-Lite2 names it.

A network that names the main thing of a photo scores each place and takes the mean; before the mean the scores tell
where. They are coarse, 16 places on a side, and follow the telling part of a thing rather than its outline.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.perception.plain_names import plain_names
from foveate.perception.sessions import run

Sides = tuple[float, float, float, float]
STRIDE = 32
# As if the photo were a square of this side: 16 x 16 places.
SIDE = 512
_FEWEST, _MOST_IN_A_ROW = 2, 48
_FINER = 4
_LEAST = 1e-9


@dataclass(frozen=True, eq=False)
class NameMap:
    """How likely ImageNet's names are at each place of a photo.

    Attributes:
        chances: ``float32 (1000, h, w)``, from top left; over the names they sum to 1 at each place.
        size_hw: Of the upright photo, which the places cover from edge to edge.
    """

    chances: NDArray[np.float32]
    size_hw: SizeHW

    def __post_init__(self) -> None:
        if self.chances.ndim != 3 or len(self.chances) != len(plain_names()):
            raise ValueError(f"there are {len(plain_names())} names at (h, w) places, not {self.chances.shape}")
        self.chances.setflags(write=False)


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a thing.

    Attributes:
        xyxy: The box around it, upright pixels, inside the photo.
        score: How likely it is there: the best chance at any place, 0 to 1, not calibrated.
    """

    xyxy: Sides
    score: float


@lru_cache(maxsize=1)
def names_of_things() -> Mapping[str, NDArray[np.intp]]:
    """Returns the things of the phrase book that can be spotted, each with the places of its names in ImageNet's."""
    places = defaultdict(list)
    for place, name in enumerate(plain_names().values()):
        if name.thing:
            places[name.thing].append(place)
    return {thing: np.array(rows) for thing, rows in places.items()}


def map_names(image: NDArray[np.uint8], *, side: int = SIDE) -> NameMap:
    """Returns the names at each place of a photo.

    The photo is resized to the area of a square of `side`, in its own proportions as near as multiples of 32 allow.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.
        side: Pixels.
    """
    import cv2

    height, width = image.shape[:2]
    stretch = (height / width) ** 0.5
    counts = (round(side * factor / STRIDE) for factor in (1 / stretch, stretch))
    target_wh = tuple(STRIDE * min(max(count, _FEWEST), _MOST_IN_A_ROW) for count in counts)
    shrinks = target_wh[0] < width
    resized = cv2.resize(image, target_wh, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    # As in `name_things`.
    pixels = (np.asarray(resized, dtype=np.float32) - 127) / 128
    scores = run("efficientnet_lite2_places", np.ascontiguousarray(pixels.transpose(2, 0, 1)[None]))[0]
    powers = np.exp(scores - scores.max(0))
    return NameMap(powers / powers.sum(0), (height, width))


def spot_thing(names: NameMap, thing: str) -> Spot | None:
    """Returns where a thing is likeliest and how likely it is there at all; None for one that ImageNet does not have.

    The box is that of the places around the best one at which the chance, as a logarithm, is nearer to the best than
    to the middle of the photo's; at least that place.

    Args:
        names: Of the photo.
        thing: The name in the phrase book.
    """
    import cv2

    rows = names_of_things().get(thing)
    if rows is None:
        return None
    chance = np.log(np.maximum(names.chances[rows].sum(0), _LEAST))
    height, width = chance.shape
    row, column = (_FINER * int(place) for place in np.unravel_index(int(chance.argmax()), chance.shape))
    fine = np.asarray(cv2.resize(chance, (width * _FINER, height * _FINER), interpolation=cv2.INTER_CUBIC))
    near = fine >= (fine.max() + np.median(chance)) / 2
    near[row : row + _FINER, column : column + _FINER] = True
    _, labels, stats, _ = cv2.connectedComponentsWithStats(near.astype(np.uint8))
    left, top, wide, high = stats[labels[row, column], :4].tolist()
    to_x, to_y = names.size_hw[1] / fine.shape[1], names.size_hw[0] / fine.shape[0]
    sides = (left * to_x, top * to_y, (left + wide) * to_x, (top + high) * to_y)
    return Spot(sides, float(min(np.exp(chance.max()), 1.0)))
