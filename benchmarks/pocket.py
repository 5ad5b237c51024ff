"""Mean box IoU and accuracy@0.5 of the default grounder on real photos, beside two priors and a question-blind box.

    python benchmarks/pocket.py

Needs the samples of `../shared/data` and the weights `yolov3_tiny`. Every figure comes from the scorer of `foveate
score`, with its 95 % interval; the bootstrap draws whole photos. The first table's questions were written from
templates about things that stand alone of their kind: easier than the WSDM Cup, and only of the kinds that the detector
knows. The second table's are the cup's own, too few for more than a first impression.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest import mock

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.queries import Image, Query
from foveate.core.regions import Box, Region
from foveate.datasets._open import Dataset, open_dataset
from foveate.evaluation.evaluate import Evaluation, Value, evaluate
from foveate.execution.map_queries import map_queries
from foveate.grounders import centre_box, pocket, whole_image
from foveate.grounders._protocol import Grounder
from foveate.perception import propose as proposing
from foveate.perception import read_text as reading
from foveate.perception.propose import SIDES, propose
from foveate.perception.read_text import read_text

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
COCO = DATA / "coco" / "questions.csv"
CUP = DATA / "toloka" / "photo_items.csv"


class MostConfident:
    """The detector's best box, whatever the question."""

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Looks at the photo."""
        things = propose(image.load()) if image else None
        self._best = things.take(np.arange(1)) if things and len(things) else None

    def ground(self, question: str) -> Prediction:
        """Returns the same box for every question about the photo."""
        if self._best is None:
            return Prediction("", "no_region", reason="the detector sees nothing")
        region = Region(Box(tuple(self._best.xyxy[0].tolist())), float(self._best.score[0]))
        return Prediction("", "ok", final=region, candidates=(region,))


def main() -> int:
    """Prints the tables; returns the exit code."""
    missing = [path for path in (COCO, CUP) if not path.is_file()]
    if missing:
        print(f"The samples are expected at {missing[0]}, and there is no such file; nothing is measured.")
        return 1
    priors: dict[str, Grounder] = {"whole_image": whole_image.Grounder(), "centre_box": centre_box.Grounder()}
    coco = open_dataset("folder", DATA, questions=COCO)
    table(coco, {**priors, "most confident box": MostConfident(), "pocket": pocket.Grounder()})
    for sides in ((608,), (416,), SIDES):
        with things_only(sides):
            row(coco, f"pocket, things only, {' + '.join(map(str, sides))}", pocket.Grounder())
    table(open_dataset("folder", DATA, questions=CUP), {**priors, "pocket": pocket.Grounder()})
    seconds(coco)
    return 0


def table(data: Dataset, grounders: dict[str, Grounder]) -> None:
    """Prints what is scored, and a row for each method."""
    queries = list(data.queries())
    photos = len({query.image_name for query in queries})
    place = data.questions.relative_to(DATA) if data.questions else data.name
    print(f"\n{place}: {len(queries)} questions about {photos} photos")
    print(f"{'method':34} {'mean IoU':22} {'accuracy@0.5':22} states")
    for name, grounder in grounders.items():
        row(data, name, grounder)


def row(data: Dataset, name: str, grounder: Grounder) -> None:
    """Prints one method's scores; whatever is not `ok` counts 0."""
    scores = scored(data, grounder)
    values = " ".join(f"{with_interval(scores.metrics[metric]):22}" for metric in ("mean_iou", "accuracy@0.5"))
    states = ", ".join(f"{count} {state}" for state, count in scores.counts.items())
    print(f"{name:34} {values} {states}", flush=True)


def scored(data: Dataset, grounder: Grounder) -> Evaluation:
    """Returns the scores of a method on all questions of a data set."""
    queries = by_photo(data)
    groups = {query.id: query.image_name for query in queries}
    return evaluate(map_queries(queries, grounder), data.truths(), groups=groups)


def by_photo(data: Dataset) -> list[Query]:
    """Returns the queries with those of one photo together, so that each is prepared once."""
    return sorted(data.queries(), key=lambda query: query.image_name)


def with_interval(value: Value) -> str:
    """Returns a score with the ends of its interval."""
    if value.value is None or value.low is None or value.high is None:
        return "none"
    return f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]"


@contextmanager
def things_only(sides: tuple[int, ...]) -> Iterator[None]:
    """Gives pocket other input sizes of the detector, and no reader of text."""
    with (
        mock.patch.object(proposing, "propose", partial(propose, sides=sides)),
        mock.patch.object(reading, "read_text", lambda _: ()),
    ):
        yield


def seconds(data: Dataset) -> None:
    """Prints the median time of the first question about a photo, the next one, and of reading its text."""
    photos = {query.image_name: query.image for query in data.queries() if query.image}
    times: dict[str, list[float]] = {"first question": [], "next question": [], "reading text": []}
    grounder = pocket.Grounder()
    for image in list(photos.values())[:15]:
        pixels = image.load()
        grounder.prepare(image, image.size_hw)
        steps: dict[str, Callable[[], object]] = {
            "first question": partial(grounder.ground, "Where is the person?"),
            "next question": partial(grounder.ground, "Where is the person?"),
            "reading text": partial(read_text, pixels),
        }
        for name, step in steps.items():
            start = time.perf_counter()
            step()
            times[name].append(time.perf_counter() - start)
    print("\nmedian seconds: " + ", ".join(f"{name} {np.median(spent):.4f}" for name, spent in times.items()))


if __name__ == "__main__":
    sys.exit(main())
