from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.perception.propose import Proposals
from foveate.perception.rank_things import FEATURES, MOST_OF_A_KIND, WEIGHTS, best_of_each_kind, chances, features

SIZE = (100, 200)


def proposals(*rows: tuple[tuple[float, float, float, float], int, float]) -> Proposals:
    ordered = sorted(rows, key=lambda row: -row[2])
    return Proposals(
        np.array([xyxy for xyxy, _, _ in ordered], dtype=np.float64).reshape(-1, 4),
        np.array([kind for _, kind, _ in ordered], dtype=np.int64),
        np.array([score for _, _, score in ordered], dtype=np.float64),
    )


def test_a_box_alone_has_its_score_and_its_size() -> None:
    # 20 x 50 of 100 x 200 pixels is a twentieth.
    things = proposals(((0, 0, 20, 50), 3, 0.5))
    (row,) = features(things, SIZE, np.array([0]))
    log_area = math.log(1 / 20)
    nothing = math.log(1e-4)
    assert row == pytest.approx([math.log(0.5), log_area, log_area**2, nothing, nothing, 1.0])
    expected = 1 / (1 + math.exp(-float(row @ np.array(WEIGHTS))))
    assert chances(things, SIZE) == pytest.approx([expected])
    assert len(FEATURES) == len(WEIGHTS) == 6


def test_another_kind_at_the_same_place_counts_from_an_iou_of_three_tenths_and_fully_from_seven() -> None:
    def other(x1: float) -> float:
        things = proposals(((0, 0, 10, 10), 0, 0.9), ((0, 0, x1, 10), 1, 0.4))
        return float(np.exp(features(things, SIZE, np.array([0]))[0, 3]))

    assert other(10) == pytest.approx(0.4)
    # An IoU of one half is half of the way from 0.3 to 0.7.
    assert other(20) == pytest.approx(0.2)
    assert other(40) == pytest.approx(1e-4)
    same_kind = proposals(((0, 0, 10, 10), 0, 0.9), ((0, 0, 10, 10), 0, 0.4))
    assert np.exp(features(same_kind, SIZE, np.array([0]))[0, 3]) == pytest.approx(1e-4)


def test_a_part_of_a_larger_thing_of_its_kind_is_known_as_one() -> None:
    # Half of the small box lies in the large one, whose score is 0.8; the large one lies in nothing.
    things = proposals(((0, 0, 40, 40), 0, 0.8), ((30, 0, 50, 20), 0, 0.6))
    large, small = np.exp(features(things, SIZE, np.array([0, 1]))[:, 4])
    assert small == pytest.approx(0.4)
    assert large == pytest.approx(1e-4)


def test_being_small_a_part_or_of_doubtful_kind_makes_a_box_less_likely() -> None:
    box = (50.0, 20.0, 90.0, 70.0)
    (alone,) = chances(proposals((box, 0, 0.5)), SIZE)
    doubtful = chances(proposals((box, 0, 0.5), (box, 1, 0.4)), SIZE)[0]
    part = chances(proposals((box, 0, 0.5), ((0, 0, 200, 100), 0, 0.6)), SIZE)[1]
    (small,) = chances(proposals(((50, 20, 52, 22), 0, 0.5)), SIZE)
    assert max(doubtful, part, small) < alone


def test_only_the_twelve_best_of_a_kind_have_a_chance() -> None:
    many = [((float(n), 0.0, n + 5.0, 50.0), 0, 0.9 - n / 100) for n in range(20)]
    things = proposals(*many, ((0, 0, 50, 50), 7, 0.01))
    assert best_of_each_kind(things).tolist() == [*range(MOST_OF_A_KIND), 20]
    found = chances(things, SIZE)
    assert (found[:MOST_OF_A_KIND] > 0).all()
    assert (found[MOST_OF_A_KIND:20] == 0).all()
    assert found[20] > 0


def test_a_photo_without_boxes_has_no_chances() -> None:
    assert chances(proposals(), SIZE).shape == (0,)


BOX = st.tuples(st.integers(0, 190), st.integers(0, 90), st.integers(1, 10), st.integers(1, 10)).map(
    lambda b: (float(b[0]), float(b[1]), float(b[0] + b[2]), float(b[1] + b[3]))
)
ROWS = st.lists(st.tuples(BOX, st.integers(0, 3), st.floats(0.004, 1.0)), max_size=30)


@given(ROWS, st.floats(1.01, 3.0))
def test_chances_are_chances_and_do_not_depend_on_the_scale_of_the_photo(
    rows: list[tuple[tuple[float, float, float, float], int, float]], scale: float
) -> None:
    things = proposals(*rows)
    found = chances(things, SIZE)
    assert ((found >= 0) & (found <= 1)).all()
    larger = Proposals(things.xyxy * scale, things.kind, things.score)
    assert chances(larger, (SIZE[0] * scale, SIZE[1] * scale)) == pytest.approx(found, rel=1e-6)  # type: ignore[arg-type]
