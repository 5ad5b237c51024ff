"""People and a method on data of one's own, from the file to the shares."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foveate import ground
from foveate.evaluation.ceiling import ceiling
from foveate.evaluation.estimates import Draws
from foveate.evaluation.load import DataPlace
from foveate.evaluation.results import all_results


def test_two_annotators_of_a_file_and_the_whole_image(tmp_path: Path) -> None:
    samples = [
        {
            "image": f"{n}.jpg",
            "question": "What is this?",
            "width": 100,
            "height": 50,
            "match": "any",
            "targets": [
                {"box": [0, 0, 20 + n, 50], "annotator": "ann"},
                {"box": [0, 0, 40, 50], "annotator": "bob"},
            ],
        }
        for n in range(5)
    ]
    file = tmp_path / "samples.jsonl"
    file.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    ground(str(file), grounder="whole_image", out=tmp_path / "whole")
    found = ceiling(all_results([tmp_path / "whole"], DataPlace()), draws=Draws(50))
    assert (found.n, [person.name for person in found.people]) == (5, ["ann", "bob"])
    # (20 + 21 + 22 + 23 + 24) / 5 of 40 columns; of the whole photo: the mean of these and of 40 of 100.
    assert found.agreement.value == pytest.approx(22 / 40)
    (beside,) = found.runs
    assert beside.value.value == pytest.approx((0.22 + 0.4) / 2)
    assert beside.relative.value == pytest.approx(0.31 / 0.55)
