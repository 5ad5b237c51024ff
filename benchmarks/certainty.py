"""How often the default method's answers are right, by their score: the tables behind the words of certainty.

    python benchmarks/certainty.py

Needs the samples of `../shared/data` and the weights. Asks about the photos that are held out, of which nothing was
fitted, and writes the tables of `src/foveate/assist/calibration`. A bin has at least 30 answers, and of two neighbours
the one with the higher scores is not the worse one: such two are joined.

`pocket.thing`: questions for things, every second for one that is not there (`rank_things.py`). `pocket.yes`,
`pocket.no`: "Is there a …?", as often there as not. `pocket.count`: "How many …?" where the method counts at least
one; `pocket.none`: where it says 0; asked of as many kinds that are there as that are not (`closed_answers.py`).
Several questions ask about one photo, so that the answers are not independent, and the intervals somewhat short.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from benchmarks import closed_answers, rank_things
from benchmarks._proxy import DATA, held_out, photos

from foveate.analysis.coco_overlap import wilson
from foveate.assist.certainty import TABLES, Bin, Table
from foveate.core.predictions import Prediction
from foveate.grounders._pocket import things as route
from foveate.grounders._pocket.seen import THRESHOLD

LEAST_IN_A_BIN = 30
COMMAND = "python benchmarks/certainty.py"
Scored = tuple[float, bool]


def main(folder: Path = TABLES) -> int:
    """Writes and prints the tables; returns the exit code."""
    if not DATA.is_dir():
        print(f"The samples are expected at {DATA}, and there is no such folder; nothing is measured.")
        return 1
    for name, table in {"pocket.thing": things(), **closed()}.items():
        (folder / f"{name}.toml").write_text(written(table), encoding="utf-8")
        print(f"{name}: {table.measured_on}")
        for each in table.bins:
            print(f"  from {each.least:.2f}: {each.right} of {each.n} right, at least {each.low:.3f}")
    return 0


def things() -> Table:
    """Returns what the score of a found thing is worth."""
    held = [photo for photo in photos() if held_out(photo.name)]
    found = [best for best in map(rank_things.best_box, rank_things.asked_of(held)) if best[2] >= THRESHOLD]
    scores = route.right(np.array([product for product, _, _ in found])).tolist()
    scored = [(score, iou >= 0.5) for score, (_, iou, _) in zip(scores, found, strict=True)]
    asked = f"questions about {len(held)} held-out photos of COCO, many for things that are not there"
    on = f"{len(scored)} regions found for {asked}"
    return Table("the box around the region meets the right one with an IoU of at least 0.5", on, bins(scored))


def closed() -> dict[str, Table]:
    """Returns what a yes, a no, a number and a 0 are worth."""
    there, crowded = closed_answers.annotated(DATA / "coco" / "instances.json")
    absent = closed_answers.absent_pairs(sorted(there))
    held = [pair for pair in (*sorted(there), *absent) if closed_answers.split_of(pair) == "held-out"]
    article, shown, plural = closed_answers.article, closed_answers.shown, closed_answers.plural
    said = closed_answers.answers(DATA, {pair: f"Is there {article(shown(pair[1]))}?" for pair in held})
    plain = [pair for pair in held if pair not in crowded]
    number = closed_answers.answers(DATA, {pair: f"How many {plural(pair[1])} are there?" for pair in plain})
    found: dict[str, tuple[str, list[Scored]]] = {
        "pocket.yes": ("the thing is there", [(sure(said[p]), p in there) for p in held if said[p].answer == "yes"]),
        "pocket.no": ("the thing is not there", [(0.0, p not in there) for p in held if said[p].answer == "no"]),
        "pocket.count": (
            "the number is exact",
            [(sure(number[p]), there[p] == int(n)) for p in plain if (n := number[p].answer or "0") != "0"],
        ),
        "pocket.none": ("there is none", [(0.0, p not in there) for p in plain if number[p].answer == "0"]),
    }
    on = "held-out photos of COCO, asked for kinds of which as many are there as are not"
    return {
        name: Table(means, f"{len(right)} answers about {on}", bins(right)) for name, (means, right) in found.items()
    }


def sure(prediction: Prediction) -> float:
    """Returns the score of an answer; 0 where it has none."""
    return prediction.answer_score or 0.0


def bins(scored: Sequence[Scored]) -> tuple[Bin, ...]:
    """Returns the bins of scores that were right or not: tenths, joined until each is large enough and they rise."""
    tenths: dict[int, list[Scored]] = {}
    for score, right in scored:
        tenths.setdefault(min(int(score * 10), 9), []).append((score, right))
    joined: list[tuple[float, list[Scored]]] = []
    for tenth in sorted(tenths):
        joined.append((tenth / 10, tenths[tenth]))
        while len(joined) > 1 and _to_join(joined[-2][1], joined[-1][1]):
            _, last = joined.pop()
            least, before = joined.pop()
            joined.append((least, before + last))
    # The last may have remained too small.
    if len(joined) > 1 and len(joined[-1][1]) < LEAST_IN_A_BIN:
        _, last = joined.pop()
        least, before = joined.pop()
        joined.append((least, before + last))
    return tuple(_bin(0.0 if place == 0 else least, each) for place, (least, each) in enumerate(joined))


def _to_join(before: Sequence[Scored], last: Sequence[Scored]) -> bool:
    small = len(before) < LEAST_IN_A_BIN
    return small or (len(last) >= LEAST_IN_A_BIN and _share(before) >= _share(last))


def _share(scored: Iterable[Scored]) -> float:
    right = [each for _, each in scored]
    return sum(right) / len(right)


def _bin(least: float, scored: Sequence[Scored]) -> Bin:
    right = sum(each for _, each in scored)
    return Bin(least, len(scored), right, round(wilson(right, len(scored)).low, 4))


def written(table: Table) -> str:
    """Returns a table as TOML."""
    lines = [
        f"# Made by `{COMMAND}`; never changed by hand.",
        f'right_means = "{table.right_means}"',
        f'measured_on = "{table.measured_on}"',
    ]
    for each in table.bins:
        lines += [
            "",
            "[[bins]]",
            f"least = {each.least}",
            f"n = {each.n}",
            f"right = {each.right}",
            f"low = {each.low}",
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
