"""The ways to part the samples of a run: by their targets, their question and answer, and what the data set knows.

A slicing is a `Grouping` whose rows are those of `Results`: every truth, also one without a target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from foveate.analysis._regions import answer_of
from foveate.analysis.columns import Grouping
from foveate.analysis.groups import by_facts, by_texts, fact_name, grouping_of
from foveate.analysis.measure import measure_pairs
from foveate.analysis.rules import THIRDS, WHOLE_ABOVE, thirds, whole
from foveate.core.queries import Query
from foveate.core.question_texts import question_prefix
from foveate.core.truths import Fact, Truth
from foveate.errors import InputError, UsageError, did_you_mean
from foveate.evaluation.results import Results

# A slice of fewer samples says more about chance than about the method.
LEAST = 5
ALL, ROTATED = "all", "rotated"
# Of the questions' first words, so many groups stand alone; the rest are one group.
MOST_PREFIXES = 15
OTHER = "(other)"
Keys = Sequence[tuple[str, ...]]

BANDS = ("under 0.05", "0.05 to 0.20", "0.20 and more")
POINTS = ("4 or fewer", "5 to 9", "10 to 19", "20 and more")
PARTS = ("1", "2", "3", "4 and more")
TURNED = ("upright", "turned")
OWN = ("coverage", "coverage_bands", "whole_image", "points", "parts", "targets", "question_prefix")
RESERVED = (*OWN, "question", "answer", ROTATED, ALL)


def slicings(results: Results, by: Sequence[str] = ()) -> dict[str, Grouping]:
    """Returns the ways to part the samples of a run, by name; one of which nothing is known is left out.

    They are `coverage` (thirds of the photo, as in the VizWiz paper), `coverage_bands`, `whole_image`, `points`,
    `parts`, `targets`, `question_prefix`, `question`, `answer`, and each fact of the data set that has few values; a
    fact that is called as one of these is told as `fact points`.

    Args:
        results: The run.
        by: What is asked for beside: facts with very many values, and `rotated`, for which each photo's file is opened.

    Raises:
        InputError: The data set cannot be read again for its photos.
    """
    names = dict.fromkeys(name for truth in results.truths for name in truth.facts)
    facts: dict[str, list[Fact | None]] = {name: [t.facts.get(name) for t in results.truths] for name in names}
    asked = [name for name in facts if fact_name(name, RESERVED) in by]
    found = {grouping.name: grouping for grouping in (*_by_target(results), *_by_prefix(results))}
    found |= by_texts([q.question for q in results.queries], [answer_of(truth) for truth in results.truths])
    found |= by_facts(facts, asked, RESERVED)
    if ROTATED in by:
        found[ROTATED] = _by_rotation(results)
    return {name: grouping for name, grouping in found.items() if grouping.known}


def slicings_named(results: Results, names: Sequence[str]) -> dict[str, Grouping]:
    """Returns slicings in the order of their names; `all` stands for each that has two slices of `LEAST` samples.

    Raises:
        UsageError: There is none of a name, or nothing is known by it here.
    """
    there = slicings(results, names)
    chosen: dict[str, Grouping] = {}
    for name in names:
        if name == ALL:
            chosen |= {key: grouping for key, grouping in there.items() if _parts_them(grouping)}
        elif name in there:
            chosen[name] = there[name]
        else:
            raise _unknown(name, results, there)
    return chosen


def _unknown(name: str, results: Results, there: Mapping[str, Grouping]) -> UsageError:
    where = f"slicing {name}"
    if name in RESERVED:
        what = f"it is known of no sample of {results.loaded.data.name}"
        return UsageError(where, what, f"There are: {', '.join([*there, ALL])}.")
    facts = dict.fromkeys(fact_name(fact, RESERVED) for truth in results.truths for fact in truth.facts)
    known = dict.fromkeys([*there, *facts, ROTATED, ALL])
    return UsageError(where, "the samples are not parted by it", did_you_mean(name, known))


def _parts_them(grouping: Grouping) -> bool:
    return sum(len(group.rows) >= LEAST for group in grouping.groups) >= 2


def _by_target(results: Results) -> Iterator[Grouping]:
    """Yields what targets are parted by; a truth without one is in none of these slices, but in `targets`."""
    as_boxes = results.loaded.data.card.evaluate_as == "box"
    columns = measure_pairs(_sized(results), as_boxes=as_boxes).columns
    row_of = {truth.id: row for row, truth in enumerate(results.truths)}
    rows = [row_of[name] for name in columns.ids]
    is_whole = whole(columns).astype(np.int64)
    covered = "share of the photo that the target covers"
    for name, values, edges, titles, note in (
        ("coverage", thirds(columns.coverage), (1, 2), THIRDS, f"{covered}, by thirds"),
        ("coverage_bands", columns.coverage, (0.05, 0.2), BANDS, covered),
        ("whole_image", is_whole, (1,), ("no", "yes"), f"the target covers more than {WHOLE_ABOVE} of the photo"),
        ("points", columns.points, (5, 10, 20), POINTS, "corners as they were drawn; a box has four"),
        ("parts", columns.parts, (2, 3, 4), PARTS, "connected parts of the target"),
    ):
        keys: list[tuple[str, ...]] = [()] * len(results)
        for row, key in zip(rows, _binned(values, edges, titles), strict=True):
            keys[row] = key
        yield grouping_of(name, keys, note, ranks=titles)
    counts = [str(len(truth.targets)) for truth in results.truths]
    yield grouping_of("targets", [(n,) for n in counts], ranks=sorted(set(counts), key=int))


def _binned(values: NDArray[np.floating] | NDArray[np.integer], edges: Sequence[float], titles: Sequence[str]) -> Keys:
    """Returns the title of the bin of each value, each edge the first value of the next bin; none where it is NaN."""
    there = np.isfinite(np.asarray(values, dtype=np.float64))
    return [(titles[b],) if known else () for b, known in zip(np.digitize(values, edges), there, strict=True)]


def _sized(results: Results) -> Iterator[tuple[Query, Truth]]:
    """Yields queries and truths, with the photo's size from the prediction where the data set does not tell it."""
    for query, truth, prediction in zip(results.queries, results.truths, results.predictions, strict=True):
        size_hw = query.size_hw or (prediction.size_hw if prediction else None)
        yield replace(query, size_hw=size_hw), truth


def _by_prefix(results: Results) -> Iterator[Grouping]:
    prefixes = [question_prefix(query.question) for query in results.queries]
    counted = grouping_of("question_prefix", [(prefix,) for prefix in prefixes])
    common = [group.key for group in counted.groups if len(group.rows) >= LEAST][:MOST_PREFIXES]
    keys = [(prefix if prefix in common else OTHER,) for prefix in prefixes]
    note = f"first two words; the {MOST_PREFIXES} most common, each of at least {LEAST} samples, the others in one"
    yield grouping_of("question_prefix", keys, note, ranks=common)


def _by_rotation(results: Results) -> Grouping:
    """Returns the slices of photos whose files hold them turned or mirrored; files that are not at hand in neither."""
    photos = {query.id: query.image for query in results.loaded.data.queries(with_images=True)}
    keys: list[tuple[str, ...]] = []
    for truth in results.truths:
        orientation = None
        with suppress(InputError):  # A photo that cannot be read tells nothing, as one that is not here.
            orientation = getattr(photos.get(truth.id), "orientation", None)
        keys.append(() if orientation is None else (TURNED[orientation != 1],))
    return grouping_of(ROTATED, keys, "EXIF orientation of the photo's file", ranks=TURNED)
