"""Does it look, and does it listen? Control runs beside the run as it is, and what they say in one sentence.

The rule of the sentence, for the photo (by `photo_swapped`, else `evidence_erased`) and for the question (by
`question_shuffled`, else `question_blanked`):

- *does not use*: every region and every answer stays as it was;
- *uses*: mean IoU, or the share of right answers, falls, and the 95 % interval of the paired difference is below 0;
- *not shown*: regions or answers change, but no interval of a difference is below 0: with more samples it may be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import Statistic
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.predictions import Prediction
from foveate.core.question_texts import normalised
from foveate.core.regions import Box, Shape
from foveate.errors import InputError
from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.compare import Draws
from foveate.evaluation.evaluate import check_random, finite
from foveate.evaluation.load import DataPlace
from foveate.evaluation.load_same import load_same
from foveate.evaluation.results import Results, results_of
from foveate.execution.controls import AS_IS, CONTROLS
from foveate.runs.store import is_run, read_run

Values = NDArray[np.float64]
Use = Literal["uses", "does not use", "not shown", "not tested"]
USUAL_DRAWS = Draws(1000, 0, 0)
SAME = 0.5
# Of fewer photos there is no interval: a handful that fall together would look sure.
FEW_PHOTOS = 5
_REMEDY = "Make it with `foveate controls`."
_OF_PHOTO = ("photo_swapped", "evidence_erased")
_OF_QUESTION = ("question_shuffled", "question_blanked")


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval by a bootstrap over photos.

    Attributes:
        value: None where there is no sample that it counts.
        low: Lower end; None likewise, without resamples, or of fewer than `FEW_PHOTOS` photos.
        high: Upper end.
        n: Over how many samples it is.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class ControlValues:
    """One control beside the run as it is.

    Attributes:
        name: The control.
        how: What the run records of it beside its name: seed, fill.
        n: Samples.
        mean_iou: Over the samples with a target.
        change: Of mean IoU against `as_is`, paired.
        same_regions: The share of regions whose IoU with the one of `as_is` is at least one half, over the samples in
            which either gave a region.
        same_answers: The share of answers that stay the same (apart from case, spaces and a final mark), over the
            samples in which either gave an answer.
        right_answers: The share of right answers (exact match), over the samples whose answers are known.
        answer_change: Of that share against `as_is`, paired.
        all_the_same: Whether no region and no answer changed at all, to the digit; not where it failed on all samples.
    """

    name: str
    how: Mapping[str, Any]
    n: int
    mean_iou: Estimate
    change: Estimate
    same_regions: Estimate
    same_answers: Estimate
    right_answers: Estimate
    answer_change: Estimate
    all_the_same: bool


@dataclass(frozen=True)
class Controls:
    """A method under its controls.

    Attributes:
        dataset: `NAME:SPLIT`.
        grounder: The method.
        values: By control, `as_is` first.
        photo: Whether it uses the photo.
        question: Whether it uses the question.
        verdict: Both in one sentence.
        notes: What a reader must know.
    """

    dataset: str
    grounder: str
    values: Sequence[ControlValues]
    photo: Use
    question: Use
    verdict: str
    notes: Sequence[str] = ()

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate controls --json` prints."""
        return {
            "dataset": self.dataset,
            "grounder": self.grounder,
            "verdict": self.verdict,
            "photo": self.photo,
            "question": self.question,
            "controls": [_plain(one) for one in self.values],
            "notes": list(self.notes),
        }


def read_controls(folder: Path | str, place: DataPlace | None = None, draws: Draws = USUAL_DRAWS) -> Controls:
    """Returns what stored control runs say, without the method or its photos.

    Args:
        folder: What `foveate controls --out` made: a run in a folder of each control's name.
        place: Where the data set is; runs know their own.
        draws: For the intervals.

    Raises:
        InputError: There is no run of `as_is`, one is not finished, or they are not of one method on the same samples.
    """
    check_random(draws.seed, draws.resamples, draws.permutations)
    folder = Path(folder)
    paths: dict[str, Path] = {name: folder / name for name in CONTROLS if is_run(folder / name)}
    if AS_IS not in paths:
        raise InputError(
            str(folder),
            f"there is no run in {AS_IS}, beside which controls are set",
            _REMEDY,
        )
    _check_same(paths)
    loaded = load_same(list(paths.values()), place or DataPlace())
    return controls_of([results_of(name, one) for name, one in zip(paths, loaded.values(), strict=True)], draws)


