"""Cells that no spreadsheet runs, and that can be had back."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.formats.csv_cells import plain_text, safe_cell, safe_text


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff201", "'=1"])
def test_what_is_run_gets_an_apostrophe(text: str) -> None:
    assert safe_text(text) == safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("cell", ["", "plain", "1-1", " =1", -1, -0.5, None, True])
def test_the_rest_stays(cell: object) -> None:
    assert safe_cell(cell) is cell


@given(st.text(alphabet="=+-@'\t\r\n ab,\"\uff1d"))
def test_texts_come_back_through_a_table(text: str) -> None:
    table = io.StringIO(newline="")
    csv.writer(table).writerow([safe_text(text), "x"])
    cell = next(csv.reader(io.StringIO(table.getvalue(), newline="")))[0]
    assert plain_text(cell) == text
    assert cell[:1] not in set("=+-@\t\r\n\uff1d")
