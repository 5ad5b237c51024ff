from __future__ import annotations

import json

import numpy as np
import pytest

from foveate.analysis.groups import grouping_of
from foveate.core.bootstrap import weight_chunks
from foveate.evaluation._parts import measured_of
from foveate.evaluation.compare import Draws
from foveate.evaluation.crossed import CrossTable, crossed
from foveate.evaluation.slices import slicings_named
from tests.unit.evaluation.made_results import Made, covering, random_run, run

NONE = Draws(0, 0, 0)


def table(cells: dict[tuple[str, str], tuple[int, int]], draws: Draws = NONE) -> CrossTable:
    """Returns the cross-table of flaw by size, from how many samples each cell has and how many tenths their IoU is."""
    samples = [
        Made(covering(tenths), facts={"flaw": flaw, "size": size})
        for (flaw, size), (count, tenths) in cells.items()
        for _ in range(count)
    ]
    made = run(samples)
    found = slicings_named(made, ["flaw", "size"])
    return crossed(made, found["flaw"], found["size"], "mean_iou", draws)


# Without a flaw regions are small, and small regions are hard whatever the flaw.
ONLY_THE_MIX = {
    ("none", "small"): (30, 1),
    ("none", "large"): (10, 9),
    ("blur", "small"): (5, 1),
    ("blur", "large"): (15, 9),
}


def test_cells_and_margins_by_hand() -> None:
    found = table(ONLY_THE_MIX)
    assert (found.rows, found.columns, found.n) == (["none", "blur"], ["small", "large"], 60)
    assert [[cell.n for cell in row] for row in found.cells] == [[30, 10], [5, 15]]
    assert [[cell.value for cell in row] for row in found.cells] == [
        pytest.approx([0.1, 0.9]),
        pytest.approx([0.1, 0.9]),
    ]
    assert [cell.value for cell in found.row_totals] == pytest.approx([12 / 40, 14 / 20])
    assert [cell.value for cell in found.column_totals] == pytest.approx([0.1, 0.9])
    assert found.total.value == pytest.approx(26 / 60)


def test_what_the_mix_explains_whole_is_gone_with_one_mix() -> None:
    found = table(ONLY_THE_MIX)
    assert found.mix == pytest.approx([35 / 60, 25 / 60])
    none, blur = found.standardised
    same = 35 / 60 * 0.1 + 25 / 60 * 0.9
    assert (none.same_mix.value, blur.same_mix.value) == pytest.approx((same, same))
    assert (none.by_mix.value, blur.by_mix.value) == pytest.approx((12 / 40 - same, 14 / 20 - same))
    assert found.gap is not None
    assert (found.gap.lowest, found.gap.highest) == ("none", "blur")
    assert found.gap.as_it_is.value == pytest.approx(0.4)
    assert found.gap.same_mix.value == pytest.approx(0.0)
    assert found.finding().startswith("flaw “blur” is above “none” by +0.4000 (n/a) as it is, by +0.0000 (n/a)")


def test_a_difference_that_is_no_matter_of_the_mix_stays() -> None:
    cells = {
        ("none", "small"): (20, 4),
        ("none", "large"): (20, 8),
        ("blur", "small"): (20, 2),
        ("blur", "large"): (20, 6),
    }
    found = table(cells)
    assert found.gap is not None
    assert (found.gap.as_it_is.value, found.gap.same_mix.value) == pytest.approx((0.2, 0.2))
    assert [row.by_mix.value for row in found.standardised] == pytest.approx([0, 0])


def test_cells_of_a_few_are_left_out_and_their_share_is_given_to_the_others() -> None:
    found = table({**ONLY_THE_MIX, ("blur", "small"): (4, 5), ("blur", "huge"): (6, 10), ("none", "huge"): (6, 10)})
    assert found.columns == ["small", "large", "huge"]
    assert [cell.few for cell in found.cells[1]] == [True, False, False]
    shares = np.array([34, 25, 12]) / 71
    blur = found.standardised[1]
    assert blur.mix_covered == pytest.approx(shares[1:].sum())
    assert blur.same_mix.value == pytest.approx((shares[1] * 0.9 + shares[2] * 1.0) / shares[1:].sum())
    assert found.gap is not None
    # Compared over the groups that both have.
    assert list(found.gap.over) == ["large", "huge"]
    assert found.gap.same_mix.value == pytest.approx(0.0)
    assert "(large, huge alone, 52 % of the samples: in the others one has under 5)" in found.finding()


def test_nothing_in_common_is_said_so() -> None:
    found = table({("none", "small"): (9, 1), ("blur", "large"): (9, 9)})
    assert found.gap is None
    assert found.finding() == "No two groups of flaw have 5 samples in one group of size: nothing to compare."
    assert found.cells[0][1].value is None


