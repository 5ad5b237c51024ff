"""What the terminal shows of names and texts from outside: each on its line, nothing cut, nothing that drives it."""

from __future__ import annotations

import json

import pytest

from foveate.cli._output import print_json, say
from foveate.cli.plugin_lists import print_rows
from foveate.errors import did_you_mean


def test_a_sentence_stays_on_its_line_and_drives_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    say("\na \u202eb\x1b[31m\nc")
    assert capsys.readouterr().out == "\na \\u202eb\\x1b[31m\\nc\n"


def test_names_that_are_proposed_stay_on_their_line() -> None:
    assert did_you_mean("zzz", ["two\nlines", "\u202ex"]) == "There are: two\\nlines, \\u202ex."


def test_a_table_of_many_columns_loses_neither_its_texts_nor_a_digit(capsys: pytest.CaptureFixture[str]) -> None:
    titles = ["group", *(f"column {n} {'x' * 60}" for n in range(30))]
    rows = [["the name of a group", *(f"0.{n:04} (12, few)" for n in range(30))]]
    print_rows(titles, rows, right=titles[1:])
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("the name of a group"))
    assert line.split("  ", 1)[1].replace("  ", " ").split() == " ".join(rows[0][1:]).split()
    assert out.count("x") == 30 * 60


def test_a_line_of_json_drives_nothing_and_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    values = {"größe": "日本 \x9b31m \u202e \u2028 \x85 \x1b \U000e0041 \U0001f600"}
    print_json(values)
    out = capsys.readouterr().out
    assert json.loads(out) == values
    assert out.endswith("\n")
    assert out[:-1].isprintable()
    assert len(out.splitlines()) == 1
