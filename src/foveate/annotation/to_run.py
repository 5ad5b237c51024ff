"""People as a method: the submissions of a re-annotation as a run, and how far people agree.

Each task becomes a prediction of the grounder `people`: every person's region a candidate, and one of them, or one made
of all, the final one. Where more people say that there is nothing to draw than drew, there is no region.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from foveate.annotation.submissions import Submission, of_people
from foveate.annotation.target_rules import TargetRule, target_rule
from foveate.annotation.targets import by_task, flag_of, reason_of, shape_of
from foveate.core.boxes import SizeHW
from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Region, Shape
from foveate.datasets._open import Dataset, fingerprint
from foveate.errors import InputError, UsageError
from foveate.quality.aggregation import Aggregator
from foveate.quality.drawings import Drawing, pixels
from foveate.quality.overlaps import overlaps
from foveate.runs._told import told
from foveate.runs.header import Header
from foveate.runs.provenance import provenance
from foveate.runs.store import writing

AGREEMENT = "agreement.json"
GROUNDER = "people"
# What becomes the final region, where nobody says otherwise.
USUAL = "best_agreement"


@dataclass(frozen=True)
class Agreement:
    """How far people agree who drew the same.

    Attributes:
        n: Samples that two or more people drew.
        pairs: Pairs of their regions.
        mean: Mean intersection over union over those pairs; None without any.
        people: How many people drew anything.
        no_region: Samples for which more people drew nothing than something.
    """

    n: int
    pairs: int
    mean: float | None
    people: int
    no_region: int


def people_run(
    submissions: Sequence[Submission], data: Dataset, out: Path, *, rule: TargetRule | None = None
) -> Agreement:
    """Writes a run of what people drew, to be scored by `foveate score`, and returns how far they agree.

    `agreement.json` beside the predictions holds the same. Queries that nobody did are not part of the run, and what
    was decided is nobody's drawing.

    Args:
        submissions: Of one project.
        data: The data set that was drawn again; tasks are its queries.
        out: The run's folder; it must not hold a run.
        rule: Which region is the final one: an aggregator, by default `best_agreement`.

    Raises:
        InputError: A task is no query of the data set, or is of another photo or question.
        UsageError: There is a run already, or the rule makes no one region, or does not take what was drawn.
        OutputError: It cannot be written.
    """
    chosen = rule or target_rule(USUAL)
    if chosen.aggregator is None:
        raise UsageError(f"rule {chosen.name}", "it is none for a run, which has one final region", chosen.remedy)
    queries = list(data.queries(with_images=False))
    tasks = by_task(of_people(submissions))
    known = {query.id: query for query in queries}
    for task, sent in tasks.items():
        _check_query(task, sent[0], known, data.name)
    ids = [query.id for query in queries if query.id in tasks]
    predictions = [_prediction(task, tasks[task], chosen.aggregator) for task in ids]
    found = agreement([tasks[task] for task in ids])
    header = _header(data, queries, ids, chosen.aggregator.told, found)
    with writing(out, header, resume=False) as run:
        for prediction in predictions:
            run.append(prediction)
    with told(out / AGREEMENT, "Choose another --out."):
        (out / AGREEMENT).write_text(json.dumps(asdict(found)) + "\n", encoding="utf-8")
    return found


def agreement(tasks: Sequence[Sequence[Submission]]) -> Agreement:
    """Returns how far people agree, over all pairs of regions that two people drew for one task."""
    values: list[float] = []
    n = 0
    for sent in tasks:
        shapes = _shapes(sent)
        table = overlaps(shapes, sent[0].size_hw)
        values += [float(table[one, other]) for one, other in combinations(range(len(shapes)), 2)]
        n += len(shapes) > 1
    people = {submission.annotator for sent in tasks for submission in sent if shape_of(submission)}
    nothing = sum(_no_region(sent) is not None for sent in tasks)
    return Agreement(n, len(values), float(np.mean(values)) if values else None, len(people), nothing)


def _check_query(task: str, submission: Submission, known: Mapping[str, Query], name: str) -> None:
    query = known.get(task)
    if query is None:
        raise InputError(task, f"the task is no question of {name}", "Name the data set that was drawn again.")
    for what, mine, theirs in (
        ("photo", submission.image_name, query.image_name),
        ("question", submission.question, query.question),
        ("size (height, width)", submission.size_hw, query.size_hw or submission.size_hw),
    ):
        if mine != theirs:
            problem = f"its {what} is {mine!r} in the submissions and {theirs!r} in {name}"
            raise InputError(task, problem, "Name the data set that was drawn again.")


def _prediction(task: str, sent: Sequence[Submission], rule: Aggregator) -> Prediction:
    size_hw = sent[0].size_hw
    drawings = [Drawing(shape, one.annotator) for one in sent if (shape := shape_of(one))]
    why = _no_region(sent)
    final = None
    if why is None:
        # Of what was drawn, before it is stored as pixels: the same as in a data set.
        final = rule.region(drawings, size_hw)
        why = None if final else f"By the rule {rule.told} nothing is left of {len(drawings)} drawings."
    # The final one stands first, unless it was made of all.
    ordered = sorted(drawings, key=lambda one: one.shape is not final)
    return Prediction(
        task,
        "ok" if final else "no_region",
        final=Region(_stored(final, size_hw), None) if final else None,
        candidates=tuple(Region(_stored(one.shape, size_hw), None) for one in ordered),
        size_hw=size_hw,
        seconds=float(np.mean([submission.seconds for submission in sent])),
        reason=why,
    )


def _shapes(sent: Sequence[Submission]) -> list[Box | Mask]:
    """Returns what was drawn, as a run holds it: polygons as masks."""
    shapes = (shape_of(submission) for submission in sent)
    return [_stored(shape, sent[0].size_hw) for shape in shapes if shape is not None]


def _stored(shape: Shape, size_hw: SizeHW) -> Box | Mask:
    if isinstance(shape, Box | Mask):
        return shape
    # An outline so thin that no pixel's centre lies in it is told by its box; a mask of nothing is none.
    return Mask(shape.rle(size_hw)) if pixels(shape, size_hw) else Box(shape.xyxy)


def _no_region(sent: Sequence[Submission]) -> str | None:
    """Returns why there is no region, where more people say so than drew."""
    flags = Counter(flag for submission in sent if (flag := flag_of(submission)))
    drawn = len(_shapes(sent))
    if drawn and flags.total() <= drawn:
        return None
    reasons = dict.fromkeys(reason for submission in sent if (reason := reason_of(submission)))
    told = ", ".join(f"{flag.replace('_', ' ')} {n}" for flag, n in flags.most_common()) or "nothing was drawn"
    return f"{flags.total()} of {len(sent)} people: {told}{''.join(f'; {reason}' for reason in reasons)}."


def _header(data: Dataset, queries: Sequence[Query], ids: Sequence[str], rule: str, found: Agreement) -> Header:
    if not ids:
        raise InputError(data.name, "nobody has done any of its questions", "Give the submissions that are about it.")
    card = GrounderCard(
        name=GROUNDER,
        summary=f"What {found.people} {'person' if found.people == 1 else 'people'} drew, blind to the targets.",
        reference="Submissions of a re-annotation (docs/annotation-files.md).",
        needs_image=True,
        answers=False,
        regions="box" if data.card.evaluate_as == "box" else "mask",
        limits="People who drew for this data set before may have seen its targets.",
    )
    return Header(
        dataset=data.name,
        fingerprint=fingerprint(list(queries)),
        grounder=GROUNDER,
        config={"rule": rule},
        n=len(ids),
        n_dataset=len(queries),
        ids=tuple(ids) if len(ids) < len(queries) else None,
        skipped=tuple(data.skipped),
        card=asdict(card),
        settings=dict(data.settings),
        places={"root": _absolute(data.root), "questions": _absolute(data.questions)},
        provenance=provenance(),
    )


def _absolute(path: Path | None) -> str | None:
    return None if path is None else str(path.absolute())
