"""What control runs say: values by hand, and the sentence for methods of which one knows what they use."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.datasets._open import fingerprint, open_dataset
from foveate.errors import InputError
from foveate.evaluation.compare import Draws
from foveate.evaluation.controls import Controls, ControlValues, controls_of, read_controls
from foveate.evaluation.results import Results
from foveate.execution.controls import ground_controls
from foveate.runs.header import Header
from foveate.runs.store import writing
from tests.helpers import Sides, write
from tests.unit.evaluation.made import asked, failed, results
from tests.unit.evaluation.made import said as said_of

N = 12
LEFT, RIGHT = (0.0, 0.0, 30.0, 40.0), (30.0, 0.0, 60.0, 40.0)
# What a made method says of sample n: a region, or None for no region; and an answer.
Says = Callable[[int], tuple[Sides | None, str | None]]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Twelve photos, targets on the left, the answer is "cup"."""
    lines = [f"{n}.png,q{n},Where is {n}?,60,40,0,0,30,40,cup\n" for n in range(N)]
    return write(tmp_path / "q.csv", "image,id,question,width,height,left,top,right,bottom,answer\n" + "".join(lines))


def made(folder: Path, table: Path, says: Mapping[str, Says], grounder: str = "made") -> Path:
    queries = list(open_dataset("folder", table.parent, questions=table).queries())
    for name, said in says.items():
        control: dict[str, Any] = {} if name == "as_is" else {"name": name, "seed": 0}
        places = {"root": str(table.parent), "questions": str(table)}
        header = Header("folder:all", fingerprint(queries), grounder, {}, N, N, places=places, control=control)
        with writing(folder / name, header, resume=False) as run:
            for n, query in enumerate(queries):
                run.append(prediction(query.id, *said(n)))
    return folder


def prediction(sample: str, sides: Sides | None, answer: str | None) -> Prediction:
    if sides is None:
        return Prediction(sample, "no_region", answer, size_hw=(40, 60), reason="nothing")
    region = Region(Box(sides), None)
    return Prediction(sample, "ok", answer, None, region, (region,), (40, 60))


def test_few_photos_and_failures_show_nothing() -> None:
    target = Box((0, 0, 50, 50))

    def named(name: str, shape: Box | None, photos: int) -> Results:
        samples = [(said_of(str(n), shape) if shape else failed(str(n)), asked(str(n), target)) for n in range(N)]
        made = results(samples, photos=[str(n % photos) for n in range(N)], name=name)
        return replace(made, loaded=replace(made.loaded, data=cast(Any, SimpleNamespace(name="made:val"))))

    def of(shape: Box | None, swapped: Box | None, photos: int) -> Controls:
        return controls_of([named("as_is", shape, photos), named("photo_swapped", swapped, photos)], Draws(100, 0, 0))

    away = Box((60, 60, 90, 90))
    assert [of(target, away, photos).photo for photos in (1, 4, 5)] == ["not shown", "not shown", "uses"]
    assert of(target, away, 4).values[1].change.low is None
    assert of(target, target, N).photo == "does not use"
    # A method that failed on every sample has shown nothing.
    assert of(None, None, N).photo == "not shown"


def found(tmp_path: Path, table: Path, **says: Says) -> tuple[Controls, dict[str, ControlValues]]:
    controls = read_controls(made(tmp_path / "runs", table, says), draws=Draws(200, 0, 0))
    return controls, {one.name: one for one in controls.values}


def right(n: int) -> tuple[Sides, str]:
    return LEFT, "cup"


def wrong(n: int) -> tuple[Sides, str]:
    return RIGHT, "dog"


def silent(n: int) -> tuple[None, None]:
    return None, None


