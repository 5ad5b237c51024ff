"""How well masks, segments and salient things fit COCO's.

    python benchmarks/masks.py [masks] [close] [boxes] [salient]

Needs the samples of `../shared/data` and the weights. Without a name all four tables are printed:

- `masks`: the box filled, the plain rule, and each step from it to `mask_in_box`, in true boxes and in boxes of which
  each side is moved by up to 15 %, drawn once by a seed;
- `close`: `mask_in_box` with the photo against `mask_close_up`, by the size of the box, every third instance;
- `boxes`: the box around the mask against the detector's own, where that has an IoU of at least 0.5; and the best box
  of all, of the detector, with segments, and of all that `propose_all` gives;
- `salient`: `salient_thing` against the whole photo and a centre box, on the largest instance of each photo.

Instances are COCO's without crowds. A photo is `dev` where its number is even, else `held-out`. Mean IoU; an instance
counts once.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pycocotools import mask as coco

from foveate.core.boxes import Boxes, clip_boxes, xywh_to_xyxy
from foveate.core.masks import box_to_rle
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.regions import Box
from foveate.core.rle import MaskArray, Rle, encode, tight_box
from foveate.perception import mask_in_box as ours
from foveate.perception._grids import Plane, cover, pixels_of, read
from foveate.perception.embed_image import ImageTokens, embed_image
from foveate.perception.mask_in_box import mask_close_up, mask_in_box
from foveate.perception.propose import Proposals, propose, propose_all
from foveate.perception.segments import salient_thing, segments
from foveate.sources.images import FileImage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDERS = (DATA / "coco" / "images", DATA / "toloka" / "images")
JITTER, SEED = 0.15, 7
LARGE = 0.005

Masker = Callable[["Instance", Boxes], MaskArray]


@dataclass(frozen=True, eq=False)
class Instance:
    """One thing of COCO: its photo, kind (a place in `kinds()`), box and mask."""

    photo: str
    kind: int
    xyxy: Boxes
    jittered: Boxes
    rle: Rle

    @property
    def dev(self) -> bool:
        """Whether it may be looked at while a rule is made."""
        return int(Path(self.photo).stem) % 2 == 0

    @property
    def share(self) -> float:
        """Its share of the photo."""
        return float(coco.area({"size": self.rle.size_hw, "counts": self.rle.counts})) / np.prod(self.rle.size_hw)


def instances() -> list[Instance]:
    """Returns all instances but crowds, in the file's order."""
    told = json.loads((DATA / "coco" / "instances.json").read_text())
    photos = {photo["id"]: photo for photo in told["images"]}
    # The detector spells some names otherwise, in the same order.
    places = {number: place for place, number in enumerate(sorted(kind["id"] for kind in told["categories"]))}
    moves = np.random.default_rng(SEED)
    return [
        _instance(one, photos[one["image_id"]], places[one["category_id"]], moves)
        for one in told["annotations"]
        if not one["iscrowd"]
    ]


def _instance(one: dict[str, Any], photo: dict[str, Any], kind: int, moves: np.random.Generator) -> Instance:
    size_hw = (photo["height"], photo["width"])
    merged = coco.merge(coco.frPyObjects(one["segmentation"], *size_hw))
    box = xywh_to_xyxy(one["bbox"])
    sides = np.tile(box[2:] - box[:2], 2)
    moved = clip_boxes(box + moves.uniform(-JITTER, JITTER, 4) * sides, size_hw)
    return Instance(photo["file_name"], kind, box, moved, Rle(size_hw, merged["counts"]))


@cache
def image(photo: str) -> NDArray[np.uint8]:
    """Returns a photo."""
    return FileImage(next(folder / photo for folder in FOLDERS if (folder / photo).exists())).load()


@cache
def tokens(photo: str) -> ImageTokens:
    """Returns the tokens of a photo."""
    return embed_image(image(photo))


@cache
def things(photo: str) -> Proposals:
    """Returns the detector's boxes."""
    return propose(image(photo))


def filled(one: Instance, box: Boxes) -> MaskArray:
    """The box filled."""
    window = pixels_of(box, one.rle.size_hw)
    mask = np.zeros(one.rle.size_hw, dtype=bool)
    mask[window.y0 : window.y1, window.x0 : window.x1] = True
    return mask


