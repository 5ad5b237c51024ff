"""Predictions joined with truths by id, with every disagreement named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from foveate.core.boxes import size_difference
from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.errors import InputError, some
from foveate.formats.photo_names import same_letters


@dataclass(frozen=True)
class Joined:
    """Truths in their order, each with its prediction or None where it is missing."""

    truths: Sequence[Truth]
    predictions: Sequence[Prediction | None]

    @property
    def missing(self) -> list[str]:
        """Ids of the truths without a prediction."""
        return [t.id for t, p in zip(self.truths, self.predictions, strict=True) if p is None]


def join(predictions: Iterable[Prediction], truths: Iterable[Truth], *, where: str = "predictions") -> Joined:
    """Returns truths with their predictions.

    Args:
        predictions: In any order.
        truths: All that are to be scored.
        where: What the predictions come from, for messages.

    Raises:
        InputError: An id appears twice or belongs to no truth, or a prediction's size or box does not fit its truth.
    """
    ordered = list(truths)
    twice = [name for name, count in Counter(t.id for t in ordered).items() if count > 1]
    if twice:
        raise InputError("the truths", f"two have one id: {some(twice)}", "Give one truth a sample.")
    by_id = _by_id(predictions, where)
    _refuse_unknown(by_id, [t.id for t in ordered], where)
    for truth in ordered:
        if truth.id in by_id:
            _check_frame(by_id[truth.id], truth, where)
    return Joined(ordered, [by_id.get(t.id) for t in ordered])


def _refuse_unknown(given: Collection[str], known: Sequence[str], where: str) -> None:
    unknown = sorted(set(given).difference(known))
    if not unknown:
        return
    told = f"{len(unknown):,} of {len(given):,} predictions have ids that the data set does not have"
    alike = same_letters(unknown, known)
    if alike:
        raise InputError(
            where,
            f"{told}, {len(alike):,} of them its own in the same letters, written in another way (Unicode): "
            f"{some(alike)}",
            "Write them as the data set does.",
        )
    raise InputError(
        where,
        f"{told}: {some(unknown)}; its own are like {known[0] if known else '(it has none)'}",
        "Score them against the data set and split that they were made for, with its ids.",
    )


def _by_id(predictions: Iterable[Prediction], where: str) -> dict[str, Prediction]:
    by_id: dict[str, Prediction] = {}
    for prediction in predictions:
        if prediction.id in by_id:
            raise InputError(where, f"two predictions have the id {prediction.id}", "Keep one prediction a sample.")
        by_id[prediction.id] = prediction
    return by_id


def _check_frame(prediction: Prediction, truth: Truth, where: str) -> None:
    """Refuses a prediction in another frame than its truth's, since its IoU would mean nothing."""
    given, wanted = prediction.size_hw, truth.size_hw
    difference = size_difference(given, wanted) if given and wanted else None
    if difference:
        raise InputError(
            f"{where}, {truth.id}",
            f"the prediction is for a photo {difference}",
            "Predict on the photos of the data set in their own size.",
        )
    if prediction.final and wanted:
        problem = prediction.final.shape.problem(wanted)
        if problem:
            raise InputError(f"{where}, {truth.id}", problem, "Give boxes as left, top, right, bottom in pixels.")
