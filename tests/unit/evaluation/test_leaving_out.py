from __future__ import annotations

from pathlib import Path

import pytest

from foveate.core.regions import Box
from foveate.errors import InputError, UsageError
from foveate.evaluation.leaving_out import leave_out
from foveate.evaluation.load import DataPlace, load
from foveate.evaluation.score import score_loaded
from tests.unit.reports.made import QUESTIONS, answering, write_run, write_table


@pytest.fixture
def run(tmp_path: Path) -> Path:
    table = write_table(tmp_path / "data", QUESTIONS)
    return write_run(tmp_path / "run", table, [answering(q[0], Box((0, 0, 32, 24)), "cup") for q in QUESTIONS])


def test_values_are_those_of_the_others_and_a_note_says_so(run: Path) -> None:
    loaded = load(run, DataPlace())
    whole = score_loaded(loaded, resamples=0)
    first = QUESTIONS[0][0]
    rest = score_loaded(leave_out(loaded, [first], "wrong.txt"), resamples=0)
    assert rest.n == whole.n - 1
    assert rest.notes == [*whole.notes, "1 sample left out, as wrong.txt says"]
    assert first not in [truth.id for truth in leave_out(loaded, [first], "w").truths]
    # The mean of all is made of that of the one and that of the others.
    alone = score_loaded(leave_out(loaded, [q[0] for q in QUESTIONS[1:]], "w"), resamples=0)
    total = sum((e.metrics["mean_iou"].value or 0.0) * e.metrics["mean_iou"].n for e in (rest, alone))
    assert total == pytest.approx((whole.metrics["mean_iou"].value or 0.0) * whole.metrics["mean_iou"].n)


def test_unknown_ids_and_all_of_them_are_refused(run: Path) -> None:
    loaded = load(run, DataPlace())
    with pytest.raises(InputError, match="has no sample nobody that was asked"):
        leave_out(loaded, ["nobody"], "wrong.txt")
    with pytest.raises(UsageError, match="all 4 samples would be left out"):
        leave_out(loaded, [q[0] for q in QUESTIONS], "wrong.txt")
