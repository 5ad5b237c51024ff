from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate.analysis.groups import grouping_of
from foveate.core.bootstrap import weight_chunks
from foveate.evaluation._parts import drawn_parts, drawn_rests, measured_of
from foveate.evaluation.compare import Draws
from foveate.evaluation.evaluate import evaluate
from foveate.evaluation.measured import Measured
from foveate.evaluation.slices import LEAST, Sliced, sliced, slicings_named
from tests.unit.evaluation.made import asked, results, said
from tests.unit.evaluation.made_results import Made, covering, random_run, run

# Two means of samples, a ratio of sums, one by a ranking and one by bins, which are no means.
METRICS = ("mean_iou", "accuracy@0.5", "cumulative_iou", "coco_ap@0.5", "ece@10", "abstention")
NONE = Draws(0, 0, 0)


def one(found: dict[str, Sliced], name: str, key: str, metric: str = "mean_iou") -> tuple[float | None, ...]:
    (value,) = (s.values[metric] for s in found[name].slices if s.key == key)
    return (value.value, value.rest, value.difference)


def test_by_hand() -> None:
    # The whole photo is predicted: IoU is the share that the target covers.
    facts = [{"room": "hall"}, {"room": "hall"}, {"room": "bath"}, {}]
    made = run([Made(covering(c), facts=f) for c, f in zip((2, 4, 9, 5), facts, strict=True)])
    found = sliced(made, slicings_named(made, ["room"]), ["mean_iou"], NONE)
    assert one(found, "room", "hall") == pytest.approx((0.3, 0.7, -0.4))
    assert one(found, "room", "bath") == pytest.approx((0.9, 1.1 / 3, 0.9 - 1.1 / 3))
    assert (found["room"].known, [s.n for s in found["room"].slices]) == (3, [2, 1])


def test_a_slice_tells_what_lacks_and_how_iou_is_spread() -> None:
    rooms = {"room": "hall"}
    targets = [covering(c) for c in (2, 4, 6)]
    samples = [*(Made(t, facts=rooms) for t in targets), Made(predicted=None, facts=rooms), Made(None, facts=rooms)]
    made = run(samples)
    (hall,) = sliced(made, slicings_named(made, ["room"]), ["mean_iou"], NONE)["room"].slices
    assert (hall.n, hall.n_grounded, hall.without_region) == (5, 4, 0.25)
    # 0, 0.2, 0.4, 0.6: the missing region counts 0.
    assert (hall.iou.q1, hall.iou.median, hall.iou.q3) == pytest.approx((0.15, 0.3, 0.45))


def test_a_slice_is_what_evaluate_says_of_the_subset() -> None:
    made = random_run(60)
    found = sliced(made, slicings_named(made, ["quality", "skills", "coverage"]), METRICS, NONE)
    groups = slicings_named(made, ["quality", "skills", "coverage"])
    for name, grouping in groups.items():
        for told, group in zip(found[name].slices, grouping.groups, strict=True):
            inside = set(group.rows.tolist())
            for rows, field in ((inside, "value"), (set(range(60)) - inside, "rest")):
                truths = [made.truths[row] for row in sorted(rows)]
                predictions = [p for row in sorted(rows) if (p := made.predictions[row])]
                alone = evaluate(predictions, truths, metrics=METRICS, resamples=0).metrics
                expected = {metric: value.value for metric, value in alone.items()}
                assert {m: getattr(v, field) for m, v in told.values.items()} == pytest.approx(expected, abs=1e-12)


def naive(found: Measured, metric: str, rows: list[int], draws: Draws) -> tuple[np.ndarray, np.ndarray]:
    """Returns values of a part and of the rest, resample by resample, with the weights of the others set to 0."""
    (chosen,) = (m for m in found.metrics if m.name == metric)
    weights = np.concatenate(list(weight_chunks(found.groups, draws.resamples, draws.seed)))
    inside = np.zeros(weights.shape[1])
    inside[rows] = 1.0
    values = [
        [float(found.reduce(chosen, weights[b : b + 1] * mask)["value"][0]) for b in range(len(weights))]
        for mask in (inside, 1.0 - inside)
    ]
    return np.array(values[0]), np.array(values[1])


@pytest.mark.parametrize("metric", METRICS)
def test_intervals_are_those_of_a_loop_with_masked_weights(metric: str) -> None:
    made, draws = random_run(70, seed=3), Draws(60, 0, 5)
    slicings = slicings_named(made, ["quality", "skills"])
    found, measured = sliced(made, slicings, [metric], draws), measured_of(made, [metric])
    for name, grouping in slicings.items():
        for told, group in zip(found[name].slices, grouping.groups, strict=True):
            inside, outside = naive(measured, metric, group.rows.tolist(), draws)
            value = told.values[metric]
            for values, low, high in (
                (inside, value.low, value.high),
                (inside - outside, value.difference_low, value.difference_high),
            ):
                if value.n < LEAST:
                    assert (low, high) == (None, None)
                else:
                    assert (low, high) == pytest.approx(tuple(np.nanquantile(values, [0.025, 0.975])), abs=1e-9)


def test_what_is_no_mean_of_samples_is_seen_even_beside_one_that_is() -> None:
    made, draws = random_run(80, seed=1), Draws(30, 0, 0)
    found = measured_of(made, ["mean_iou", "cumulative_iou"])
    parts = [group.rows for group in slicings_named(made, ["quality"])["quality"].groups]
    rests = drawn_rests(found, parts, drawn_parts(found, parts, draws), draws)
    for name in ("mean_iou", "cumulative_iou"):
        for number, rows in enumerate(parts):
            _, outside = naive(found, name, rows.tolist(), draws)
            assert rests[name][1:, number] == pytest.approx(outside, abs=1e-9)


