from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foveate.curation._agreement import Agreement, agreement
from foveate.curation._folder import _csv
from foveate.curation._reviews import Mark, check_places, is_filled, read_review, review_csv
from foveate.errors import InputError, UsageError
from tests.helpers import write

HEAD = "id,image,question,answer,reason,flag,note\n"
IDS = ["a", "b", "c"]


def filled(folder: Path, text: str, name: str = "several_questions.ann.csv") -> Path:
    return write(folder / name, HEAD + text)


def test_a_filled_list_is_read(tmp_path: Path) -> None:
    path = filled(tmp_path, 'a,a,q,r,,yes,"two, really"\nb,b,q,r,,No ,\nc,c,q,r,,NO,\n')
    review = read_review(path, IDS, IDS)
    assert (review.round, review.reviewer) == ("several_questions", "ann")
    assert review.marks == {"a": Mark(True, "two, really"), "b": Mark(False), "c": Mark(False)}


def test_a_list_as_spreadsheets_save_it_is_read(tmp_path: Path) -> None:
    text = ("\ufeff" + HEAD + "b,,,,,no,\na,,,,,no,\nc,,,,,yes,\n").replace("\n", "\r\n")
    review = read_review(write(tmp_path / "several_questions.ann.csv", text), IDS, IDS)
    assert {sample: mark.flag for sample, mark in review.marks.items()} == {"a": False, "b": False, "c": True}


def test_lines_that_a_spreadsheet_left_blank_are_passed_over(tmp_path: Path) -> None:
    review = read_review(filled(tmp_path, "a,,,,,no,\n,,,,,,\nb,,,,,no,\nc,,,,,yes,\n, ,,,,,\n\n"), IDS, IDS)
    assert {sample: mark.flag for sample, mark in review.marks.items()} == {"a": False, "b": False, "c": True}
    assert review.skipped == []


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (",,,,,yes,\na,,,,,no,\n", "line 2, : the data set has no such id. Keep the ids of the list"),
        ("a,,,,,no,\nb,,,,,,\nc,,,,,,\n", "line 3, b: the flag is empty, and 1 more are. Write yes or no"),
        ("a,,,,,no,\nb,,,,,no,\nc,,,,,,\n", "line 4, c: the flag is empty. Write yes or no"),
        ("a,,,,,no,\nb,,,,,maybe,\nc,,,,,no,\n", "line 3, b: the flag is 'maybe'. Write yes or no"),
        ("a,,,,,no,\nx,,,,,no,\n", "line 3, x: the data set has no such id. Keep the ids of the list"),
        ("a,,,,,no,\na,,,,,yes,\n", "line 3, a: it is here a second time, first line 2. Keep one row"),
        ("a,,,,,no,\n", ": 2 samples of the round have no row: b, c. Take the whole list"),
        ("a,,,,no\n", "line 2: the row has 5 values, the header names 7 columns. Fix the row"),
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_its_line(tmp_path: Path, rows: str, sentence: str) -> None:
    path = filled(tmp_path, rows)
    with pytest.raises(InputError) as caught:
        read_review(path, IDS, IDS)
    assert str(caught.value).startswith(str(path))
    assert sentence in str(caught.value)


def test_what_is_passed_over_is_counted_and_not_taken(tmp_path: Path) -> None:
    path = filled(tmp_path, "a,,,,,no,\nb,,,,,,\nx,,,,,no,\n")
    review = read_review(path, IDS, IDS, lambda _: None)
    assert review.marks == {"a": Mark(False)}
    assert len(review.skipped) == 3  # b is empty, x is unknown, c has no row


def test_rows_of_samples_that_are_gone_are_counted(tmp_path: Path) -> None:
    path = filled(tmp_path, "a,,,,,yes,\nb,,,,,no,\nc,,,,,,\n")
    review = read_review(path, IDS, ["b"])
    assert review.marks == {"b": Mark(False)}
    assert review.gone == 2


@pytest.mark.parametrize("name", ["regions.csv", "several_regions.csv", "several.ann.csv", "several_regions.ann.xlsx"])
def test_a_name_that_does_not_tell_the_round_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"Call it ROUND\.REVIEWER\.csv"):
        check_places([Path(name)])


