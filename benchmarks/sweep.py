"""How long it takes to cut score maps at 19 thresholds, beside a mask and its IoU for each threshold.

Maps of 14 x 14 on photos of 1,224 x 1,632, as phones send them to VizWiz; targets are polygons. Both
give the same IoUs.

Run: python benchmarks/sweep.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.overlap import mask_iou
from foveate.core.regions import Polygon
from foveate.core.rle import encode
from foveate.core.soft_maps import SoftMap
from foveate.evaluation._cuts import overlaps_at
from foveate.evaluation.sweep import THRESHOLDS

SIZE, MAPS = (1632, 1224), 20
Work = Callable[[SoftMap, Polygon], NDArray[np.float64]]


def main() -> None:
    """Prints the table."""
    rng = np.random.default_rng(0)
    samples = [(SoftMap.over(rng.random((14, 14)), SIZE), _target(rng)) for _ in range(MAPS)]
    once, ours = _timed(_once, samples)
    each, theirs = _timed(_each, samples)
    difference = max(float(np.abs(a - b).max()) for a, b in zip(ours, theirs, strict=True))
    print(f"{MAPS} maps, {len(THRESHOLDS)} thresholds, ms a map")
    print(f"levels counted once {1e3 * once / MAPS:8.1f}")
    print(f"a mask a threshold  {1e3 * each / MAPS:8.1f}   {each / once:.1f} times as long")
    print(f"largest difference of an IoU: {difference:.1e}")


def _target(rng: np.random.Generator) -> Polygon:
    x, y = rng.uniform(0, 600, 2).tolist()
    return Polygon((((x, y), (x + 500, y + 40), (x + 600, y + 700), (x + 100, y + 900)),))


def _once(soft: SoftMap, target: Polygon) -> NDArray[np.float64]:
    return overlaps_at(soft.on(SIZE), [target], THRESHOLDS)


def _each(soft: SoftMap, target: Polygon) -> NDArray[np.float64]:
    rle, values = target.rle(SIZE), soft.on(SIZE)
    masks = [encode(values >= threshold) for threshold in THRESHOLDS]
    return mask_iou(masks, [rle] * len(masks), empty=0.0)


def _timed(work: Work, samples: Sequence[tuple[SoftMap, Polygon]]) -> tuple[float, list[NDArray[np.float64]]]:
    started = time.process_time()
    found = [work(soft, target) for soft, target in samples]
    return time.process_time() - started, found


if __name__ == "__main__":
    main()
