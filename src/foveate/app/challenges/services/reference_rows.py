"""The rows of a board that are no team's, as a folder names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foveate.app.challenges.models import Phase, ReferenceRow
from foveate.app.challenges.services import queue
from foveate.challenges.definition import Reference
from foveate.challenges.said import to_said
from foveate.evaluation.metric_names import metrics_named

_OF_A_PAPER = {"low": None, "high": None, "value_scored": None, "n": None, "undefined": None}


def take_references(phase: Phase, references: Sequence[Reference], *, again: bool) -> None:
    """Makes a phase's rows those that are named, in the caller's transaction; what is to be scored is queued.

    Args:
        phase: The phase.
        references: All of it.
        again: Whether rows that are as they were are scored again, since the data or metrics are others.
    """
    there = {row.name: row for row in phase.references.all()}
    for reference in references:
        row = there.pop(reference.name, None) or ReferenceRow(phase=phase, name=reference.name)
        said = to_said(reference)
        # A file may be another one under the same name.
        if row.pk and row.said == said and not again and reference.file is None and _metrics_are_there(row, phase):
            continue
        # A file that is scored again most often has not changed: until that is done its row stays.
        stays = row.pk and row.said == said and not again and _metrics_are_there(row, phase)
        row.said, row.source = said, reference.source
        row.published = reference.published is not None
        row.scores = _published(reference) if row.published else row.scores if stays else None
        row.save()
        if not row.published:
            queue.put_reference(row)
    for gone in there.values():
        gone.delete()


def _metrics_are_there(row: ReferenceRow, phase: Phase) -> bool:
    if row.published or row.scores is None:
        return True
    return set(phase.said["metrics"]) <= set(row.scores.get("metrics", ()))


def _published(reference: Reference) -> dict[str, Any]:
    """Returns a paper's values as scores."""
    given = reference.published or {}
    return {"metrics": {metrics_named(name)[0].name: {"value": value, **_OF_A_PAPER} for name, value in given.items()}}