def test_of_small_groups_none_is_called_the_highest() -> None:
    cells = {("none", "small"): (30, 2), ("blur", "small"): (30, 4), ("dark", "small"): (6, 9)}
    gap = table(cells).gap
    assert gap is not None
    assert (gap.lowest, gap.highest) == ("none", "blur")


def test_many_samples_of_a_few_photos_have_no_interval_with_one_mix_either() -> None:
    facts = [{"a": "x" if n % 2 else "y", "b": "uv"[n // 2 % 2]} for n in range(80)]
    tables = []
    for photos in (4, 20):
        samples = [Made(covering(1 + n % 9), facts=f, photo=f"{n % photos}") for n, f in enumerate(facts)]
        there = slicings_named(run(samples), ["a", "b"])
        tables.append(crossed(run(samples), there["a"], there["b"], "mean_iou", Draws(50, 0, 0)))
    few, many = tables
    for found, told in ((few, False), (many, True)):
        assert found.gap is not None
        values = [v for one in found.standardised for v in (one.value, one.same_mix, one.by_mix)]
        for value in (*values, found.gap.as_it_is, found.gap.same_mix):
            assert value.value is not None
            assert (value.low is not None) == told


def test_only_samples_of_which_both_are_known_count() -> None:
    samples = [Made(covering(2), facts={"flaw": "none"})] * 5 + [Made(covering(4), facts={"size": "small"})] * 5
    samples += [Made(covering(6), facts={"flaw": "none", "size": "small"})] * 7
    made = run(samples)
    found = slicings_named(made, ["flaw", "size"])
    one = crossed(made, found["flaw"], found["size"], "mean_iou", NONE)
    assert (one.n, one.row_totals[0].n) == (7, 7)
    assert one.total.value == pytest.approx(0.6)


def test_intervals_are_those_of_a_loop_that_counts_the_mix_anew() -> None:
    made, draws = random_run(150, seed=2), Draws(80, 0, 1)
    there = slicings_named(made, ["quality", "coverage"])
    found = crossed(made, there["quality"], there["coverage"], "mean_iou", draws)
    measured = measured_of(made, ["mean_iou"])
    columns, weights = measured.columns["mean_iou"], np.concatenate(list(weight_chunks(made.groups, 80, 1)))
    sizes = [set(b.rows.tolist()) for b in there["coverage"].groups]
    both = [set(g.rows.tolist()) & set.union(*sizes) for g in there["quality"].groups]
    for number, rows in enumerate(both):
        same, mixes = [], []
        for w in weights:
            parts = [sorted(rows & size) for size in sizes]
            everyone = set.union(*both)
            n = np.array([w[sorted(everyone & size)].sum() for size in sizes])
            values = [np.average(columns["iou"][part], weights=w[part]) if w[part].sum() else np.nan for part in parts]
            kept = np.isfinite(values) & (np.array([len(part) for part in parts]) >= 5)
            same.append(np.average(np.array(values)[kept], weights=n[kept]))
            mixes.append(np.average(columns["iou"][sorted(rows)], weights=w[sorted(rows)]) - same[-1])
        told = found.standardised[number]
        assert (told.same_mix.low, told.same_mix.high) == pytest.approx(tuple(np.quantile(same, [0.025, 0.975])))
        assert (told.by_mix.low, told.by_mix.high) == pytest.approx(tuple(np.quantile(mixes, [0.025, 0.975])))


def test_more_groups_than_there_is_room_for_are_counted() -> None:
    made = run([Made(covering(1 + n % 9), facts={"id": str(n % 6)}) for n in range(60)])
    by_id, by_size = slicings_named(made, ["id", "coverage"]).values()
    found = crossed(made, by_id, by_size, "mean_iou", NONE, top=4)
    assert (len(found.rows), found.more) == (4, (2, 0))
    assert found.n == 40


def test_two_slicings_without_a_sample_in_common_make_an_empty_table() -> None:
    made = random_run(10)
    found = crossed(made, grouping_of("a", [()] * 10), grouping_of("b", [("x",)] * 10), "mean_iou", Draws(5, 0, 0))
    assert (found.n, found.cells, found.gap) == (0, [], None)


def test_it_is_plain_json() -> None:
    told = json.loads(json.dumps(table(ONLY_THE_MIX, Draws(20, 0, 0)).as_dict(), allow_nan=False))
    assert told["gap"]["as_it_is"]["value"] == pytest.approx(0.4)
    assert set(told["cells"][0][0]) == {"n", "value", "low", "high", "few"}
