"""How often the main thing of a photo is named rightly, counts and groups are true, and things are spotted, on COCO.

    python benchmarks/names.py

Needs the samples of `../shared/data` and the weights `yolov3_tiny`, `efficientnet_lite2` and `vit_s_focus`. Photos with
an even number are those on which the thresholds were chosen (dev), the others are held out. "Spotted" pretends that the
detector did not know its kinds: of those that ImageNet has too, it asks for each in each photo.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou
from foveate.grounders._pocket.names import main_thing
from foveate.grounders._pocket.scenes import surely_there
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.spots import THRESHOLD
from foveate.grounders._pocket.things import main_things
from foveate.perception.phrase_book import display_name, phrase_book, whole_book
from foveate.perception.spot_things import names_of_things, spot_thing
from foveate.perception.words import stem
from foveate.sources.images import FileImage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
INSTANCES = DATA / "coco" / "instances.json"
FOLDERS = (DATA / "coco" / "images", DATA / "toloka" / "images")
Sides = tuple[float, float, float, float]
# An object smaller than this is no main thing.
LARGE = 0.02


@dataclass(frozen=True)
class Photo:
    """One photo with its true boxes of each of the 80 kinds; of crowds none is counted."""

    name: str
    seen: Seen
    boxes: dict[str, list[Sides]]
    crowds: frozenset[str]

    @property
    def held_out(self) -> bool:
        """Whether nothing was chosen on it."""
        return int(Path(self.name).stem) % 2 == 1

    def large(self) -> set[str]:
        """Returns the kinds of which one fills enough of the photo."""
        least = LARGE * self.seen.size_hw[0] * self.seen.size_hw[1]
        return {kind for kind, boxes in self.boxes.items() if any(_area(box) >= least for box in boxes)}


def main() -> int:
    """Prints the tables; returns the exit code."""
    if not INSTANCES.is_file():
        print(f"{INSTANCES} is not here; these figures need it")
        return 1
    photos = load()
    for split, chosen in (("dev", False), ("held out", True)):
        of_split = [photo for photo in photos if photo.held_out == chosen]
        print(f"\n{split}: {len(of_split)} photos")
        print_names(of_split)
        print_groups(of_split)
        print_counts(of_split)
        print_spots(of_split)
    return 0


def load() -> list[Photo]:
    """Returns the photos with what is in them."""
    stored = json.loads(INSTANCES.read_text(encoding="utf-8"))
    kinds = dict(zip(sorted(each["id"] for each in stored["categories"]), phrase_book().things, strict=True))
    photos = []
    for image in sorted(stored["images"], key=lambda image: str(image["file_name"])):
        of_image = [each for each in stored["annotations"] if each["image_id"] == image["id"]]
        path = next(folder / image["file_name"] for folder in FOLDERS if (folder / image["file_name"]).is_file())
        boxes: dict[str, list[Sides]] = {}
        for each in of_image:
            x, y, wide, high = each["bbox"]
            boxes.setdefault(kinds[each["category_id"]], []).append((x, y, x + wide, y + high))
        crowds = frozenset(kinds[each["category_id"]] for each in of_image if each["iscrowd"])
        seen = Seen(FileImage(path), (image["height"], image["width"]))
        photos.append(Photo(image["file_name"], seen, boxes, crowds))
    return photos


def print_names(photos: Sequence[Photo]) -> None:
    """Prints what "What is this?" says: by the detector alone, and with ImageNet's names."""
    print("what is this: " + 8 * " " + "right  wrong or tiny  beyond the 80 kinds  nothing sure")
    ways: dict[str, Callable[[Seen], str | None]] = {"detector": _by_detector, "with ImageNet's": _by_both}
    displays = {display_name(kind) for kind in phrase_book().things}
    for way, name in ways.items():
        tally = {"right": 0, "wrong": 0, "beyond": 0, "none": 0}
        for photo in photos:
            said = name(photo.seen)
            right = said in {display_name(kind) for kind in photo.large()}
            tally["none" if said is None else "right" if right else "wrong" if said in displays else "beyond"] += 1
        print(f"  {way:20}" + "  ".join(f"{count:5}" for count in tally.values()))


