"""Tables as the page shows them, by hand."""

from __future__ import annotations

from foveate.reports.sections.parts import Cell, Table
from foveate.reports.sections.sheet import SHOWN, sheet


def table(head: list[str], *rows: list[Cell], parted: str = "", whole: bool = False, **more: int) -> Table:
    return Table("t", "T", "How.", head, rows, 2, more, parted, whole=whole)


def shown(made: Table) -> list[list[str]]:
    return [[_blank(text) for text in row] for body in sheet(made).bodies for row in body.rows]


def titles(made: Table) -> list[str]:
    return [_blank(column.title) for column in sheet(made).columns]


def _blank(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_mean_and_its_spread_are_one_cell() -> None:
    made = table(["what", "x mean", "x sd", "n"], ["a", 0.5, 0.13, 3], ["b", 0.25, None, 1], ["c", None, None, 0])
    assert titles(made) == ["what", "x mean ± sd", "n"]
    assert [row[1] for row in shown(made)] == ["0.50 ± 0.13", "0.25", "n/a"]


def test_a_value_and_its_interval_are_one_cell() -> None:
    head = ["what", "text %", "text low %", "text high %", "IoU", "low", "high"]
    made = table(head, ["a", 50.0, 40.06, 60.0, 0.5, 0.4, 0.6], ["b", 100.0, None, None, 0.5, None, None])
    assert titles(made) == ["what", "text % (95 % interval)", "IoU (95 % interval)"]
    assert shown(made) == [["a", "50.0 (40.1 to 60.0)", "0.50 (0.40 to 0.60)"], ["b", "100.0", "0.50"]]
    assert [column.number for column in sheet(made).columns] == [False, True, True]


def test_a_median_stands_before_its_quartiles() -> None:
    made = table(["what", "lower quartile", "median", "upper quartile"], ["a", 0.1, 0.2, 0.3])
    assert titles(made) == ["what", "median (quartiles)"]
    assert shown(made) == [["a", "0.20 (0.10 to 0.30)"]]


def test_titles_that_only_look_alike_stay_apart() -> None:
    made = table(["what", "x mean", "y sd", "low", "median"], ["a", 1.0, 2.0, 3.0, 4.0])
    assert titles(made) == ["what", "x mean", "y sd", "low", "median"]


def test_a_column_without_a_value_is_left_out_and_named() -> None:
    made = table(["what", "points mean", "n", "note"], ["a", None, 1, ""], ["b", float("nan"), 2, ""])
    assert titles(made) == ["what", "n"]
    assert sheet(made).left_out == "Not known here, and left out: points mean, note."
    assert sheet(table(["what", "n"])).left_out == ""


def test_columns_of_the_file_only_are_named() -> None:
    made = Table("t", "T", "How.", ["what", "n", "more"], [["a", 1, 2]], beside=["more"])
    assert titles(made) == ["what", "n"]
    assert sheet(made).left_out == "Also in the CSV of a folder: more."


def test_rows_are_parted_by_what_they_have_in_common() -> None:
    made = table(["what", "set", "n"], ["a", "one", 1], ["b", "one", 2], ["a", "two", 3], parted="set")
    found = sheet(made)
    assert titles(made) == ["what", "n"]
    assert [(body.title, [list(row) for row in body.rows]) for body in found.bodies] == [
        ("one", [["a", "1"], ["b", "2"]]),
        ("two", [["a", "3"]]),
    ]


def test_each_part_of_a_long_table_is_seen() -> None:
    rows: list[list[Cell]] = [[f"r{n}", name, n] for name in ("one", "two") for n in range(30)]
    found = sheet(table(["what", "set", "n"], *rows, parted="set"))
    assert [len(body.rows) for body in found.bodies] == [SHOWN // 2] * 2
    assert found.cut == f"The first {SHOWN} of 60 rows, the first of each part"
    whole = sheet(table(["what", "set", "n"], *rows, parted="set", whole=True))
    assert (sum(len(body.rows) for body in whole.bodies), whole.cut) == (60, "")


def test_digits_go_by_column_by_row_and_by_percent() -> None:
    made = table(["what", "a", "b %", "c"], ["x", 1 / 3, 1 / 3, 1 / 3], ["y %", 1 / 3, 1 / 3, 1 / 3], c=1)
    assert shown(made) == [["x", "0.33", "0.3", "0.3"], ["y %", "0.3", "0.3", "0.3"]]


def test_no_zero_has_a_minus_and_what_is_not_published_is_empty() -> None:
    made = table(["what", "published", "here"], ["x", None, -0.001], ["y", 0.5, None])
    assert shown(made) == [["x", "", "0.00"], ["y", "0.50", "n/a"]]


def test_columns_of_the_file_alone_are_named_in_their_order_whatever_holds_them() -> None:
    head = ("run", "delta", "alpha", "charlie", "bravo")
    table = Table("t", "T", "", head, [("a", 1, 2, 3, 4)], beside=frozenset(head[1:]))
    assert sheet(table).left_out == "Also in the CSV of a folder: delta, alpha, charlie, bravo."
