"""The words of certainty and the tables under them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from benchmarks.certainty import bins, written
from benchmarks.certainty import main as measure
from scipy.stats import binomtest

from foveate.assist import certainty as measuring
from foveate.assist.certainty import TABLES, Bin, Table, certainty, table, told
from tests.helpers import needs_shared

NAMES = ["pocket.count", "pocket.no", "pocket.none", "pocket.thing", "pocket.yes"]


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(measuring, "TABLES", tmp_path)
    table.cache_clear()
    yield_to = tmp_path
    (tmp_path / "made.score.toml").write_text(written(MADE), encoding="utf-8")
    (tmp_path / "made.flat.toml").write_text(written(Table("a", "b", (Bin(0.0, 50, 44, 0.7619),))), encoding="utf-8")
    return yield_to


MADE = Table(
    "right", "a few photos", (Bin(0.0, 9, 1, 0.3), Bin(0.2, 9, 5, 0.4), Bin(0.5, 9, 8, 0.7), Bin(0.8, 9, 9, 0.9))
)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (0.0, "A guess."),
        (0.19, "A guess."),
        (0.2, "Not sure."),
        (0.5, "Fairly sure."),
        (0.79, "Fairly sure."),
        (0.8, "Very sure."),
        (1.0, "Very sure."),
        (None, "How often that is right was never measured."),
    ],
)
@pytest.mark.usefixtures("tables")
def test_the_word_is_that_of_the_measured_bin_and_not_of_the_score(score: float | None, said: str) -> None:
    assert told(certainty(score, "made.score")) == said


@pytest.mark.usefixtures("tables")
def test_one_bin_needs_no_score() -> None:
    sure = certainty(None, "made.flat")
    assert (sure.word, sure.measure, sure.measured) == ("fairly", "made.flat", Bin(0.0, 50, 44, 0.7619))


@pytest.mark.parametrize("name", [None, "", "plugin.thing", "../made.score", "/etc/passwd"])
def test_without_a_table_it_is_said_that_nothing_was_measured(name: str | None) -> None:
    assert certainty(0.99, name) == measuring.Certainty("unmeasured")


@pytest.mark.parametrize(
    "wrong", [(), (Bin(0.1, 9, 1, 0.0),), (Bin(0.0, 9, 1, 0.0), Bin(0.0, 9, 2, 0.0)), (Bin(0.0, 0, 0, 0.0),)]
)
def test_a_table_that_is_none_is_refused(wrong: tuple[Bin, ...]) -> None:
    with pytest.raises(ValueError, match="bin"):
        Table("a", "b", wrong)


@pytest.mark.reference
@pytest.mark.parametrize("name", NAMES)
def test_the_tables_rise_and_their_lower_ends_are_those_of_scipy(name: str) -> None:
    measured = tomllib.loads((TABLES / f"{name}.toml").read_text(encoding="utf-8"))
    assert measured["right_means"]
    assert measured["measured_on"]
    shares = [each["right"] / each["n"] for each in measured["bins"]]
    assert shares == sorted(shares)
    for each in measured["bins"]:
        low = binomtest(each["right"], each["n"]).proportion_ci(method="wilson").low
        assert each["low"] == pytest.approx(low, abs=6e-5)


def test_there_are_no_tables_but_those_that_the_command_makes() -> None:
    assert sorted(path.stem for path in TABLES.glob("*")) == NAMES


def test_bins_are_tenths_joined_until_they_are_large_and_rise() -> None:
    scored = [(0.05, False)] * 20 + [(0.15, False)] * 20  # Too few alone.
    scored += [(0.35, each < 30) for each in range(40)]  # Three quarters are right.
    scored += [(0.55, each < 20) for each in range(40)]  # Half: the higher scores are the worse ones.
    scored += [(0.85, each < 36) for each in range(40)] + [(0.95, True)] * 5  # The last are too few.
    found = bins(scored)
    assert [(each.least, each.n, each.right) for each in found] == [(0.0, 40, 0), (0.3, 80, 50), (0.8, 45, 41)]
    assert tomllib.loads(written(Table("a", "b", found)))["bins"][1]["right"] == 50


@needs_shared
@pytest.mark.slow
def test_the_command_makes_the_very_tables_again(tmp_path: Path) -> None:
    assert measure(tmp_path) == 0
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        path.name: path.read_text() for path in TABLES.glob("*.toml")
    }