def controls_of(results: Sequence[Results], draws: Draws = USUAL_DRAWS) -> Controls:
    """Returns what control runs say: the first of them is `as_is`, each is named as its control."""
    first = results[0]
    values = [_values(first, one, draws) for one in results]
    by_name = {one.name: one for one in values}
    photo, photo_by = _use(by_name, _OF_PHOTO)
    question, question_by = _use(by_name, _OF_QUESTION)
    header = first.loaded.header
    notes = [note for one in results for note in one.loaded.notes if not note.startswith("a control")]
    notes += [note for one in results if (note := _failures(one))]
    return Controls(
        dataset=first.loaded.data.name,
        grounder=header.grounder if header else first.name,
        values=values,
        photo=photo,
        question=question,
        verdict=verdict((photo, photo_by), (question, question_by), by_name),
        notes=list(dict.fromkeys(notes)),
    )


def _failures(one: Results) -> str | None:
    """Returns what must be known where a method could not work on what was changed: that is no lack of looking."""
    failed = sum(p is not None and p.status not in {"ok", "no_region"} for p in one.predictions)
    if not failed:
        return None
    return f"{one.name}: {failed:,} of {len(one):,} predictions failed, which counts as no region and no answer"


def _check_same(paths: Mapping[str, Path]) -> None:
    runs = {name: read_run(path) for name, path in paths.items()}
    headers = {name: run.header for name, run in runs.items()}
    for name, header in headers.items():
        told = header.control.get("name", AS_IS)
        if told != name:
            raise InputError(str(paths[name]), f"the run is of {told}, not of {name}", _REMEDY)
        difference = replace(header, control={}).difference(replace(headers[AS_IS], control={}))
        if difference:
            raise InputError(
                str(paths[name]), f"it is no control of {paths[AS_IS]}: {difference}", "Make both in one folder."
            )
        if not runs[name].finished:
            raise InputError(
                str(paths[name]),
                f"the run is not finished: {len(runs[name].predictions):,} of {header.n:,}, and what it lacks would "
                "count as if the method had failed",
                "Continue it with `foveate controls … --resume`.",
            )


def _values(first: Results, one: Results, draws: Draws) -> ControlValues:
    regions, answers = _same_regions(first, one), _same_answers(first, one)
    grounded, keyed = first.regions["grounded"], first.answers["keyed"] * float(_answers(first))
    found = {
        "mean_iou": (one.regions["iou"], grounded),
        "change": (one.regions["iou"] - first.regions["iou"], grounded),
        "same_regions": regions,
        "same_answers": answers,
        "right_answers": (one.answers["exact"], keyed),
        "answer_change": (one.answers["exact"] - first.answers["exact"], keyed),
    }
    header = one.loaded.header
    how = {key: value for key, value in header.control.items() if key != "name"} if header else {}
    # Where it failed on all samples, nothing was said that could stay as it was.
    said = any(p is not None and p.status in {"ok", "no_region"} for p in (*first.predictions, *one.predictions))
    same = said and all(_equal(a, b) for a, b in zip(first.predictions, one.predictions, strict=True))
    return ControlValues(one.name, how, len(one), **_estimates(found, first.groups, draws), all_the_same=same)


def _answers(results: Results) -> bool:
    """Returns whether the method answers in words at all."""
    return any(p is not None and p.answer is not None for p in results.predictions)


def _estimates(found: Mapping[str, tuple[Values, Values]], groups: Sequence[str], draws: Draws) -> dict[str, Estimate]:
    """Returns the mean of each column over the rows that it counts, all on the same resamples."""
    statistics = {name: _mean(*columns) for name, columns in found.items() if columns[1].any()}
    ones = np.ones((1, len(groups)))
    bounds = intervals(statistics, groups, resamples=draws.resamples, seed=draws.seed) if statistics else {}
    estimates = {name: Estimate(None, None, None, 0) for name in found}
    for name, statistic in statistics.items():
        few = len({groups[row] for row in np.flatnonzero(found[name][1]).tolist()}) < FEW_PHOTOS
        low, high = (np.nan, np.nan) if few else bounds[name]
        n = round(float(found[name][1].sum()))
        estimates[name] = Estimate(finite(float(statistic(ones)[0])), finite(low), finite(high), n)
    return estimates


def _mean(values: Values, of: Values) -> Statistic:
    def mean(weights: Values) -> Values:
        n = weights @ of
        return np.asarray(np.divide(weights @ (values * of), n, out=np.full(len(weights), np.nan), where=n > 0))

    return mean


def _same_regions(first: Results, one: Results) -> tuple[Values, Values]:
    """Returns where the region stays, and where either run gave one."""
    pairs = list(zip(first.predictions, one.predictions, strict=True))
    same, either = np.zeros(len(pairs)), np.zeros(len(pairs))
    for row, (p, q) in enumerate(pairs):
        a, b = (_shape(prediction) for prediction in (p, q))
        either[row] = a is not None or b is not None
        if a is not None and b is not None:
            same[row] = a == b or _overlap(a, b, (p, q)) >= SAME
    return same, either


