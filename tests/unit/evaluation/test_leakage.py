"""Scores with and without touched samples, by hand; and the tables that say which are touched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from foveate.core.queries import Query
from foveate.core.regions import Box
from foveate.errors import InputError
from foveate.evaluation.estimates import Draws
from foveate.evaluation.evaluate import evaluate
from foveate.evaluation.leakage import Leaked, leakage
from foveate.evaluation.results import Results
from foveate.evaluation.telling_leakage import leakage_rows, leakage_sentences
from foveate.evaluation.touched_by import touched_by
from tests.helpers import write
from tests.unit.evaluation.made import asked, results, said

WHOLE = Box((0, 0, 100, 100))
QUICK = Draws(300)
QUERIES = [Query(f"s{n}", f"p{n // 2}.jpg", None, "What is it?", (10, 10)) for n in range(6)]


def run(ious: list[float], name: str = "made") -> Results:
    samples = [(said(f"s{n}", Box((0, 0, 100 * iou, 100))), asked(f"s{n}", WHOLE)) for n, iou in enumerate(ious)]
    return results(samples, name=name)


def by_name(metrics: object) -> dict[str, Leaked]:
    assert isinstance(metrics, list)
    return {one.metric: one for one in metrics}


def test_values_with_and_without_by_hand() -> None:
    found = leakage(run([1.0, 0.8, 0.4, 0.2]), {"s0", "s1", "of another data set"}, draws=QUICK)
    assert (found.n, found.n_touched) == (4, 2)
    iou = by_name(found.metrics)["mean_iou"]
    assert iou.every.value == pytest.approx(0.6)
    assert iou.untouched.value == pytest.approx(0.3)
    assert iou.touched.value == pytest.approx(0.9)
    assert iou.gain.value == pytest.approx(0.3)
    assert iou.apart.value == pytest.approx(0.6)
    assert by_name(found.metrics)["accuracy@0.5"].apart.value == 1.0


def test_the_value_without_is_that_of_the_others_alone() -> None:
    rng = np.random.default_rng(0)
    made = run(rng.uniform(0.1, 1, 80).tolist())
    touched = {f"s{n}" for n in range(0, 80, 3)}
    found = by_name(leakage(made, touched, metrics=["cumulative_iou", "mean_iou"], draws=Draws(2000)).metrics)
    rest = [truth for truth in made.truths if truth.id not in touched]
    alone = evaluate(
        [p for p in made.loaded.predictions if p.id not in touched],
        rest,
        metrics=["cumulative_iou", "mean_iou"],
        resamples=2000,
    )
    for name, value in alone.metrics.items():
        assert value.low is not None
        assert value.high is not None
        assert found[name].untouched.value == pytest.approx(value.value)
        # Another number of photos is drawn from, so that the interval is the same but for chance.
        assert found[name].untouched.low == pytest.approx(value.low, abs=0.015)
        assert found[name].untouched.high == pytest.approx(value.high, abs=0.015)


def test_planted_leakage_is_told_and_none_is_not() -> None:
    rng = np.random.default_rng(1)
    ious = rng.uniform(0.2, 0.6, 100)
    touched = {f"s{n}" for n in range(30)}
    honest = leakage(run(ious.tolist(), "honest"), touched, draws=QUICK)
    ious[:30] += 0.35
    seen = leakage(run(ious.tolist(), "seen"), touched, draws=QUICK)
    assert any("report the value without them" in told for told in leakage_sentences(seen))
    assert any("mean_iou" in told and "not told apart" in told for told in leakage_sentences(honest))
    assert not any("report the value without" in told for told in leakage_sentences(honest))
    head, rows = leakage_rows([honest, seen])
    assert all(len(row) == len(head) for row in rows)


def test_few_photos_have_no_interval_that_would_look_sure() -> None:
    # Resamples of one photo are all alike: its interval would be a point.
    ious = np.linspace(0.3, 0.6, 40)
    ious[0] = 1.0
    few = leakage(run(ious.tolist()), {"s0"}, draws=QUICK)
    iou = by_name(few.metrics)["mean_iou"]
    assert (iou.touched.value, iou.touched.low, iou.apart.low, iou.gain.low) == (1.0, None, None, None)
    assert iou.untouched.low is not None
    assert iou.every.low is not None
    told = leakage_sentences(few)
    assert "The touched samples are of 1 photo, too few for intervals." in told
    assert not any("report the value" in sentence for sentence in told)
    enough = leakage(run(ious.tolist()), {f"s{n}" for n in range(10)}, draws=QUICK)
    assert by_name(enough.metrics)["mean_iou"].apart.low is not None
    rest = leakage(run(ious.tolist()), {f"s{n}" for n in range(35)}, draws=QUICK)
    assert "The other samples are of 5 photos, too few for intervals." in leakage_sentences(rest)
    assert by_name(rest.metrics)["mean_iou"].untouched.low is None


def test_all_or_none_touched_has_a_sentence() -> None:
    made = run([0.5, 0.7])
    everything, nothing = leakage(made, {"s0", "s1"}, draws=QUICK), leakage(made, set(), draws=QUICK)
    assert everything.metrics[0].untouched.value is None
    assert nothing.metrics[0].untouched.value == nothing.metrics[0].every.value == pytest.approx(0.6)
    assert nothing.metrics[0].apart.value is None
    assert "All samples are touched" in " ".join(leakage_sentences(everything))
    assert "The value without them is the value." in leakage_sentences(nothing)


def test_what_a_card_says_of_training_stands_beside() -> None:
    made = run([0.5])
    assert leakage(made, ()).trained_on is None
    header = made.loaded.header
    assert header is not None
    for told, sentence in (
        ({"trained_on": ["COCO"]}, "made was trained on, by its card: COCO."),
        ({"trained_on": []}, "made was trained on nothing, by its card."),
        ({}, "What made was trained on is not known: its run or file does not say."),
    ):
        other = replace(made, loaded=replace(made.loaded, header=replace(header, card=told)))
        assert leakage_sentences(leakage(other, (), draws=Draws(0)))[-1] == sentence


def test_ids_and_photos(tmp_path: Path) -> None:
    ids = write(tmp_path / "ids.csv", "id,why\ns1,seen\ns4,seen\n")
    assert touched_by(ids, "d:val", QUERIES) == {"s1", "s4"}
    photos = write(tmp_path / "photos.csv", "photo\np1.jpg\n")
    assert touched_by(photos, "d:val", QUERIES) == {"s2", "s3"}
    lines = write(tmp_path / "ids.jsonl", '{"id": "s0"}\n')
    assert touched_by(lines, "d:val", QUERIES) == {"s0"}


def test_only_near_duplicates_of_other_sets_touch(tmp_path: Path) -> None:
    rows = ["group,data set,photo", "1,d:val,p0.jpg", "1,d:val,p1.jpg", "2,d:val,p2.jpg", "2,d:train,x.jpg"]
    rows += ["3,d:train,y.jpg", "3,e:val,z.jpg"]
    folder = tmp_path / "report"
    (folder / "tables").mkdir(parents=True)
    path = write(folder / "tables" / "near_duplicate_groups.csv", "\n".join(rows) + "\n")
    for place in (folder, path):
        assert touched_by(place, "d:val", QUERIES) == {"s4", "s5"}
    with pytest.raises(InputError, match="not about d:test"):
        touched_by(path, "d:test", QUERIES)


def test_tables_that_cannot_be_meant(tmp_path: Path) -> None:
    cases = {
        "id\ns1\nq9\n": r"1 of 2 ids are not in d:val: q9; its own are like s0",
        "photo\nelsewhere.jpg\n": r"1 of 1 photos are not in d:val",
        "name\ns1\n": "neither of the columns id and photo, but name",
        "data set,photo,and of,photo too,confirmed\n": "leaves out photos with equal bytes",
    }
    for n, (text, told) in enumerate(cases.items()):
        with pytest.raises(InputError, match=told):
            touched_by(write(tmp_path / f"{n}.csv", text), "d:val", QUERIES)
    with pytest.raises(InputError, match="no report of near-duplicates, or none were found"):
        touched_by(tmp_path, "d:val", QUERIES)