def test_more_slices_than_are_checked_keep_their_rests() -> None:
    made = run([Made(covering(1 + n % 10), facts={"id": f"{n:03}"}) for n in range(120)])
    found = sliced(made, slicings_named(made, ["id"]), ["mean_iou", "cumulative_iou"], NONE, top=120)
    iou = np.array([(1 + n % 10) / 10 for n in range(120)])
    for slice_ in found["id"].slices:
        row = int(slice_.key)
        rest = np.delete(iou, row).mean()
        assert slice_.values["mean_iou"].rest == pytest.approx(rest)
        # Every union is the whole photo, so that sums of intersections over sums of unions are the mean as well.
        assert slice_.values["cumulative_iou"].rest == pytest.approx(rest)


def test_the_rest_of_a_slice_without_answers_is_that_of_the_others_alone() -> None:
    """A metric may leave out a slice as a whole that it counts among all: 60 slices, of which not each is checked."""
    right = asked("x", answers=("cat",))
    samples = [
        (said(str(n), None, answer=None if n in {2, 3} else "cat"), replace(right, id=str(n))) for n in range(120)
    ]
    made = results(samples)
    found = sliced(
        made, {"id": grouping_of("id", [(f"{n // 2:02}",) for n in range(120)])}, ["exact_match"], NONE, top=60
    )
    rests = {one.key: one.values["exact_match"].rest for one in found["id"].slices}
    assert rests["01"] == pytest.approx(1.0)
    assert [rest for key, rest in rests.items() if key != "01"] == pytest.approx([116 / 118] * 59)


def test_a_rest_of_a_few_gives_the_difference_no_interval() -> None:
    rooms = ["hall"] * 30 + ["bath"] * 4
    made = run([Made(covering(1 + n % 9), facts={"room": room}) for n, room in enumerate(rooms)])
    hall, _ = sliced(made, slicings_named(made, ["room"]), ["mean_iou"], Draws(50, 0, 0))["room"].slices
    value = hall.values["mean_iou"]
    assert value.low is not None
    assert value.difference is not None
    assert (value.difference_low, value.difference_high) == (None, None)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 10), st.sampled_from("abc")), min_size=2, max_size=30))
def test_slices_of_a_partition_give_the_whole(samples: list[tuple[int, str]]) -> None:
    made = run([Made(covering(c), facts={"room": room}) for c, room in samples])
    slices = sliced(made, slicings_named(made, ["room"]), ["mean_iou"], NONE)["room"].slices
    total = sum(s.n * (s.values["mean_iou"].value or 0.0) for s in slices)
    assert sum(s.n for s in slices) == len(samples)
    assert total / len(samples) == pytest.approx(sum(c for c, _ in samples) / 10 / len(samples))


def test_a_few_samples_have_a_value_and_no_interval() -> None:
    rooms = ["hall"] * 5 + ["bath"] * 4
    made = run([Made(covering(1 + n), facts={"room": room}) for n, room in enumerate(rooms)])
    hall, bath = sliced(made, slicings_named(made, ["room"]), ["mean_iou"], Draws(50, 0, 0))["room"].slices
    assert hall.values["mean_iou"].low is not None
    assert bath.values["mean_iou"].value == pytest.approx(0.75)
    assert (bath.values["mean_iou"].low, bath.values["mean_iou"].difference_high) == (None, None)


def test_many_samples_of_a_few_photos_have_no_interval() -> None:
    samples = [Made(covering(1 + n % 9), facts={"room": "hall"}, photo=f"{n % 4}") for n in range(12)]
    (hall,) = sliced(run(samples), slicings_named(run(samples), ["room"]), ["mean_iou"], Draws(50, 0, 0))["room"].slices
    assert (hall.values["mean_iou"].n, hall.values["mean_iou"].low) == (12, None)


def test_photos_are_drawn_together() -> None:
    """Two samples a photo that are always alike must have the interval of half as many samples."""
    values = [1 + n % 10 for n in range(20)]
    single = run([Made(covering(c), facts={"room": "hall"}) for c in values])
    double = run([Made(covering(c), facts={"room": "hall"}, photo=f"{n}") for n, c in enumerate(values) for _ in "ab"])
    bounds = []
    for made in (single, double):
        (hall,) = sliced(made, slicings_named(made, ["room"]), ["mean_iou"], Draws(200, 0, 0))["room"].slices
        bounds.append((hall.values["mean_iou"].low, hall.values["mean_iou"].high))
    assert bounds[0] == pytest.approx(bounds[1])


def test_the_largest_slices_are_told_and_the_others_counted() -> None:
    made = random_run(30)
    grouping = grouping_of("mod", [(str(n % 3),) for n in range(29)] + [("rare",)])
    found = sliced(made, {"mod": grouping}, ["mean_iou"], NONE, top=3)["mod"]
    assert ([s.key for s in found.slices], found.more) == (["0", "1", "2"], 1)
    assert found.as_dict()["slices"][0]["values"]["mean_iou"]["n"] <= 10


def test_a_slicing_without_slices_is_told_empty() -> None:
    made = random_run(10)
    empty = replace(grouping_of("nothing", [()] * 10), known=0)
    assert sliced(made, {"nothing": empty}, ["mean_iou"], Draws(5, 0, 0))["nothing"].slices == []
