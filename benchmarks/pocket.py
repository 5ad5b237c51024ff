"""How good the default grounder is on real photos, how well it says no, what each part brings, and what it costs.

    python benchmarks/pocket.py [--part quality|absent|ablation|causes|cost|sheets ...] [--out FOLDER]

Needs the samples of `../shared/data` and the weights; without `--part` all but the sheets. Every figure comes from the
scorer of `foveate score`, with 95 % intervals whose bootstrap draws whole photos; `no_region` counts 0. The questions
and the two halves of COCO's photos are told in `_proxy.py`: easier than the WSDM Cup, and only of the kinds that the
detector knows. The cup's own are too few for more than a first impression, and the demo's photos were looked at while
the method was made. `real` questions are asked with a phrase book that does not hold the very question.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._asking import MostConfident, Salient, Unread, asked, best_boxes, remembered
from benchmarks._causes import CAUSES, counted, explained
from benchmarks._cost import PHOTOS, cost
from benchmarks._proxy import DATA, photos
from benchmarks._refusals import refusals
from benchmarks._sets import CUP, cup, demo, halves, ours, table
from benchmarks._sheets import sheets
from benchmarks._variants import VARIANTS, changed

from foveate.core.predictions import Prediction
from foveate.core.regions import Box
from foveate.core.truths import Target
from foveate.grounders import centre_box, whole_image
from foveate.grounders._protocol import Grounder

COCO = DATA / "coco" / "questions.csv"
_PRIORS: Mapping[str, Callable[[], Grounder]] = {
    "whole image": whole_image.Grounder,
    "centre box": centre_box.Grounder,
    "saliency box": Salient,
    "most confident box": MostConfident,
}


def main(arguments: Sequence[str] = ()) -> int:
    """Prints the parts that are asked for; returns the exit code."""
    missing = [path for path in (COCO, CUP) if not path.is_file()]
    if missing:
        print(f"The samples are expected at {missing[0]}, and there is no such file; nothing is measured.")
        return 1
    parser = argparse.ArgumentParser(description="How good the default grounder is; see the top of this file.")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=[part for part in PARTS if part != "sheets"])
    parser.add_argument("--out", type=Path, default=Path("pocket-sheets"), help="folder of the pictures")
    options = parser.parse_args(arguments)
    with remembered():
        for part in options.part:
            PARTS[part](options.out)
    return 0


# How good it is.


def quality(out: Path) -> None:
    """Prints a table for each set of questions: the priors, `pocket`, and how far apart they are."""
    for questions in (*halves("real"), *halves("named"), ours(), cup(), demo()):
        said = {name: asked(questions.queries, prior()) for name, prior in _PRIORS.items()}
        said["pocket"] = asked(questions.queries, Unread())
        if questions.samples:
            said["best box of the right kind"] = best_boxes(questions.samples, of_kind=True)
            said["best of all boxes"] = best_boxes(questions.samples, of_kind=False)
        table(questions, said)
    masks()


def masks() -> None:
    """Prints mask IoU of what `pocket` gives against the same boxes filled, where the thing's outline is known."""
    for questions in (*halves("real"), ours()):
        shaped = [
            replace(truth, targets=(Target(sample.outline),))
            for truth, sample in zip(questions.truths, questions.samples, strict=True)
            if sample.outline
        ]
        outlined = replace(questions, name=f"{questions.name}, mask IoU", truths=shaped)
        said = asked(questions.queries, Unread())
        table(outlined, {"boxes filled": [filled(each) for each in said], "pocket": said})


def filled(prediction: Prediction) -> Prediction:
    """Returns a prediction whose region is the box around what it was."""
    if prediction.final is None:
        return prediction
    region = replace(prediction.final, shape=Box(prediction.final.shape.xyxy))
    return replace(prediction, final=region, candidates=(region,))


# What each part brings, and what goes wrong.


def ablation(out: Path) -> None:
    """Prints a row for each variant on both halves, and what is `pocket` minus it."""
    for questions in (*halves("real"), *halves("ours")):
        said = {}
        for variant in VARIANTS:
            with changed(variant) as there:
                if there:
                    said[variant.name] = asked(questions.queries, Unread())
                else:
                    print(f"{variant.name}: this version has no such part")
        table(questions, said)


def causes(out: Path) -> None:
    """Prints for each half and wording why samples are missed."""
    print("\nwhy questions are missed (IoU under 0.5); in brackets those whose right box is under 2 % of the photo")
    columns = {each.name: each for wording in ("real", "named") for each in halves(wording)}
    columns["our 110"] = ours()
    found = {name: counted(each.samples, [one.cause for one in explained(each)]) for name, each in columns.items()}
    print(f"{'':42} " + " ".join(f"{name:>16}" for name in columns))
    for why in CAUSES:
        cells = [f"{one[why][0]} ({one[why][1]})" for one in found.values()]
        print(f"{why:42} " + " ".join(f"{cell:>16}" for cell in cells))


# The rest.


def costs(out: Path) -> None:
    """Prints times and memory, on the first of COCO's photos."""
    cost([photo.path for photo in photos()[:PHOTOS]])


PARTS: Mapping[str, Callable[[Path], None]] = {
    "quality": quality,
    "absent": refusals,
    "ablation": ablation,
    "causes": causes,
    "cost": costs,
    "sheets": sheets,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