def test_values_are_those_by_hand(tmp_path: Path, table: Path) -> None:
    def half(n: int) -> tuple[Sides | None, str | None]:
        # Three samples as before, three with the right answer elsewhere, three without a region, three silent.
        return [(LEFT, "Cup."), (RIGHT, "cup"), (None, "dog"), (None, None)][n % 4]

    controls, values = found(tmp_path, table, as_is=right, photo_swapped=half)
    one = values["photo_swapped"]
    assert (one.n, one.mean_iou.value, one.change.value, one.change.n) == (12, 0.25, -0.75, 12)
    assert (one.same_regions.value, one.same_regions.n) == (0.25, 12)
    assert (one.same_answers.value, one.same_answers.n) == (0.5, 12)
    assert (one.right_answers.value, one.answer_change.value) == (0.5, -0.5)
    assert one.change.low is not None
    assert one.change.high is not None
    assert -1 <= one.change.low < -0.75 < one.change.high < 0
    assert values["as_is"].change.value == 0.0
    assert controls.photo == "uses"
    assert controls.question == "not tested"
    assert controls.verdict.startswith("It looks at the photo: with another photo mean IoU falls by 0.750 [")


def test_samples_without_region_in_both_are_not_the_same_region(tmp_path: Path, table: Path) -> None:
    def every_other(n: int) -> tuple[Sides | None, str | None]:
        return (LEFT if n % 2 else None), None

    _, values = found(tmp_path, table, as_is=every_other, question_blanked=every_other)
    one = values["question_blanked"]
    assert (one.same_regions.value, one.same_regions.n) == (1.0, 6)
    assert (one.same_answers.value, one.same_answers.n) == (None, 0)
    assert (one.right_answers.value, one.right_answers.n) == (None, 0)


@pytest.mark.parametrize(
    ("says", "photo", "question", "begins"),
    [
        (
            {"photo_swapped": wrong, "question_shuffled": wrong},
            "uses",
            "uses",
            "It looks at the photo and reads the question: with another photo",
        ),
        (
            {"photo_swapped": wrong, "question_shuffled": right},
            "uses",
            "does not use",
            "It looks at the photo, but does not use the question: with another photo",
        ),
        (
            {"photo_swapped": right, "question_shuffled": wrong},
            "does not use",
            "uses",
            "It does not use the photo, but reads the question: with another photo every region and answer stays",
        ),
        (
            {"photo_swapped": right, "question_shuffled": right},
            "does not use",
            "does not use",
            "It uses neither the photo nor the question: ",
        ),
        # Where shuffled questions were not asked, blank ones say it; likewise evidence of the photo.
        (
            {"evidence_erased": wrong, "question_blanked": right},
            "uses",
            "does not use",
            "It looks at the photo, but does not use the question: with the evidence erased mean IoU falls by 1.000",
        ),
        (
            {"question_shuffled": right},
            "not tested",
            "does not use",
            "It does not use the question: with another question",
        ),
        ({}, "not tested", "not tested", "Nothing was changed"),
    ],
)
def test_the_sentence_says_what_is_used(
    tmp_path: Path, table: Path, says: Mapping[str, Says], photo: str, question: str, begins: str
) -> None:
    controls, _ = found(tmp_path, table, as_is=right, **says)
    assert (controls.photo, controls.question) == (photo, question)
    assert controls.verdict.startswith(begins)


def test_what_changes_without_a_loss_is_not_shown_to_be_used(tmp_path: Path, table: Path) -> None:
    def moved(n: int) -> tuple[Sides, str]:
        return (LEFT if n % 2 else RIGHT), "cup"

    def moved_back(n: int) -> tuple[Sides, str]:
        return (RIGHT if n % 2 else LEFT), "cup"

    controls, values = found(tmp_path, table, as_is=moved, question_shuffled=moved_back)
    assert values["question_shuffled"].same_regions.value == 0.0
    assert controls.question == "not shown"
    assert controls.verdict.startswith(
        "It is not shown to gain from the question: with another question mean IoU changes by +0.000 ["
    )


def test_a_fall_of_answers_alone_is_a_use(tmp_path: Path, table: Path) -> None:
    controls, _ = found(tmp_path, table, as_is=right, photo_swapped=lambda n: (LEFT, "dog"))
    assert controls.photo == "uses"
    assert controls.verdict == (
        "It looks at the photo: with another photo the share of right answers falls by 1.000 [1.000, 1.000]."
    )


