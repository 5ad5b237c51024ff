"""What the real files of VizWiz must give, computed independently (`../shared/data/README.md`, metrics F)."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from foveate.core.rle import area
from foveate.core.truths import Truth
from foveate.datasets._open import open_dataset
from tests.helpers import SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]


@pytest.fixture(scope="module")
def truths() -> list[Truth]:
    return list(open_dataset("vizwiz_grounding:val", SHARED / "vizwiz").truths())


def coverage(truth: Truth) -> float:
    assert truth.size_hw
    height, width = truth.size_hw
    return area(truth.targets[0].shape.rle(truth.size_hw)) / (height * width)


def test_the_joins_reach_as_many_as_they_can() -> None:
    data = open_dataset("vizwiz_grounding:val", SHARED / "vizwiz")
    list(data.truths())
    assert data.remarks == [
        "VizWiz-VQA: 956 of 1,131 samples (val_vqa_partial.json)",
        "VizWiz-VQA-Skills: 956 of 1,131 samples (vizwiz_skill_typ_val.csv)",
        "image quality issues: 1,131 of 1,131 samples (val.json)",
    ]


def test_the_quality_of_the_photos(truths: list[Truth]) -> None:
    assert Counter(truth.facts["quality"] for truth in truths) == {"none": 892, "medium": 194, "severe": 45}
    mean = {
        level: float(np.mean([coverage(truth) for truth in truths if truth.facts["quality"] == level]))
        for level in ("none", "medium", "severe")
    }
    assert mean == pytest.approx({"none": 0.278, "medium": 0.475, "severe": 0.816}, abs=0.002)


def test_severe_photos_are_mostly_asked_for_a_colour(truths: list[Truth]) -> None:
    severe = [truth for truth in truths if truth.facts["quality"] == "severe" and "skills" in truth.facts]
    colour = [truth for truth in severe if "colour" in np.atleast_1d(truth.facts["skills"])]
    assert (len(colour), len(severe)) == (38, 43)


def test_confidences_belong_to_their_answers() -> None:
    by_hand = dict(
        zip(
            ("unsuitable", "persons chest", "t shirt"),  # The first record of the file, as it is written there.
            (("yes",), ("maybe",), ("no", "yes")),
            strict=True,
        )
    )
    first = next(open_dataset("vizwiz_vqa:val", SHARED / "vizwiz").truths())
    assert first.id == "VizWiz_val_00001165.jpg"
    confidences = first.facts["confidences"]
    assert isinstance(confidences, tuple)
    for answer, expected in by_hand.items():
        found = tuple(c for a, c in zip(first.answers, confidences, strict=True) if a == answer)
        assert found == expected


def test_vizwiz_vqa_is_a_part_here() -> None:
    data = open_dataset("vizwiz_vqa:val", SHARED / "vizwiz")
    truths = list(data.truths())
    assert len(truths) == 3_039
    types = Counter(truth.facts["answer_type"] for truth in truths)
    assert types == {"other": 1862, "unanswerable": 1007, "yes/no": 124, "number": 46}
    assert sum(not truth.answerable for truth in truths) == 822
    assert {re.sub(r"\d+", "#", truth.id) for truth in truths} == {"VizWiz_val_#.jpg"}
