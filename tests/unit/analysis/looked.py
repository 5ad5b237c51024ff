"""Small data sets of photos and targets for the tests of what the analysis sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Literal, cast

import numpy as np

from foveate.analysis.columns import Analysis, Columns, Complexity, Group, Grouping
from foveate.core.boxes import SizeHW
from foveate.core.cards import DatasetCard
from foveate.core.queries import Image, Query
from foveate.core.rle import area, merge
from foveate.core.truths import Target, Truth
from foveate.datasets._open import Dataset
from foveate.datasets._options import Options


@dataclass
class Sample:
    """One sample of a made data set."""

    targets: Sequence[Target]
    question: str = "What is this?"
    answer: str | None = "cup"
    photo: str = ""
    image: Image | None = None
    facts: Mapping[str, Sequence[str]] = field(default_factory=dict)


class _Made:
    def __init__(self, samples: Sequence[Sample], size_hw: SizeHW) -> None:
        self._samples, self._size_hw = samples, size_hw

    def queries(self, root: object, split: str, options: Options) -> Iterator[Query]:
        for k, one in enumerate(self._samples):
            yield Query(f"s{k}", one.photo or f"p{k}.png", one.image, one.question, self._size_hw)

    def truths(self, root: object, split: str, options: Options) -> Iterator[Truth]:
        for k, one in enumerate(self._samples):
            answers = (one.answer,) if one.answer else ()
            match: Literal["single", "union"] = "union" if len(one.targets) > 1 else "single"
            facts = {name: tuple(values) for name, values in one.facts.items()}
            yield Truth(f"s{k}", answers, tuple(one.targets), match, size_hw=self._size_hw, facts=facts)


def dataset(
    samples: Sequence[Sample], size_hw: SizeHW, evaluate_as: Literal["box", "mask"] = "mask", name: str = "made"
) -> Dataset:
    """Returns a data set of these samples, which all have photos of one size."""
    card = DatasetCard(name, "Made", "Made.", "none", None, None, {"all": None}, evaluate_as)
    return Dataset(card, "all", None, None, False, cast(ModuleType, _Made(samples, size_hw)))


def analysed(samples: Sequence[Sample], size_hw: SizeHW, name: str = "made:all") -> Analysis:
    """Returns the analysis of these samples: only what the chapters on photos need is true."""
    rows = [k for k, one in enumerate(samples) if one.targets]
    kept = [samples[k] for k in rows]
    regions = [merge([target.shape.rle(size_hw) for target in one.targets]) for one in kept]
    nothing = np.full(len(rows), np.nan)
    columns = Columns(
        ids=[f"s{k}" for k in rows],
        photos=[samples[k].photo or f"p{k}.png" for k in rows],
        questions=[one.question for one in kept],
        answers=[one.answer for one in kept],
        size_hw=np.array([size_hw] * len(rows), dtype=np.int64).reshape(-1, 2),
        centre=np.full((len(rows), 2), 0.5),
        coverage=np.array([area(region) / (size_hw[0] * size_hw[1]) for region in regions]),
        points=nothing,
        complexity=nothing,
        parts=np.ones(len(rows), dtype=np.int64),
        targets=np.array([len(one.targets) for one in kept], dtype=np.int64),
        facts={},
    )
    groupings = {
        "question": _grouping("question", [[one.question.lower().rstrip("?")] for one in kept]),
        "answer": _grouping("answer", [[one.answer] if one.answer else [] for one in kept]),
    }
    for fact in sorted({fact for one in kept for fact in one.facts}):
        groupings[fact] = _grouping(fact, [one.facts.get(fact, ()) for one in kept])
    return Analysis(name, len(samples), columns, groupings, Complexity("vertices", 10, {}), [])


def _grouping(name: str, keys: Sequence[Sequence[str]]) -> Grouping:
    found: dict[str, list[int]] = {}
    for row, names in enumerate(keys):
        for key in names:
            found.setdefault(key, []).append(row)
    ordered = sorted(found.items(), key=lambda told: (-len(told[1]), told[0]))
    return Grouping(name, [Group(key, np.array(rows)) for key, rows in ordered], sum(map(bool, keys)), "as it is")
