from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.core.regions import Box, Mask
from foveate.core.rle import decode
from foveate.errors import InputError, UsageError
from foveate.execution.ground import config_of, ground, load_grounder
from foveate.formats.prior_npz import PriorFile, PriorGroup, read_prior, write_prior
from foveate.runs.store import read_run

LEFT = np.array([[0.9, 0.1], [0.9, 0.3]], dtype=np.float32)
RIGHT = LEFT[:, ::-1].copy()
LOW = np.array([[0.0, 0.0], [0.2, 0.2]], dtype=np.float32)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    groups = (
        PriorGroup("question", "what is this", 9, (0.5, 0.5), LEFT),
        PriorGroup("question_prefix", "what color", 9, (0.5, 0.5), RIGHT),
        PriorGroup("answer", "why", 9, (0.5, 0.5), LEFT),
    )
    prior = PriorFile("made:train", "ab" * 32, 9, {}, (0.5, 0.5), LOW, groups, (0.25, 0.0, 0.75, 0.5), 0.5)
    write_prior(tmp_path / "prior.npz", prior)
    return tmp_path / "prior.npz"


def region(name: str, file: Path, question: str, **config: Any) -> Any:
    _, grounder = load_grounder(name, {"file": str(file), **config})
    grounder.prepare(None, (4, 8))
    final = grounder.ground(question).final
    assert final is not None
    assert final.score is None
    return final.shape


def sides(shape: Any) -> list[bool]:
    """Returns whether each quarter of the photo is inside: above left, above right, below left, below right."""
    mask = decode(shape.rle((4, 8)))
    quarters = [mask[:2, :4], mask[:2, 4:], mask[2:, :4], mask[2:, 4:]]
    assert all(quarter.all() or not quarter.any() for quarter in quarters)
    return [bool(quarter.all()) for quarter in quarters]


@pytest.mark.parametrize(
    ("question", "by", "found"),
    [
        ("What is  THIS?", "question", [True, False, True, False]),
        ("What color is it?", "question", [False, True, False, True]),
        ("Why?", "question", [False, False, True, True]),
        ("What is this?", "question_prefix", [False, False, True, True]),
        ("What color?", "question_prefix", [False, True, False, True]),
        ("What is this?", "all", [False, False, True, True]),
    ],
)
def test_prior_takes_the_closest_mean_that_there_is(file: Path, question: str, by: str, found: list[bool]) -> None:
    assert sides(region("prior", file, question, by=by)) == found


def test_mean_mask_hears_no_question(file: Path) -> None:
    assert sides(region("mean_mask", file, "What is this?")) == [False, False, True, True]


def test_share_says_how_much_of_the_peak_counts(file: Path) -> None:
    assert sides(region("prior", file, "What is this?", share=0.3)) == [True, False, True, True]
    assert sides(region("prior", file, "What is this?", share=0.1)) == [True, True, True, True]


def test_a_region_can_be_the_box_around_it(file: Path) -> None:
    assert region("prior", file, "What is this?", region="box") == Box((0, 0, 4, 4))
    assert isinstance(region("mean_mask", file, "?"), Mask)


def test_best_box_is_in_shares_of_the_photo(file: Path) -> None:
    assert region("best_box", file, "What is this?") == Box((2, 0, 6, 2))


def test_an_older_file_has_no_best_box(file: Path) -> None:
    write_prior(file, replace(read_prior(file), best_box=None))
    with pytest.raises(InputError, match=r"prior\.npz: it has no best box\. Make it again"):
        load_grounder("best_box", {"file": str(file)})


@pytest.mark.parametrize(
    ("config", "said"),
    [({"by": "answer"}, "by is answer"), ({"share": 0.0}, "share is 0"), ({"region": "circle"}, "region is circle")],
)
def test_an_option_that_there_is_not_is_refused(file: Path, config: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load_grounder("prior", {"file": str(file), **config})


def test_options_are_read_by_their_kind() -> None:
    texts = {"file": "a.npz", "share": "0.5", "by": "all"}
    assert config_of("prior", texts) == {"file": "a.npz", "share": 0.5, "by": "all"}
    for wrong, said in (({"share": "half"}, "half is no number"), ({"by": "answer"}, "answer is none of question")):
        with pytest.raises(UsageError, match=said):
            config_of("prior", wrong)
    with pytest.raises(UsageError, match=r"it has no option shape\. Did you mean share"):
        config_of("prior", {"shape": "box"})


def test_a_run_records_what_its_method_was_made_of(file: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.csv"
    questions.write_text("image,question,width,height,left,top,right,bottom\na.png,Why?,8,4,0,0,4,4\n")
    asked: dict[str, Any] = {"root": tmp_path, "questions": questions, "grounder": "best_box", "out": tmp_path / "run"}
    ground("folder", **asked, config={"file": str(file)})
    header = read_run(tmp_path / "run").header
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    made_of = {"dataset": "made:train", "fingerprint": "ab" * 32, "n": 9}
    assert header.trained_on == {**made_of, "file": "prior.npz", "sha256": sha256}
    write_prior(file, replace(read_prior(file), n=10))
    with pytest.raises(UsageError, match="the method was trained on something else"):
        ground("folder", **asked, config={"file": str(file)}, resume=True)