def print_groups(photos: Sequence[Photo]) -> None:
    """Prints how "What animal is this?" and "What vehicle is this?" fare, with one in the photo and with none."""
    for group in ("animal", "vehicle"):
        without = 0
        right = found = there = refused = 0
        for photo in photos:
            kinds = {kind for kind in photo.boxes if stem(group) in whole_book().things[kind].groups}
            guess = main_thing(photo.seen, stem(group))
            there += bool(kinds)
            without += not kinds
            found += bool(kinds and guess)
            right += bool(guess and guess.thing in kinds)
            refused += not kinds and guess is None
        print(f"what {group}: {there} with one: {found} named, {right} rightly; {refused} of {without} refused")


def print_counts(photos: Sequence[Photo]) -> None:
    """Prints whether there are as many as a description says at least."""
    for said in (1, 2, 3):
        enough = exact = total = 0
        for photo in photos:
            for name, least in surely_there(photo.seen).items():
                kind = next(kind for kind in phrase_book().things if display_name(kind) == name)
                if min(least, 3) == said:
                    count = len(photo.boxes.get(kind, ()))
                    total += 1
                    enough += count >= said or kind in photo.crowds
                    exact += count == least and kind not in photo.crowds
        print(
            f"said of a kind: {said}{'+' if said == 3 else ''}: {total} times, that many there {enough}, exact {exact}"
        )


def print_spots(photos: Sequence[Photo]) -> None:
    """Prints how well kinds are told present from absent, and where those are that stand alone."""
    kinds = [kind for kind in phrase_book().things if kind in names_of_things()]
    scores: dict[bool, list[float]] = {True: [], False: []}
    overlaps: list[tuple[float, ...]] = []
    for photo in photos:
        salient = photo.seen.standing_out
        rivals = [
            salient.xyxy if salient else _middle(photo.seen.size_hw),
            _middle(photo.seen.size_hw),
            (0, 0, *photo.seen.size_hw[::-1]),
        ]
        for kind in kinds:
            spot = spot_thing(photo.seen.names, kind)
            truth = photo.boxes.get(kind, [])
            scores[bool(truth)].append(spot.score if spot else 0.0)
            if spot and len(truth) == 1 and kind not in photo.crowds:
                overlaps.append((spot.score, *(_iou(box, truth[0]) for box in (spot.xyxy, *rivals))))
    there, absent = np.array(scores[True]), np.array(scores[False])
    auc = np.mean([(absent < score).mean() + (absent == score).mean() / 2 for score in there])
    print(f"spotted: {len(there)} present, {len(absent)} absent kinds, AUC {auc:.3f}")
    table = np.array(overlaps)
    for least in (0.0, 0.1, THRESHOLD):
        kept = table[table[:, 0] >= least]
        row = "  ".join(f"{value:.3f}" for value in kept[:, 1:].mean(0))
        print(
            f"  from {least}: present kept {(there >= least).mean():.2f}, "
            f"absent refused {(absent < least).mean():.3f}; "
            f"{len(kept)} alone, mean IoU of spot, salient box, centre box, whole image: {row}; "
            f"spot's accuracy@0.5 {(kept[:, 1] >= 0.5).mean():.3f}"
        )


def _by_detector(seen: Seen) -> str | None:
    regions = main_things(seen)
    return regions[0].label if regions else None


def _by_both(seen: Seen) -> str | None:
    guess = main_thing(seen)
    # The finer name ("school bus") counts as its kind.
    return (display_name(guess.thing) if guess.thing else guess.said) if guess else None


def _iou(one: Iterable[float], other: Iterable[float]) -> float:
    return float(box_iou(np.array([*one]), np.array([*other]), empty=0.0))


def _area(box: Sides) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _middle(size_hw: SizeHW) -> Sides:
    height, width = size_hw
    return (width / 4, height / 4, 3 * width / 4, 3 * height / 4)


if __name__ == "__main__":
    sys.exit(main())
