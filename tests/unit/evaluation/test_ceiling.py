"""People against each other, and runs beside them, by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.core.truths import Target, Truth
from foveate.errors import InputError
from foveate.evaluation.ceiling import Ceiling, ceiling
from foveate.evaluation.estimates import Draws
from foveate.evaluation.results import Results
from tests.unit.evaluation.made import SIZE, asked, results, said

NONE = Draws(0)


def left(share: float) -> Box:
    """Returns the left part of the photo: two of them have the smaller share by the larger as their IoU."""
    return Box((0, 0, 100 * share, 100))


def drawn(sample: str, size_hw: SizeHW | None = SIZE, **people: Box) -> Truth:
    targets = tuple(Target(box, annotator=name) for name, box in people.items())
    return Truth(sample, targets=targets, match="any" if len(targets) > 1 else "single", size_hw=size_hw)


@pytest.fixture
def made() -> Results:
    return results(
        [
            (said("two", left(0.4)), drawn("two", ann=left(0.4), bob=left(0.8))),
            (said("three", left(0.5)), drawn("three", ann=left(0.5), bob=left(1.0), cem=left(0.8))),
            (said("one", left(1.0)), drawn("one", ann=left(0.1))),
            (said("nothing", None), asked("nothing")),
        ]
    )


def test_each_person_against_the_others(made: Results) -> None:
    found = ceiling([made], draws=NONE)
    assert (found.n, found.n_targets, found.unnamed) == (2, 3, 0)
    people = {person.name: person for person in found.people}
    assert {name: person.n for name, person in people.items()} == {"ann": 2, "bob": 2, "cem": 1}
    # ann: .4/.8; best of .5/1 and .5/.8. bob: .4/.8; best of .5/1, .8/1. cem: best of .5/.8, .8/1.
    assert people["ann"].value.value == pytest.approx((0.5 + 0.625) / 2)
    assert people["bob"].value.value == pytest.approx((0.5 + 0.8) / 2)
    assert people["cem"].value.value == pytest.approx(0.8)
    assert found.together.value.value == pytest.approx((0.5 + (0.625 + 0.8 + 0.8) / 3) / 2)
    assert found.agreement.value == pytest.approx((0.5 + (0.5 + 0.625 + 0.8) / 3) / 2)


def test_a_run_is_set_beside_agreement_one_person_at_a_time(made: Results) -> None:
    (beside,) = ceiling([made], draws=NONE).runs
    # .4/.4 and .4/.8; .5/.5, .5/1 and .5/.8.
    mine = (0.75, (1 + 0.5 + 0.625) / 3)
    theirs = (0.5, (0.5 + 0.625 + 0.8) / 3)
    assert beside.value.value == pytest.approx(np.mean(mine))
    assert beside.relative.value == pytest.approx(sum(mine) / sum(theirs))
    assert beside.each.value == pytest.approx((mine[0] / theirs[0] + mine[1] / theirs[1]) / 2)
    assert beside.n_each == 2
    # The metric takes the best of all targets, which is more.
    assert made.regions["iou"][:2].tolist() == [1.0, 1.0]


def test_a_run_that_draws_as_one_of_two_people_reaches_their_agreement() -> None:
    rng = np.random.default_rng(0)
    shares = rng.uniform(0.2, 1, (40, 3))
    truths = [drawn(f"s{n}", ann=left(a), bob=left(b)) for n, (a, b, _) in enumerate(shares)]
    third = results(
        [(said(f"s{n}", left(c)), truth) for n, (truth, (_, _, c)) in enumerate(zip(truths, shares, strict=True))]
    )
    found = ceiling([third], draws=Draws(300))
    (beside,) = found.runs
    assert beside.relative.low is not None
    assert beside.relative.high is not None
    assert beside.relative.low < 1 < beside.relative.high
    assert found.agreement.value == pytest.approx(np.mean(shares[:, :2].min(axis=1) / shares[:, :2].max(axis=1)))


def test_the_boundary_is_forgiven_of_both() -> None:
    box, close, far = Box((200, 200, 300, 300)), Box((200, 200, 302, 300)), Box((200, 200, 350, 300))
    # The tolerance is 0.5 % of the diagonal, 3.5 pixels here: two more columns are forgiven, fifty are not.
    people = drawn("a", (500, 500), ann=box, bob=close)
    wide = Prediction("a", "ok", final=Region(far, None), size_hw=(500, 500))
    found = ceiling([results([(wide, people)])], draws=NONE)
    assert found.agreement.value == pytest.approx(100 / 102)
    assert found.tolerant_agreement.value == found.together.tolerant.value == 1.0
    (beside,) = found.runs
    assert beside.value.value == pytest.approx((100 / 150 + 102 / 150) / 2)
    assert beside.tolerant.value == pytest.approx((103 / 150 + 105 / 150) / 2)
    assert beside.tolerant_relative.value == beside.tolerant.value


def test_pieces_of_one_person_are_one_region_and_answers_are_kept_apart() -> None:
    half, rest = Box((0, 0, 50, 100)), Box((50, 0, 100, 100))
    pieces = (
        Target(half, annotator="ann"),
        Target(rest, annotator="ann"),
        Target(left(1.0), annotator="bob"),
        Target(left(0.1), answer="other", annotator="cem"),
    )
    made = results([(said("a", None), Truth("a", targets=pieces, match="any", size_hw=SIZE))])
    found = ceiling([made], draws=NONE)
    assert [person.name for person in found.people] == ["ann", "bob"]
    assert found.agreement.value == 1.0
    assert found.runs[0].relative.value == 0.0


def test_pieces_without_a_size_are_told() -> None:
    targets = tuple(Target(left(share), annotator=name) for share, name in ((0.1, "a"), (0.2, "a"), (0.3, "b")))
    made = results([(said("x", left(0.5)), Truth("x", targets=targets, match="any"))])
    with pytest.raises(InputError, match="x: one person drew several pieces"):
        ceiling([made], draws=NONE)


def test_without_names_nothing_is_compared() -> None:
    made = results([(said("a", left(0.5)), asked("a", left(0.5), left(1.0), match="any"))])
    found = ceiling([made], draws=NONE)
    assert (found.n, found.unnamed, found.people) == (0, 1, [])
    assert found.agreement.value is None
    assert found.runs[0].relative.value is None


def test_without_sizes_there_is_no_tolerance() -> None:
    sizeless = [
        (said("a", left(0.5)), drawn("a", None, ann=left(0.5), bob=left(1.0))),
    ]
    found = ceiling([results(sizeless)], draws=NONE)
    assert found.agreement.value == 0.5
    assert found.tolerant_agreement.value is None
    assert found.runs[0].tolerant_relative.value is None


def test_a_crowd_as_predictions() -> None:
    truths = [asked("a", left(0.8)), asked("b", left(0.5)), asked("c")]
    mine = results([(said("a", left(0.4)), truths[0]), (said("b", None), truths[1]), (said("c", None), truths[2])])
    crowd = results(
        [(said("a", left(0.8)), truths[0]), (said("b", left(1.0)), truths[1]), (said("c", None), truths[2])],
        name="crowd",
    )
    found = ceiling([mine], crowd, draws=Draws(100))
    assert found.n == 0
    assert found.crowd is not None
    assert (found.crowd.name, found.crowd.n) == ("crowd", 2)
    assert found.crowd.value.value == pytest.approx(0.75)
    (beside,) = found.crowd.runs
    assert beside.value.value == pytest.approx(0.25)
    assert beside.relative.value == pytest.approx(1 / 3)
    assert beside.each.value == pytest.approx((0.5 + 0) / 2)


def test_plain_values_are_json(made: Results) -> None:
    found: Ceiling = ceiling([made], draws=Draws(20))
    told = json.loads(json.dumps(found.as_dict()))
    assert told["together"]["n"] == 2
    assert told["people"][0]["value"]["low"] <= told["people"][0]["value"]["high"]
    assert told["crowd"] is None
