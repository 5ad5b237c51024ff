from __future__ import annotations

import pytest

from foveate.core.predictions import Status
from foveate.reports import listing
from foveate.reports.galleries import Gallery, galleries
from foveate.reports.listing import listed, payload
from foveate.reports.rows import Row, Said
from tests.unit.reports.made import row, rows_of_ious, said


def chosen(rows: list[Row], cards: int = 2, seed: int = 0) -> dict[tuple[str, int | None], tuple[int, ...]]:
    return {(found.key, found.run): found.rows for found in galleries(rows, cards=cards, seed=seed)}


def failed(sample: str, state: Status, *, grounded: bool = True) -> Row:
    return row(sample, said(sample, 0.0 if grounded else None, state=state), grounded=grounded)


def test_the_worst_and_the_best_regions_come_first() -> None:
    rows = [*rows_of_ious(0.5, 0.1, 1.0, 0.7), failed("f", "error")]
    found = chosen(rows)
    assert found["worst", 0] == (1, 0)  # A failure has a gallery of its own.
    assert found["best", 0] == (2, 3)
    assert found["error", 0] == (4,)


def test_of_equally_bad_regions_the_surest_is_first() -> None:
    rows = [row(f"s{n}", said(f"s{n}", 0.0, score=score)) for n, score in enumerate((0.2, 0.9, 0.5))]
    assert chosen(rows, cards=3)["worst", 0] == (1, 2, 0)


def test_a_sample_without_a_target_is_neither_best_nor_worst() -> None:
    rows = [row("a", said("a", None), grounded=False)]
    assert chosen(rows) == {("missed", 0): (0,), ("random", None): (0,)}


def test_states_and_abstentions_have_their_galleries() -> None:
    rows = [
        failed("a", "no_region"),
        failed("b", "no_region", grounded=False),
        failed("c", "timeout", grounded=False),
        failed("d", "invalid_output"),
        row("e", Said(None, 0.0, None)),
    ]
    found = chosen(rows)
    assert found["no_region", 0] == (0, 1)
    assert found["needless", 0] == (0,)
    assert found["missed", 0] == (2,)
    assert (found["timeout", 0], found["invalid_output", 0], found["missing", 0]) == ((2,), (3,), (4,))
    assert "error" not in {key for key, _ in found}


def test_where_all_have_targets_needless_is_what_no_region_is() -> None:
    assert ("needless", 0) not in chosen([failed("a", "no_region"), *rows_of_ious(0.5)])


def test_a_state_is_shown_from_all_over_the_data_set() -> None:
    rows = [failed(f"s{n}", "error") for n in range(9)]
    assert chosen(rows, cards=3)["error", 0] == (0, 4, 8)


def test_gains_and_losses_are_against_the_first_run() -> None:
    ious = [(0.5, 0.9), (0.5, 0.6), (0.5, 0.5), (0.5, 0.1), (0.5, 0.4)]
    rows = [row(f"s{n}", said(f"s{n}", a), said(f"s{n}", b)) for n, (a, b) in enumerate(ious)]
    found = chosen(rows, cards=9)
    assert found["gain", 1] == (0, 1)
    assert found["loss", 1] == (3, 4)
    assert ("gain", 0) not in found


def test_a_failure_beside_a_good_region_is_a_loss() -> None:
    rows = [row("a", said("a", 0.8), said("a", 0.0, state="error"))]
    assert chosen(rows)["loss", 1] == (0,)


def test_the_random_gallery_follows_the_seed() -> None:
    rows = rows_of_ious(*[0.5] * 50)
    first = chosen(rows, cards=10, seed=1)["random", None]
    assert first == chosen(rows, cards=10, seed=1)["random", None]
    assert first != chosen(rows, cards=10, seed=2)["random", None]
    assert len(set(first)) == 10


def test_no_cards_no_galleries() -> None:
    assert galleries(rows_of_ious(0.5), cards=0, seed=0) == []
    assert galleries([], cards=3, seed=0) == []


def test_a_gallery_says_what_is_in_it() -> None:
    found = galleries([failed("a", "error")], cards=1, seed=0)
    assert found[0] == Gallery("error", "error", "predictions in the state error", 0, (0,))


def test_a_large_table_keeps_what_is_shown_and_the_lowest(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of_ious(0.9, 0.1, 0.8, 0.2, 1.0)
    assert list(listed(rows, [4]).numbers) == [0, 1, 2, 3, 4]
    monkeypatch.setattr(listing, "MOST_ROWS", 3)
    found = listed(rows, [4])
    assert (list(found.numbers), found.total) == ([1, 3, 4], 5)


def test_a_row_for_the_script() -> None:
    rows = [
        row("a", said("a", 0.123456, score=0.75), Said(None, 0.0, None), coverage=0.25),
        row("b\nc", said("b", None, state="no_region"), said("b", None), grounded=False),
    ]
    found = payload(rows, listed(rows, []), ["x", "y"], [1])
    assert found["rows"] == [
        [0, "a", "Where is a?", 0.25, [], 0, 0.1235, 0.75, None, None, 5, 0.0, None, None, None],
        [1, "b c", "Where is b c?", None, [], 1, None, None, None, None, 0, None, 0.5, None, None],
    ]
    assert (found["states"][5], found["runs"], found["cards"], found["total"]) == ("missing", ["x", "y"], [1], 2)