def by_mean(centre: float, ring: int) -> Masker:
    """The plain rule: nearer by angle to the middle's mean token than to the ring's."""

    def masker(one: Instance, box: Boxes) -> MaskArray:
        seen = tokens(one.photo)
        grid_hw, edge = seen.tokens.shape[:2], (1 - centre) / 2 * (box[2:] - box[:2])
        cell = np.array([seen.size_hw[1] / grid_hw[1], seen.size_hw[0] / grid_hw[0]])
        inner = cover(box + np.concatenate([edge, -edge]), seen.size_hw, grid_hw)
        around = cover(box + ring * np.concatenate([-cell, cell]), seen.size_hw, grid_hw)
        outer = around - cover(box, seen.size_hw, grid_hw)
        if outer.sum() < 1:
            return filled(one, box)
        sides = [np.tensordot(weight, seen.tokens, 2) for weight in (inner, outer)]
        thing, behind = (side / np.linalg.norm(side) for side in sides)
        return _kept(one, box, np.asarray(seen.tokens @ (thing - behind), dtype=np.float64))

    return masker


def _kept(one: Instance, box: Boxes, scores: Plane) -> MaskArray:
    mask = filled(one, box)
    window = pixels_of(box, one.rle.size_hw)
    part = read(scores, one.rle.size_hw, window) > 0
    if part.any():
        mask[window.y0 : window.y1, window.x0 : window.x1] = part
    return mask


STEPS: dict[str, Masker] = {
    "box filled": filled,
    "plain rule": by_mean(0.5, 3),
    "+ middle of 0.8": by_mean(ours.CENTRE, 3),
    "+ ring of 4": by_mean(ours.CENTRE, ours.RING),
    "+ covariance (mask_in_box)": lambda one, box: mask_in_box(tokens(one.photo), box),
    "+ edges of the photo": lambda one, box: mask_in_box(tokens(one.photo), box, image(one.photo)),
}


def fit(found: Sequence[Instance], masker: Masker, *, jittered: bool) -> NDArray[np.float64]:
    """Returns the IoU of each mask with the truth."""
    masks = [encode(masker(one, one.jittered if jittered else one.xyxy)) for one in found]
    return mask_iou(masks, [one.rle for one in found], empty=0.0)


