"""What the fitted ranking of boxes is worth, and where its numbers and those of the score come from.

    python benchmarks/rank_things.py

Needs the samples of `../shared/data` and the weights. Fits, on the dev photos alone, the weights of
`perception/rank_things.py` and the two numbers that turn "how likely is the box, times how likely is the kind" into the
score of `grounders/_pocket/things.py`; prints them beside those that are in the program, and what they are worth on the
photos that are held out. Changed numbers are copied by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._asking import without
from benchmarks._proxy import DATA, Photo, Sample, absent, beyond, held_out, photos, present

from foveate.core.overlap import box_iou
from foveate.core.regions import Sides
from foveate.grounders._pocket import things as route
from foveate.grounders._pocket.seen import THRESHOLD
from foveate.perception import rank_things
from foveate.perception.propose import Proposals, kinds, propose
from foveate.perception.questions import understand
from foveate.sources.images import FileImage

Numbers = NDArray[np.float64]
# A weak pull of the weights towards nothing, in units of the features' spread.
PULL = 1.0
EVERY = tuple(range(len(rank_things.FEATURES)))
CONSTANT = EVERY[-1]


@dataclass(frozen=True)
class Boxes:
    """The ranked boxes of one photo, with their features and how well each covers a thing of its kind."""

    things: Proposals
    features: Numbers
    iou: Numbers


def main() -> int:
    """Prints the fitted numbers and their worth; returns the exit code."""
    if not DATA.is_dir():
        print(f"The samples are expected at {DATA}, and there is no such folder; nothing is measured.")
        return 1
    dev, held = ([photo for photo in photos() if held_out(photo.name) is half] for half in (False, True))
    told("ranking", fitted_ranking(dev, EVERY), rank_things.WEIGHTS)
    print(f"\n{'kind given: mean IoU / accuracy@0.5':40} {'dev':13} held-out")
    for name, used in compared().items():
        weights = fitted_ranking(dev, used)
        print(f"{name:40} {worth(dev, weights, used):13} {worth(held, weights, used)}", flush=True)
    told("\nscore", fitted_score(asked_of(dev)), (route.STEEPNESS, route.LEVEL))
    for name, half in (("dev", dev), ("held-out", held)):
        print(f"{name:10} {refused_and_kept(half)}")
        print(f"{'':10} {reliability(half)}")
    return 0


def told(name: str, fitted: Numbers, stored: Sequence[float]) -> None:
    """Prints numbers beside those in the program."""
    print(f"{name}: fitted {np.round(fitted, 3).tolist()}, in the program {list(stored)}")


def compared() -> dict[str, tuple[int, ...]]:
    """Returns the sets of features that are compared, by their places."""
    left_out = {
        f"without {rank_things.FEATURES[place]}": tuple(each for each in EVERY if each != place)
        for place in EVERY[1:-1]
    }
    return {"the detector's score alone": (0, CONSTANT), "all": EVERY, **left_out}


@cache
def boxes(photo: Photo) -> Boxes:
    """Returns what the detector sees in a photo; a box of a kind that the photo does not show covers nothing."""
    things = propose(FileImage(photo.path).load())
    rows = rank_things.best_of_each_kind(things)
    ranked = things.take(rows)
    iou = np.zeros(len(rows))
    for each in photo.instances:
        same = ranked.kind == kinds().index(each.kind)
        iou = np.maximum(iou, same * box_iou(np.array(each.xyxy), ranked.xyxy, empty=0.0))
    return Boxes(ranked, rank_things.features(things, photo.size_hw, rows), iou)


def fitted_ranking(half: Sequence[Photo], used: tuple[int, ...]) -> Numbers:
    """Returns the weights of a logistic regression of "the IoU is at least 0.5" on some of the features."""
    features = np.concatenate([boxes(photo).features[:, used] for photo in half])
    return fitted(features, np.concatenate([boxes(photo).iou >= 0.5 for photo in half]))


def fitted(features: Numbers, right: NDArray[np.bool_]) -> Numbers:
    """Returns the weights of a logistic regression; the last feature is the constant, on which there is no pull."""
    middle, spread = features.mean(axis=0), features.std(axis=0)
    middle[-1], spread[-1] = 0.0, 1.0
    scaled = (features - middle) / spread
    pulled = np.append(np.full(features.shape[1] - 1, PULL), 0.0)

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        logit = scaled @ weights
        chance = 1 / (1 + np.exp(-logit))
        value = np.logaddexp(0, logit) - right * logit
        return value.sum() + pulled @ weights**2 / 2, scaled.T @ (chance - right) + pulled * weights

    weights = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B").x / spread
    weights[-1] -= middle[:-1] @ weights[:-1]
    return np.asarray(weights)


def worth(half: Sequence[Photo], weights: Numbers, used: tuple[int, ...]) -> str:
    """Returns the score of the best box of the right kind, for what stands alone of its kind; no box counts 0."""
    found = []
    for photo in half:
        seen = boxes(photo)
        for each in photo.alone:
            rows = np.flatnonzero(seen.things.kind == kinds().index(each.kind))
            best = rows[(seen.features[rows][:, used] @ weights).argmax()] if rows.size else None
            right = np.array(each.xyxy)
            found.append(0.0 if best is None else float(box_iou(right, seen.things.xyxy[best], empty=0.0)))
    return f"{np.mean(found):.3f} / {np.mean(np.array(found) >= 0.5):.3f}"


# The score.


def asked_of(half: Sequence[Photo]) -> list[Sample]:
    """Returns the questions about some photos on which the score is fitted: three wordings, there and not there."""
    return [
        sample for wording in ("ours", "real", "named") for sample in (*present(half, wording), *absent(half, wording))
    ] + list(beyond(half))


def fitted_score(samples: Sequence[Sample]) -> Numbers:
    """Returns steepness and level: the logistic regression of "the box is right" on the log of the product.

    Of what is refused nobody sees a score, so that it has no part in this.
    """
    found = [best for best in map(best_box, samples) if best[2] >= THRESHOLD]
    log = np.log(np.maximum([product for product, _, _ in found], 1e-9))
    return fitted(np.stack([log, np.ones(len(log))], axis=1), np.array([iou >= 0.5 for _, iou, _ in found]))


def reliability(half: Sequence[Photo]) -> str:
    """Returns, for each tenth of the scores, how many regions have it and what share of them is right; and the error.

    The expected calibration error is that of `foveate score --metric ece`: over the samples with a region.
    """
    found = [best for best in map(best_box, asked_of(half)) if best[2] >= THRESHOLD]
    scores = route.right(np.array([product for product, _, _ in found]))
    hit = np.array([iou >= 0.5 for _, iou, _ in found])
    tenth = np.minimum((scores * 10).astype(int), 9)
    rows = [(scores[tenth == n].mean(), hit[tenth == n].mean(), (tenth == n).sum()) for n in np.unique(tenth)]
    error = sum(abs(said - was) * count for said, was, count in rows) / len(found)
    told_rows = ", ".join(f"{said:.2f} {was:.2f} ({count})" for said, was, count in rows)
    return f"expected calibration error {error:.3f}; said, right (n): {told_rows}"


def refused_and_kept(half: Sequence[Photo]) -> str:
    """Returns what the program's threshold does on some photos."""
    sets = {
        f"{wording} {name}": make(half, wording)
        for wording in ("ours", "real", "named")
        for name, make in (("kept", present), ("refused", absent))
    } | {"other things refused": beyond(half)}
    shares = []
    for name, samples in sets.items():
        kept = np.array([best_box(sample)[2] for sample in samples]) >= THRESHOLD
        shares.append(f"{name} {np.mean(kept if name.endswith('kept') else ~kept):.3f}")
    return ", ".join(shares)


def best_box(sample: Sample) -> tuple[float, float, float]:
    """Returns the greatest product of box and kind, the IoU of that box (0 if none is right), and the presence."""
    right = sample.truth.targets[0].shape.xyxy if sample.truth.targets else None
    return _best_box(sample.query.image_name, sample.query.question, right)


@cache
def _best_box(image: str, question: str, right: Sides | None) -> tuple[float, float, float]:
    seen = boxes(by_name()[image])
    if not len(seen.things):
        return 0.0, 0.0, 0.0
    likely = route.wanted(understand(question)[0], without(question))
    kind = route.asked_for(likely)[seen.things.kind]
    product = kind / (1 + np.exp(-(seen.features @ np.array(rank_things.WEIGHTS))))
    best = int(product.argmax())
    iou = box_iou(np.array(right), seen.things.xyxy[best], empty=0.0) if right else 0.0
    return float(product[best]), float(iou), route.presence(seen.things, likely)


@lru_cache(maxsize=1)
def by_name() -> dict[str, Photo]:
    """Returns the photos by name."""
    return {photo.name: photo for photo in photos()}


if __name__ == "__main__":
    sys.exit(main())