def test_erased_evidence_is_told_beside_the_swapped_photo(tmp_path: Path, table: Path) -> None:
    controls, _ = found(tmp_path, table, as_is=right, photo_swapped=silent, evidence_erased=right)
    assert controls.verdict.endswith(
        "; with the evidence erased mean IoU changes by +0.000 [+0.000, +0.000] and the share of right answers by "
        "+0.000 [+0.000, +0.000]."
    )


def test_it_is_plain_json(tmp_path: Path, table: Path) -> None:
    controls, _ = found(tmp_path, table, as_is=right, photo_swapped=wrong)
    told = json.loads(json.dumps(controls.as_dict(), allow_nan=False))
    assert told["controls"][1]["name"] == "photo_swapped"
    assert told["controls"][1]["how"] == {"seed": 0}
    assert told["controls"][1]["change"]["value"] == -1.0
    assert told["verdict"] == controls.verdict


def test_what_does_not_belong_together_is_refused(tmp_path: Path, table: Path) -> None:
    with pytest.raises(InputError, match="there is no run in as_is"):
        read_controls(made(tmp_path / "none", table, {"photo_swapped": right}))
    both = made(tmp_path / "both", table, {"as_is": right, "photo_swapped": right})
    made(tmp_path / "other", table, {"question_shuffled": right}, grounder="another")
    (tmp_path / "other" / "question_shuffled").rename(both / "question_shuffled")
    with pytest.raises(InputError, match="it is no control of .*as_is: the method is another"):
        read_controls(both)
    (both / "question_shuffled").rename(tmp_path / "away")
    (both / "photo_swapped").rename(both / "question_blanked")
    with pytest.raises(InputError, match="the run is of photo_swapped, not of question_blanked"):
        read_controls(both)


def test_what_a_killed_control_lacks_is_no_sign_that_the_method_looks(tmp_path: Path, table: Path) -> None:
    folder = made(tmp_path / "runs", table, {"as_is": right, "photo_swapped": right})
    path = folder / "photo_swapped" / "predictions.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    with pytest.raises(InputError, match=r"not finished: 2 of 12, .* --resume"):
        read_controls(folder)


def test_predictions_that_failed_are_told(tmp_path: Path, table: Path) -> None:
    folder = made(tmp_path / "runs", table, {"as_is": right, "photo_swapped": right})
    path = folder / "photo_swapped" / "predictions.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    error: dict[str, Any] = {
        "status": "error",
        "reason": "out of memory",
        "final": None,
        "candidates": [],
        "answer": None,
    }
    failed = [json.dumps(json.loads(line) | error) for line in lines[1:3]]
    path.write_text("\n".join([lines[0], *failed, *lines[3:]]) + "\n", encoding="utf-8")
    controls = read_controls(folder, draws=Draws(50, 0, 0))
    assert controls.notes == ["photo_swapped: 2 of 12 predictions failed, which counts as no region and no answer"]


def test_stored_runs_are_read_without_photos_and_without_the_method(tmp_path: Path, table: Path) -> None:
    ground_controls("folder", table.parent, questions=table, grounder="centre_box", out=tmp_path / "out")
    controls = read_controls(tmp_path / "out", draws=Draws(50, 0, 0))
    assert controls.verdict == (
        "It uses neither the photo nor the question: with others every region and answer stays the same."
    )
    # The centre box, 30 x 20, has half of its pixels in the target of 30 x 40: 300 of 1,500.
    assert [one.mean_iou.value for one in controls.values] == [pytest.approx(0.2)] * 6


def test_resamples_move_intervals_only(tmp_path: Path, table: Path) -> None:
    folder = made(
        tmp_path / "runs", table, {"as_is": right, "photo_swapped": lambda n: right(n) if n % 3 else wrong(n)}
    )
    few, none = read_controls(folder, draws=Draws(50, 0, 1)), read_controls(folder, draws=Draws(0, 0, 0))
    assert few.values[1].change.value == none.values[1].change.value
    assert none.values[1].change.low is None
    assert none.photo == "not shown"
    assert replace(few, verdict="", photo="not shown").values == few.values