def test_two_lists_of_one_reviewer_and_three_of_a_round_are_refused() -> None:
    with pytest.raises(UsageError, match="of the same round and reviewer"):
        check_places([Path("x/several_regions.ann.csv"), Path("y/several_regions.ann.csv")])
    with pytest.raises(UsageError, match="it is list 3 of the round several_regions"):
        check_places([Path(f"several_regions.{name}.csv") for name in ("ann", "bo", "cy")])
    check_places([Path("several_regions.ann.csv"), Path("several_questions.ann.csv")])


def test_a_list_is_filled_once_anything_stands_in_it(tmp_path: Path) -> None:
    assert not is_filled(filled(tmp_path, "a,,,,why,,\n"))
    assert is_filled(filled(tmp_path, "a,,,,why,no,\n"))
    assert is_filled(filled(tmp_path, "a,,,,why,,hm\n"))
    assert is_filled(write(tmp_path / "broken.csv", "anything"))


def test_no_cell_starts_a_formula() -> None:
    text = review_csv([("=1", "-a.jpg", "=HYPERLINK(1)", "+1", "@x")])
    row = list(csv.reader(io.StringIO(text)))[1]
    assert row == ["'=1", "'-a.jpg", "'=HYPERLINK(1)", "'+1", "'@x", "", ""]


@given(st.lists(st.text(alphabet="=+-@'ab ,\"", min_size=1).map(str.strip).filter(bool), unique=True, min_size=1))
def test_ids_come_back_as_they_went(tmp_path_factory: pytest.TempPathFactory, ids: list[str]) -> None:
    rows = list(csv.reader(io.StringIO(review_csv((sample, "", "q", "r", "") for sample in ids))))
    table = io.StringIO()
    csv.writer(table).writerows([rows[0], *([*row[:5], "no", ""] for row in rows[1:])])
    path = write(tmp_path_factory.mktemp("lists") / "several_questions.ann.csv", table.getvalue())
    assert list(read_review(path, ids, ids).marks) == ids


def test_tables_of_what_was_removed_hold_no_formula() -> None:
    found = list(csv.reader(io.StringIO(_csv(("id", "question"), [("a", "=HYPERLINK(1)"), ("-b", None)]))))
    assert found == [["id", "question"], ["a", "'=HYPERLINK(1)"], ["'-b", ""]]


def test_agreement_by_hand() -> None:
    # Cohen's kappa: observed 35 of 50; by chance 25 * 30 + 25 * 20 of 2,500, one half.
    found = Agreement(both=20, first=5, second=10, neither=15)
    assert found.share == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)


def test_where_chance_always_agrees_there_is_no_kappa() -> None:
    assert Agreement(0, 0, 0, 9).kappa is None
    assert Agreement(0, 0, 0, 9).share == 1.0
    assert Agreement(0, 0, 0, 0).share is None
    assert Agreement(0, 3, 0, 6).kappa == pytest.approx(0.0)


@given(
    st.tuples(*[st.integers(0, 40)] * 4).filter(lambda c: min(c[0] + c[1], c[0] + c[2], c[3] + c[1], c[3] + c[2]) > 0)
)
def test_kappa_is_the_correlation_scaled_by_the_margins(counts: tuple[int, int, int, int]) -> None:
    both, first, second, neither = counts
    a = [1] * (both + first) + [0] * (second + neither)
    b = [1] * both + [0] * first + [1] * second + [0] * neither
    n, p, q = len(a), sum(a) / len(a), sum(b) / len(b)
    # kappa = 2 cov / (p (1 - q) + q (1 - p)), and cov = r sd sd.
    r = stats.pearsonr(a, b).statistic
    expected = 2 * r * (p * (1 - p) * q * (1 - q)) ** 0.5 / (p * (1 - q) + q * (1 - p))
    found = Agreement(*counts)
    assert found.n == n
    assert found.kappa == pytest.approx(expected, abs=1e-9)


def test_agreement_is_over_what_both_judged(tmp_path: Path) -> None:
    ann = read_review(filled(tmp_path, "a,,,,,yes,\nb,,,,,no,\nc,,,,,no,\n"), IDS, IDS)
    other = filled(tmp_path, "a,,,,,yes,\nb,,,,,yes,\n", "several_questions.bo.csv")
    bo = read_review(other, IDS, IDS, lambda _: None)
    assert agreement(ann, bo) == Agreement(1, 0, 1, 0)
