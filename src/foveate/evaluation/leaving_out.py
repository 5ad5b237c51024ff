"""A run without some samples: those that an audit judged wrong, say."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from foveate.errors import InputError, UsageError, some
from foveate.evaluation.load import Loaded
from foveate.evaluation.wording import counted


def leave_out(loaded: Loaded, ids: Collection[str], where: str) -> Loaded:
    """Returns predictions and truths without those of some samples; a note says so.

    Args:
        loaded: The run, or the file.
        ids: The ids of the samples.
        where: What names them, for messages.

    Raises:
        InputError: One of them was not asked.
        UsageError: None would be left.
    """
    left = frozenset(ids)
    known = {truth.id for truth in loaded.truths}
    unknown = sorted(left - known)
    if unknown:
        raise InputError(
            where, f"{loaded.data.name} has no sample {some(unknown)} that was asked", "Name samples of this data set."
        )
    if left == known:
        raise UsageError(where, f"all {counted(len(known), 'sample')} would be left out", "Name fewer.")
    return replace(
        loaded,
        truths=[truth for truth in loaded.truths if truth.id not in left],
        predictions=[prediction for prediction in loaded.predictions if prediction.id not in left],
        notes=[*loaded.notes, f"{counted(len(left), 'sample')} left out, as {where} says"],
    )
