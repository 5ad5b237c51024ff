"""What is said of findings: the sentences that a person reads first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from foveate.core.regions import Box
from foveate.core.soft_maps import SoftMap
from foveate.evaluation.anatomy import anatomy
from foveate.evaluation.answer_evidence import answer_evidence
from foveate.evaluation.estimates import Draws, Estimate
from foveate.evaluation.sweep import cuts, sweeps
from foveate.evaluation.telling import anatomy_part, answers_part, share, sweep_sentences
from tests.unit.evaluation.made import SIZE, asked, results, said

TARGET, ASIDE = Box((20, 20, 60, 60)), Box((70, 70, 90, 90))
NONE = Draws(0)


def test_shares_are_percent_with_their_interval() -> None:
    assert share(Estimate(0.25, 0.1, 0.4)) == "25.0 % (10.0 to 40.0)"
    assert share(Estimate(0.25, None, None)) == "25.0 %"
    assert share(Estimate(None, None, None)) == "n/a"


def test_what_most_is_lost_by() -> None:
    two = results([(said("a", TARGET), asked("a", TARGET)), (said("b", ASIDE), asked("b", TARGET))])
    (sentence,) = anatomy_part(anatomy(two, draws=NONE)).sentences
    assert sentence.startswith(
        "made: 1 of 2 samples with a target are hits; most of what the others lose is lost as els"
    )
    assert "elsewhere, 100.0 % of the whole loss: does not touch" in sentence
    (right,) = anatomy_part(anatomy(results([(said("a", TARGET), asked("a", TARGET))]), draws=NONE)).sentences
    assert right == "made: 1 of 1 sample with a target are hits; what is lost is lost within them."


def test_without_targets_there_is_nothing_to_hit() -> None:
    found = anatomy(results([(said("a", TARGET), asked("a"))]), draws=NONE)
    assert list(anatomy_part(found).sentences) == [
        "No sample has a target, so that there is nothing to hit.",
        "Without a target: 0 rightly without a region, 1 with a needless one, 0 failed or missing.",
    ]
    assert list(anatomy_part(found).rows) == []


def test_what_cannot_be_told_without_a_size() -> None:
    pair = replace(said("a", TARGET), size_hw=None), replace(asked("a", TARGET), size_hw=None)
    told = anatomy_part(anatomy(results([pair]), draws=NONE)).sentences
    assert told[-1] == "The size of the photo is not known for 1 sample: whole_image cannot be told there."


def test_kinds_of_answers_that_there_are_not_take_no_row() -> None:
    made = results([(said("a", TARGET, answer="dog", score=0.5), asked("a", TARGET, answers=("dog",)))])
    part = answers_part(answer_evidence(made, draws=NONE))
    assert [row[:3] for row in part.rows] == [
        ["right", "right", "1"],
        ["right", "wrong", "0"],
        ["wrong", "right", "0"],
        ["wrong", "wrong", "0"],
    ]
    assert "No answer has a score that can be judged, so that there is no calibration of it." in part.sentences
    assert "Calibration error of the region's score: 0.5000 (n/a), over 1." in part.sentences


def test_the_caveat_is_always_the_last_word_on_thresholds() -> None:
    soft = SoftMap.over(np.array([[0.2, 0.8], [0.1, 0.3]]), SIZE)
    made = results([(said("a", TARGET, soft=soft), asked("a", TARGET))])
    for sweep in sweeps(made, cuts(made), draws=NONE):
        told = sweep_sentences(sweep)
        assert told[-1] == sweep.caveat
        assert "All maps are of one photo, so that nothing can be cross-fitted." in told
