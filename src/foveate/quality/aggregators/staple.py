"""The pixels that people probably marked rightly, each person trusted as far as they agree with all: STAPLE."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Shape, Sides
from foveate.core.rle import MaskArray, Rle, area, merge, tight_box
from foveate.errors import UsageError
from foveate.formats._optional import needed
from foveate.quality.aggregators._cases import Case, outline, outlines
from foveate.quality.aggregators._pixels import Window, as_shape, placed, unanimous, unfolded
from foveate.quality.drawings import Drawing, masks

CARD = AggregatorCard(
    name="staple",
    title="What is probably right, by how far each person can be trusted (STAPLE)",
    summary="Every pixel that is more likely inside than not, where each person counts by a hit rate and a false alarm "
    "rate that are estimated together with the region.",
    reference="Warfield, Zou, Wells, IEEE Transactions on Medical Imaging 23(7), 2004: STAPLE; by SimpleITK's filter.",
    takes=("box", "mask"),
    gives="mask",
    fewest=3,
    settings={
        "margin": "how far beyond the box around all drawings pixels count, as a share of its sides; a large one "
        "takes the whole photo",
        "rounds": "how many rounds of the estimation there are at most",
        "most": "how many megapixels are looked at in all, those that count times the drawings; more is refused, as "
        "each takes a third to half a second",
    },
    limits="The more background counts, the more everybody is right nearly everywhere, and the more the region grows "
    "towards the union of all. People who agree in a mistake are trusted for it. Where people share too little, "
    "nothing is likely, and there is no region.",
    extra="aggregation",
)

_MOST_ROUNDS = 2**32 - 1  # What the filter can count.
TWO_AND_ONE = outlines((2, 2, 10, 8), (2, 2, 10, 8), (3, 3, 10, 8))
CASES = (
    Case("two who agree and one a little smaller", TWO_AND_ONE, outline(2, 2, 10, 8)),
    Case("everybody alike", outlines((2, 2, 10, 8), (2, 2, 10, 8)), outline(2, 2, 10, 8)),
)


def aggregate(
    drawings: Sequence[Drawing], size_hw: SizeHW, *, margin: float = 0.25, rounds: int = 100, most: float = 100.0
) -> Shape | None:
    """Returns the pixels that are more likely inside than not; None where there are none.

    Raises:
        UnavailableError: SimpleITK is not installed.
        UsageError: More pixels count than `most`.

    References:
        Warfield, Zou, Wells 2004; `itk::STAPLEImageFilter` (the prior of a pixel is the share of all marks that are 1).
    """
    # Asked for first, so that it does not depend on the drawings whether it is missed.
    sitk = needed("SimpleITK", "rule staple", "aggregation")
    same = unanimous(drawings)
    if same is not None:
        return same
    # In an order of their own, so that sums are rounded alike whoever comes first.
    rles = sorted(masks(drawings, size_hw), key=lambda rle: rle.counts)
    whole = merge(rles)
    # Where all marked the same pixels there is nothing to estimate, and the filter divides by 0 without background.
    if area(whole) == area(merge(rles, intersect=True)):
        return as_shape(whole)
    window = _window(whole, margin)
    _refuse_more(window, len(rles), most)
    chances = _chances(sitk, [unfolded(rle, window) for rle in rles], rounds)
    return as_shape(placed(chances > 0.5, window, size_hw))


def _window(whole: Rle, margin: float) -> Window:
    """Returns the box around a mask with a margin, within the photo."""
    height, width = whole.size_hw
    x0, y0, x1, y1 = cast(Sides, tight_box(whole))  # It has a pixel, or all would be alike.
    share = min(margin, float(max(height, width)))  # More than that is the whole photo as well.
    across, down = math.ceil(share * (x1 - x0)), math.ceil(share * (y1 - y0))
    return max(0, int(x0) - across), max(0, int(y0) - down), min(width, int(x1) + across), min(height, int(y1) + down)


def _refuse_more(window: Window, drawings: int, most: float) -> None:
    x0, y0, x1, y1 = window
    pixels = (x1 - x0) * (y1 - y0)
    if pixels * drawings > most * 1e6:
        problem = (
            f"{drawings:,} drawings of {pixels / 1e6:,.1f} megapixels are more than the {most:g} that it may look at"
        )
        remedy = f"Take majority, which is quick on any photo, or say --set most={math.ceil(pixels * drawings / 1e6)}."
        raise UsageError("rule staple", problem, remedy)


def _chances(sitk: Any, stack: Sequence[MaskArray], rounds: int) -> NDArray[np.float64]:
    """Returns how likely each pixel is inside ``float64 (H, W)``."""
    staple = sitk.STAPLEImageFilter()
    staple.SetForegroundValue(1.0)
    staple.SetMaximumIterations(min(rounds, _MOST_ROUNDS))
    images = [sitk.GetImageFromArray(mask.astype(np.uint8)) for mask in stack]
    return np.asarray(sitk.GetArrayFromImage(staple.Execute(images)), dtype=np.float64)