def _shape(prediction: Prediction | None) -> Shape | None:
    return prediction.final.shape if prediction and prediction.final else None


def _overlap(a: Shape, b: Shape, pair: tuple[Prediction | None, Prediction | None]) -> float:
    """Returns how much two regions overlap: as boxes if both are, else as masks, where the photo's size is told."""
    size_hw = next((p.size_hw for p in pair if p and p.size_hw), None)
    if size_hw is None or (isinstance(a, Box) and isinstance(b, Box)):
        return float(box_iou(a.xyxy, b.xyxy, empty=0.0))
    return float(mask_iou([a.rle(size_hw)], [b.rle(size_hw)], empty=0.0)[0])


def _same_answers(first: Results, one: Results) -> tuple[Values, Values]:
    ours, theirs = (
        [None if p is None or p.answer is None else normalised(p.answer) for p in run.predictions]
        for run in (first, one)
    )
    same = [a == b for a, b in zip(ours, theirs, strict=True)]
    either = [a is not None or b is not None for a, b in zip(ours, theirs, strict=True)]
    return np.array(same, dtype=np.float64), np.array(either, dtype=np.float64)


def _equal(a: Prediction | None, b: Prediction | None) -> bool:
    if a is None or b is None:
        return a is b
    return (a.status, a.answer, _shape(a)) == (b.status, b.answer, _shape(b))


def _use(by_name: Mapping[str, ControlValues], names: Sequence[str]) -> tuple[Use, ControlValues | None]:
    """Returns whether a method uses what controls take away, and the control that says so."""
    there = [by_name[name] for name in names if name in by_name]
    if not there:
        return "not tested", None
    one = there[0]
    if one.all_the_same:
        return "does not use", one
    falls = _falls(one.change) or _falls(one.answer_change)
    return ("uses" if falls else "not shown"), one


def verdict(
    photo: tuple[Use, ControlValues | None],
    question: tuple[Use, ControlValues | None],
    by_name: Mapping[str, ControlValues],
) -> str:
    """Returns in one sentence whether a method looks at the photo and reads the question."""
    looks = {
        "uses": "It looks at the photo",
        "does not use": "It does not use the photo",
        "not shown": "It is not shown to gain from the photo",
    }
    reads = {
        "uses": "reads the question",
        "does not use": "does not use the question",
        "not shown": "is not shown to gain from the question",
    }
    tested = [(use, by, words) for (use, by), words in ((photo, looks), (question, reads)) if by is not None]
    if not tested:
        return "Nothing was changed, so that nothing is shown."
    if [use for use, *_ in tested] == ["does not use"] * 2:
        return "It uses neither the photo nor the question: with others every region and answer stays the same."
    said = [words[use] for use, _, words in tested]
    said[0] = said[0] if said[0].startswith("It") else f"It {said[0]}"
    joint = " and " if len({use for use, *_ in tested}) == 1 else ", but "
    why = [_why(use, by) for use, by, _ in tested if by is not None]
    erased = by_name.get("evidence_erased")
    if erased is not None and photo[0] == "uses" and photo[1] is not erased:
        why.append(_why("not shown", erased))
    return f"{joint.join(said)}: {'; '.join(why)}."


_WITH = {
    "photo_swapped": "with another photo",
    "evidence_erased": "with the evidence erased",
    "question_shuffled": "with another question",
    "question_blanked": "without a question",
}


def _why(use: Use, by: ControlValues) -> str:
    place = _WITH[by.name]
    if use == "does not use":
        return f"{place} every region and answer stays the same"
    said, before = [], ""
    for what, one in (("mean IoU", by.change), ("the share of right answers", by.answer_change)):
        if one.value is not None and (use != "uses" or _falls(one)):
            verb = "falls by" if _falls(one) else "changes by"
            said.append(f"{what} {'by' if verb == before else verb} {_amount(one)}")
            before = verb
    return f"{place} {' and '.join(said)}" if said else f"{place} no value is defined"


def _falls(one: Estimate) -> bool:
    return one.high is not None and one.high < 0


def _amount(one: Estimate) -> str:
    sides = [0.0 if side is None else side for side in (one.value, one.low, one.high)]
    if _falls(one):
        value, high, low = (f"{-side:.3f}" for side in sides)
    else:
        value, low, high = (f"{round(side, 3) + 0.0:+.3f}" for side in sides)
    return value if one.low is None else f"{value} [{low}, {high}]"


def _plain(one: ControlValues) -> dict[str, Any]:
    told = {name: vars(value) if isinstance(value, Estimate) else value for name, value in vars(one).items()}
    return {**told, "how": dict(one.how)}