def groups(found: Sequence[Instance]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yields dev and held-out, of all and of those of half a per cent of the photo."""
    dev = np.array([one.dev for one in found])
    large = np.array([one.share >= LARGE for one in found])
    for name, sizes in (("all", np.ones_like(large)), ("≥ 0.5 %", large)):
        yield f"{name}, dev", dev & sizes
        yield f"{name}, held-out", ~dev & sizes


def row(name: str, values: Sequence[NDArray[np.float64]], found: Sequence[Instance]) -> str:
    """Returns a row of means, the groups from left to right."""
    cells = [" / ".join(f"{value[rows].mean():.3f}" for value in values) for _, rows in groups(found)]
    return f"| {name} | " + " | ".join(cells) + " |"


def head(found: Sequence[Instance]) -> str:
    """Returns the head of such a table, with counts."""
    names = [f"{name} ({rows.sum()})" for name, rows in groups(found)]
    return "| | " + " | ".join(names) + " |\n|---" + "|---" * len(names) + "|"


def masks() -> None:
    """Prints mean mask IoU in true / jittered boxes, and milliseconds a box beside the tokens."""
    found = instances()
    _ = [tokens(one.photo) for one in found]
    print("Mask IoU, in true / jittered boxes\n" + head(found))
    for name, masker in STEPS.items():
        start = time.perf_counter()
        values = [fit(found, masker, jittered=jittered) for jittered in (False, True)]
        spent = (time.perf_counter() - start) / len(found) / 2
        print(row(f"{name}, {spent * 1000:.0f} ms", values, found), flush=True)


def close() -> None:
    """Prints masks from the photo's tokens against those from a close-up's, by the box's share of the photo."""
    found = instances()[::3]
    shares = np.array([np.prod(one.xyxy[2:] - one.xyxy[:2]) / np.prod(one.rle.size_hw) for one in found])
    wide = fit(found, STEPS["+ edges of the photo"], jittered=False)
    start = time.perf_counter()
    near = fit(found, lambda one, box: mask_close_up(image(one.photo), box), jittered=False)
    print(f"\nClose-ups, {(time.perf_counter() - start) / len(found):.2f} s each")
    print("| box | n | photo | close-up |\n|---|---|---|---|")
    edges = (0, 0.002, 0.01, ours.CLOSE_UP_SHARE, 0.1, 1)
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        rows = (shares >= low) & (shares < high)
        print(f"| {low:.1%} to {high:.1%} | {rows.sum()} | {wide[rows].mean():.3f} | {near[rows].mean():.3f} |")


def boxes() -> None:
    """Prints box IoU: of tight boxes against the detector's own, and of the best of all proposals."""
    found = instances()
    seen = [(one, own) for one in found if (own := _own(one)) is not None]
    ones, truths = [one for one, _ in seen], np.array([one.xyxy for one, _ in seen])
    print("\nBox IoU of the detector's best-scored box of the kind with an IoU of at least 0.5\n" + head(ones))
    print(row("its own", [box_iou(np.array([own for _, own in seen]), truths, empty=0.0)], ones))
    for name in ("plain rule", "+ covariance (mask_in_box)", "+ edges of the photo"):
        tight = np.array([_tight(encode(STEPS[name](one, own))) for one, own in seen])
        print(row(f"around the mask: {name}", [box_iou(tight, truths, empty=0.0)], ones), flush=True)
    print("\nBest box IoU of any proposal\n" + head(found))
    for most in (100, 1000):
        kept = {one.photo: things(one.photo).xyxy[:most] for one in found}
        print(row(f"{most} boxes", [_best(found, kept)], found))
        more = {photo: np.concatenate([of, segments(tokens(photo)).xyxy]) for photo, of in kept.items()}
        print(row(f"{most} boxes and segments", [_best(found, more)], found), flush=True)
    every = {photo: _all_of(photo) for photo in kept}
    print(row("propose_all without text", [_best(found, every)], found))


def _all_of(photo: str) -> Boxes:
    found = propose_all(image(photo), tokens(photo), (), things(photo))
    return np.array([one.xyxy for one in found], dtype=np.float64)


def _own(one: Instance) -> Boxes | None:
    of = things(one.photo)
    right = (of.kind == one.kind) & (box_iou(of.xyxy, one.xyxy, empty=0.0) >= 0.5)
    return of.xyxy[np.flatnonzero(right)[0]] if right.any() else None


def _tight(rle: Rle) -> tuple[float, float, float, float]:
    box = tight_box(rle)
    if box is None:
        raise ValueError("a mask is never empty")
    return box


def _best(found: Sequence[Instance], of: dict[str, Boxes]) -> NDArray[np.float64]:
    return np.array([box_iou(of[one.photo], one.xyxy, empty=0.0).max(initial=0.0) for one in found])


def salient() -> None:
    """Prints box and mask IoU with the largest instance of each photo."""
    largest: dict[str, Instance] = {}
    for one in instances():
        if one.photo not in largest or one.share > largest[one.photo].share:
            largest[one.photo] = one
    found = list(largest.values())
    print("\nThe largest instance of each photo: box IoU / mask IoU\n" + head(found))
    for name, share in (("whole photo", 1.0), ("centre box", 0.5)):
        kept = [_centred(one, share) for one in found]
        masks = [box_to_rle(box.xyxy, one.rle.size_hw) for box, one in zip(kept, found, strict=True)]
        print(row(name, _both(np.array([box.xyxy for box in kept]), masks, found), found))
    seen = [salient_thing(tokens(one.photo)) for one in found]
    whole = [_centred(one, 1.0) for one in found]
    places = np.array([thing.xyxy if thing else box.xyxy for thing, box in zip(seen, whole, strict=True)])
    masks = [
        encode(thing.mask if thing else np.ones(one.rle.size_hw, dtype=bool))
        for thing, one in zip(seen, found, strict=True)
    ]
    print(row(f"salient_thing, none in {seen.count(None)}: whole", _both(places, masks, found), found))


def _centred(one: Instance, share: float) -> Box:
    height, width = one.rle.size_hw
    low, high = (1 - share) / 2, (1 + share) / 2
    return Box((low * width, low * height, high * width, high * height))


def _both(places: Boxes, masks: list[Rle], found: Sequence[Instance]) -> list[NDArray[np.float64]]:
    truths = np.array([one.xyxy for one in found])
    return [box_iou(places, truths, empty=0.0), mask_iou(masks, [one.rle for one in found], empty=0.0)]


TABLES: dict[str, Callable[[], None]] = {"masks": masks, "close": close, "boxes": boxes, "salient": salient}


def main(names: Sequence[str]) -> int:
    """Prints the tables; returns the exit code."""
    if not (DATA / "coco" / "instances.json").exists():
        print(f"{DATA / 'coco' / 'instances.json'} is not here")
        return 1
    for name in names or TABLES:
        TABLES[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
