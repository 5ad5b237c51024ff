"""The sets of questions on which `pocket` is measured, and the rows of their tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks._proxy import DATA, Sample, Wording, held_out, photos, present

from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.datasets._open import open_dataset
from foveate.evaluation.compare import Draws, differences
from foveate.evaluation.evaluate import DEFAULT_METRICS, Value, summarise
from foveate.evaluation.measured import Measured, measured
from foveate.sources.images import FileImage

CUP = DATA / "toloka" / "photo_items.csv"
HALVES = {"dev": False, "held-out": True}
RESAMPLES = 1000


@dataclass(frozen=True)
class Asked:
    """Questions with what is right, about one set of photos."""

    name: str
    queries: Sequence[Query]
    truths: Sequence[Truth]
    samples: Sequence[Sample] = ()

    def measured(self, predictions: Sequence[Prediction], *metrics: str) -> Measured:
        """Returns what the metrics measure on predictions."""
        groups = {query.id: query.image_name for query in self.queries}
        return measured(predictions, self.truths, metrics=metrics or DEFAULT_METRICS, groups=groups)


def halves(wording: Wording) -> list[Asked]:
    """Returns the questions in one wording for what is there, on the photos of development and on the held-out."""
    return [of(f"{name}, {wording}", half(present(photos(), wording), out)) for name, out in HALVES.items()]


def ours() -> Asked:
    """Returns our own questions, on all photos."""
    return of("our 110 questions, all photos", present(photos(), "ours"))


def cup() -> Asked:
    """Returns the cup's own questions about the photos that are at hand."""
    data = open_dataset("folder", DATA, questions=CUP)
    return Asked("the cup's own", list(data.queries()), list(data.truths()))


def demo() -> Asked:
    """Returns the demo's questions that have a target, with outlines drawn by hand."""
    samples = [(query, truth) for query, truth in open_dataset("photos").samples() if truth.targets]
    return Asked("the demo's photos, mask IoU", *map(list, zip(*samples, strict=True)))


def of(name: str, samples: Sequence[Sample]) -> Asked:
    """Returns samples as one set."""
    return Asked(name, [each.query for each in samples], [each.truth for each in samples], samples)


def half(samples: Sequence[Sample], out: bool) -> list[Sample]:
    """Returns the samples about photos of one half."""
    return [each for each in samples if held_out(each.query.image_name) == out]


def blind() -> Asked:
    """Returns the questions of people who are blind about photos that are at hand; nothing is scored on so few."""
    folder = DATA / "vizwiz"
    asked_for = json.loads((folder / "val_grounding.json").read_text(encoding="utf-8"))
    found = {name: each["question"] for name, each in asked_for.items()}
    partly = json.loads((folder / "val_vqa_partial.json").read_text(encoding="utf-8"))
    found.update((each["image"], each["question"]) for each in partly)
    paths = [path for path in sorted((folder / "images").glob("*.jpg")) if path.name in found]
    images = [FileImage(path) for path in paths]
    return Asked("VizWiz", [Query(each.name, each.name, each, found[each.name], each.size_hw) for each in images], [])


def table(questions: Asked, said: Mapping[str, Sequence[Prediction]], base: str = "pocket") -> None:
    """Prints a row for each method: its values, and what is `base` minus it, on the same resamples."""
    names = {query.image_name for query in questions.queries}
    print(f"\n{questions.name}: {len(questions.queries)} questions about {len(names)} photos")
    print(f"{'method':27} {'mean IoU':20} {'acc@0.5':20} {f'{base} minus it: IoU':24} {'acc@0.5':24} states")
    found = {name: questions.measured(predictions) for name, predictions in said.items()}
    pairs = [(name, base) for name in found if name != base]
    apart = {
        (each.first, each.metric): between(each.difference, each.low, each.high, "+")
        for each in differences(found, pairs, Draws(RESAMPLES, 0, 0))
    }
    for name, one in found.items():
        scores = summarise(one, resamples=RESAMPLES, seed=0)
        values = " ".join(f"{with_interval(scores.metrics[metric]):20}" for metric in DEFAULT_METRICS)
        further = " ".join(f"{apart.get((name, metric), ''):24}" for metric in DEFAULT_METRICS)
        states = ", ".join(f"{count} {state}" for state, count in scores.counts.items())
        print(f"{name:27} {values} {further} {states}", flush=True)


def with_interval(value: Value) -> str:
    """Returns a score with the ends of its interval."""
    return between(value.value, value.low, value.high)


def between(value: float | None, low: float | None, high: float | None, sign: str = "") -> str:
    """Returns a value with the ends of its interval, if it has one: of a single photo there is none."""
    if value is None:
        return "none"
    if low is None or high is None:
        return f"{value:{sign}.3f}"
    return f"{value:{sign}.3f} [{low:{sign}.3f}, {high:{sign}.3f}]"
