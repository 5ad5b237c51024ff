"""How often the default grounder counts right, and says yes or no right to whether a thing is there.

    python benchmarks/closed_answers.py

Needs `../shared/data/coco` and the weights `yolov3_tiny`. Truth: `instances.json`, its 69 photos, those with an odd
number held out; the thresholds were chosen on the others. All questions are asked in words: "How many dogs are there?"
of every kind in a photo that no crowd hides, "Is there a dog?" of every kind in it and of as many that are not, each
kind as often as it is there. An answer that is missing is wrong; its error counts as if it were 0.

Colours: the ten things in these photos whose colour a caption tells; a first impression.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from foveate.core.predictions import Prediction
from foveate.grounders.pocket import Grounder
from foveate.perception.phrase_book import phrase_book
from foveate.sources.images import FileImage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
# By COCO's name, where the detector's list has another.
RENAMED = {"motorcycle": "motorbike", "airplane": "aeroplane", "couch": "sofa", "potted plant": "pottedplant"} | {
    "dining table": "diningtable",
    "tv": "tvmonitor",
}
PLURALS = {"person": "people", "knife": "knives", "computer mouse": "computer mice"} | {
    name: name for name in ("sheep", "skis", "broccoli", "scissors")
}
# The photo's number, the thing, and its colour by a caption of `captions.json`.
TOLD = (
    (51191, "sink", "white"),
    (111076, "toilet", "white"),
    (196393, "cat", "white"),
    (297343, "stop sign", "red"),
    (331352, "toilet", "tan"),
    (418281, "cow", "white"),
    (500663, "cow", "black"),
    (525891, "stop sign", "red"),
    (555705, "cat", "orange"),
    (579003, "sink", "white"),
)
OTHER_COLOURS = {"white": "green", "red": "blue", "tan": "purple", "black": "yellow", "orange": "green"}
SPLITS = ("dev", "held-out")
Pair = tuple[str, str]


def main(data: Path) -> int:
    """Prints the tables; returns the exit code."""
    if not (data / "coco" / "instances.json").is_file():
        print(f"The sample is expected at {data / 'coco' / 'instances.json'}; nothing is measured.")
        return 1
    there, crowded = annotated(data / "coco" / "instances.json")
    asked = [pair for pair in sorted(there) if pair not in crowded]
    absent = absent_pairs(sorted(there))
    questions = {pair: f"How many {plural(pair[1])} are there?" for pair in (*asked, *absent)}
    counts = answers(data, questions)
    presence = answers(data, {pair: f"Is there {article(shown(pair[1]))}?" for pair in (*sorted(there), *absent)})
    for split in SPLITS:
        count_table(split, {pair: there[pair] for pair in asked if split_of(pair) == split}, counts)
        none = [counts[pair].answer == "0" for pair in absent if split_of(pair) == split]
        print(f"where there is none: {len(none)} pairs, said 0: {np.mean(none):.3f}")
    for split in SPLITS:
        presence_line(split, {pair: pair in there for pair in presence if split_of(pair) == split}, presence)
    colour_table(data)
    return 0


def annotated(path: Path) -> tuple[Counter[Pair], set[Pair]]:
    """Returns how many things of each kind each photo has, and the pairs with a crowd that nobody counted."""
    loaded = json.loads(path.read_text(encoding="utf-8"))
    files = {photo["id"]: photo["file_name"] for photo in loaded["images"]}
    kinds = {kind["id"]: RENAMED.get(kind["name"], kind["name"]) for kind in loaded["categories"]}
    pairs = [(files[each["image_id"]], kinds[each["category_id"]]) for each in loaded["annotations"]]
    crowds = {pair for pair, each in zip(pairs, loaded["annotations"], strict=True) if each["iscrowd"]}
    return Counter(pairs), crowds


def absent_pairs(present: list[Pair]) -> list[Pair]:
    """Returns for every pair one of its kind with the next photo of its split that has none of it, each once."""
    taken, found = set(present), []
    photos = sorted({photo for photo, _ in present})
    for photo, kind in present:
        place = photos.index(photo)
        following = [(other, kind) for other in photos[place + 1 :] + photos[:place]]
        free = [pair for pair in following if pair not in taken and split_of(pair) == split_of((photo, kind))]
        found += free[:1]
        taken.update(free[:1])
    return found


def answers(data: Path, questions: Mapping[Pair, str]) -> dict[Pair, Prediction]:
    """Returns what the grounder answers, each photo looked at once."""
    grounder, found, last = Grounder(), {}, ""
    for pair in sorted(questions):
        if pair[0] != last:
            places = [data / folder / "images" / pair[0] for folder in ("coco", "toloka")]
            image = FileImage(next(place for place in places if place.is_file()))
            grounder.prepare(image, image.size_hw)
            last = pair[0]
        found[pair] = grounder.ground(questions[pair])
    return found


def count_table(split: str, truth: Mapping[Pair, int], found: Mapping[Pair, Prediction]) -> None:
    """Prints how near the counts are, beside always saying 1, 2 or 3."""
    wanted = np.array([truth[pair] for pair in truth])
    said = np.array([int(found[pair].answer or 0) for pair in truth])
    missing = sum(found[pair].answer is None for pair in truth)
    print(f"\ncounting, {split}: {len(wanted)} pairs of photo and kind, {missing} without an answer")
    print(f"{'':12} {'exact':7} {'within 1':9} {'mean error':11} {'exact where > 1':15}")
    rows = {"pocket": said, **{f"always {n}": np.full_like(wanted, n) for n in (1, 2, 3)}}
    for name, values in rows.items():
        off = np.abs(values - wanted)
        more = (off[wanted > 1] == 0).mean()
        print(f"{name:12} {(off == 0).mean():<7.3f} {(off <= 1).mean():<9.3f} {off.mean():<11.2f} {more:<15.3f}")
    for number in ("0", "1"):
        right = [truth[pair] == int(number) for pair in truth if found[pair].answer == number]
        print(f"said {number}: {len(right)} times, right {np.mean(right):.2f}")
    right = [truth[pair] == int(found[pair].answer or 0) for pair in truth if int(found[pair].answer or 0) > 1]
    print(f"said more: {len(right)} times, right {np.mean(right):.2f}")


def presence_line(split: str, truth: Mapping[Pair, bool], found: Mapping[Pair, Prediction]) -> None:
    """Prints how often yes and no are right."""
    yes = [found[pair].answer == "yes" for pair, there in truth.items() if there]
    no = [found[pair].answer == "no" for pair, there in truth.items() if not there]
    both = (np.mean(yes) + np.mean(no)) / 2
    print(
        f"\npresence, {split}: yes {np.mean(yes):.3f} of {len(yes)}, no {np.mean(no):.3f} of {len(no)}, both {both:.3f}"
    )


def colour_table(data: Path) -> None:
    """Prints what is said of the colours that captions tell."""
    told = {(f"{number:012}.jpg", thing): colour for number, thing, colour in TOLD}
    named = answers(data, {pair: f"What color is the {pair[1]}?" for pair in told})
    agreed = answers(data, {pair: f"Is the {pair[1]} {colour}?" for pair, colour in told.items()})
    denied = answers(data, {pair: f"Is the {pair[1]} {OTHER_COLOURS[colour]}?" for pair, colour in told.items()})
    print("\ncolours that a caption tells")
    for pair, colour in told.items():
        print(
            f"{pair[1]:10} {colour:7} named: {named[pair].answer}; is it {colour}: {agreed[pair].answer}; "
            f"is it {OTHER_COLOURS[colour]}: {denied[pair].answer}"
        )


def split_of(pair: Pair) -> str:
    """Returns the split of a photo: even numbers are for choosing, odd ones are held out."""
    return SPLITS[int(Path(pair[0]).stem) % 2]


def shown(kind: str) -> str:
    """Returns what people call a kind."""
    return phrase_book().things[kind].display


def plural(kind: str) -> str:
    """Returns several of a kind."""
    name = shown(kind)
    return PLURALS.get(name, f"{name}es" if name.endswith(("ch", "sh", "s", "x")) else f"{name}s")


def article(name: str) -> str:
    """Returns a name with its article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA))
