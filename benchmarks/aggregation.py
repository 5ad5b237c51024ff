"""Aggregators on real targets drawn again by simulated people: how near each comes to the original, and how long.

A simulation: the targets are real (VizWiz-VQA-Grounding, validation), the people are not. Each moves every corner of
the outline at random. What real people do, who overlook parts and mean other things, is not in it.

    python -m benchmarks.aggregation ../shared/data/vizwiz [--every 4] [--seed 0] [--without staple]
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate import plugins
from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.polygons import as_corners, clip_corners, is_flat
from foveate.core.regions import Polygon
from foveate.core.rle import Rle, decode
from foveate.datasets._open import open_dataset
from foveate.quality.aggregation import aggregator
from foveate.quality.drawings import Drawing

Corners = NDArray[np.float64]
Person = Callable[[Corners, np.random.Generator], Corners]


def shaky(share: float, shift: float = 0.0, grow: float = 1.0) -> Person:
    """Returns a person whose corners stray, as a share of the region's size (the root of its box's area).

    Args:
        share: Standard deviation of each coordinate of each corner.
        shift: The same of the whole outline.
        grow: By what factor the outline is drawn too large, about its middle.
    """

    def draw(corners: Corners, rng: np.random.Generator) -> Corners:
        size = float(np.sqrt(np.prod(np.ptp(corners, axis=0))))
        middle = corners.mean(axis=0)
        moved = rng.normal(0, share * size, corners.shape) + rng.normal(0, shift * size, 2)
        return np.asarray(middle + grow * (corners - middle) + moved)

    return draw


CAREFUL, LOOSE, CARELESS, WIDE = shaky(0.03), shaky(0.08), shaky(0.25, 0.25), shaky(0.03, grow=1.15)
GROUPS: dict[str, Sequence[Person]] = {
    "2 careful": [CAREFUL] * 2,
    "5 careful": [CAREFUL] * 5,
    "5 loose": [LOOSE] * 5,
    "3 careful, 2 careless": [CAREFUL, CARELESS, CAREFUL, CARELESS, CAREFUL],
    "5 draw 15 % too large": [WIDE] * 5,
}


def samples(root: Path, every: int) -> Iterator[tuple[Corners, SizeHW]]:
    """Yields the outlines of the validation targets with their photos' sizes."""
    for number, truth in enumerate(open_dataset("vizwiz_grounding:val", root).truths()):
        shape = truth.targets[0].outline or truth.targets[0].shape
        if number % every == 0 and isinstance(shape, Polygon) and truth.size_hw:
            yield as_corners(shape.parts[0]), truth.size_hw


def drawings(corners: Corners, size: SizeHW, group: Sequence[Person], rng: np.random.Generator) -> list[Drawing]:
    """Returns what a group draws, within the photo; who comes first is drawn too."""
    found = []
    for number in rng.permutation(len(group)):
        drawn = clip_corners(group[number](corners, rng), size)
        # What a page would refuse is drawn once more.
        while is_flat(drawn):
            drawn = clip_corners(group[number](corners, rng), size)
        found.append(Drawing(Polygon((tuple((x, y) for x, y in drawn.tolist()),)), f"person-{number}"))
    return found


def measure(root: Path, every: int, seed: int, names: Sequence[str]) -> None:
    """Prints the mean IoU with the original target of each rule and group, and the seconds a sample."""
    real = list(samples(root, every))
    rules = {name: aggregator(name) for name in names}
    pixels = np.array([height * width for _, (height, width) in real])
    print(f"{len(real)} targets, photos of {np.median(pixels) / 1e6:.1f} megapixels (median), seed {seed}")
    print(f"{'rule':<16}" + "".join(f"{group:>24}" for group in GROUPS) + f"{'ms a sample':>14}")
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    seconds: dict[str, list[float]] = defaultdict(list)
    for group, people in GROUPS.items():
        rng = np.random.default_rng(seed)
        for corners, size in real:
            true = Polygon((tuple((x, y) for x, y in clip_corners(corners, size).tolist()),))
            drawn = drawings(corners, size, people, rng)
            for name, rule in rules.items():
                begun = time.perf_counter()
                found = rule.region(drawn, size)
                seconds[name].append(time.perf_counter() - begun)
                # A rule that gives boxes is compared with the target's box.
                boxed = rule.card.gives == "box"
                score = 0.0
                if found is not None and boxed:
                    score = box_iou(found.xyxy, true.xyxy, empty=0.0).item()
                elif found is not None:
                    score = mask_iou([found.rle(size)], [true.rle(size)], empty=0.0).item()
                scores[name, group].append(score)
    for name in rules:
        cells = "".join(f"{np.mean(scores[name, group]):>24.4f}" for group in GROUPS)
        print(f"{name:<16}{cells}{1000 * np.mean(seconds[name]):>14.1f}")


def against_crowd_kit(seed: int, size: SizeHW = (1732, 2309)) -> None:
    """Prints how long a majority of five takes on a photo of four megapixels, by us and by crowd-kit."""
    import pandas as pd
    from crowdkit.aggregation import SegmentationMajorityVote

    rng = np.random.default_rng(seed)
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    corners = np.array([1100, 860]) + 600 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    drawn = drawings(corners, size, [CAREFUL] * 5, rng)
    rles: list[Rle] = [one.shape.rle(size) for one in drawn]
    table = pd.DataFrame({"task": "t", "worker": list("abcde"), "segmentation": [decode(rle) for rle in rles]})
    took = {}
    begun = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = SegmentationMajorityVote().fit_predict(table).loc["t"]
    took["crowd-kit, of masks"] = time.perf_counter() - begun
    for name in ("majority", "best_agreement", "larger", "union", "staple"):
        rule = aggregator(name)
        begun = time.perf_counter()
        found = rule.region(drawn, size)
        took[name] = time.perf_counter() - begun
        assert name != "majority" or (found is not None and np.array_equal(decode(found.rle(size)), theirs))
    for name, each in took.items():
        ratio = each / took["crowd-kit, of masks"]
        print(f"4 megapixels, 5 outlines: {name:<20} {1000 * each:>8.1f} ms, {ratio:.2f} of crowd-kit's majority")


def main() -> None:
    """Measures what the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--every", type=int, default=4, help="take every so manieth target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", action="append", default=[], help="leave a rule out")
    given = parser.parse_args()
    against_crowd_kit(given.seed)
    names = [name for name, module in plugins.modules("aggregators").items() if module.startswith("foveate.")]
    measure(given.root, given.every, given.seed, [name for name in names if name not in given.without])


if __name__ == "__main__":
    main()
