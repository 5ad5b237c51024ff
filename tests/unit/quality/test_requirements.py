"""What people must have done before: exact shares, what counts before what, tables of organisers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given
from pydantic import ValidationError

from foveate.errors import InputError
from foveate.quality.requirements import Record, Requirements, read_records, verdict
from tests.helpers import write

PAPER = Requirements(regions=("us",))


def findings(asked: Requirements, declared: Record | None, imported: Record | None) -> list[tuple[str, bool, str]]:
    return [(one.name, one.met, one.source) for one in verdict(asked, declared, imported).findings]


@pytest.mark.parametrize(
    ("tasks", "accepted", "region", "met"),
    [
        (500, 476, "US", [True, True, True]),
        (500, 475, "us ", [True, False, True]),  # Exactly 95 %.
        (499, 499, "DE", [False, True, False]),
        (1000, 950, "US", [True, False, True]),
        (1000, 951, "US", [True, True, True]),
        (0, 0, "", [False, False, False]),
    ],
)
def test_the_first_papers_requirements(tasks: int, accepted: int, region: str, met: list[bool]) -> None:
    found = verdict(PAPER, Record(tasks=tasks, accepted=accepted, region=region), None)
    assert [one.met for one in found.findings] == met
    assert found.met == all(met)


@given(st.integers(1, 10**6), st.data(), st.integers(0, 99))
def test_shares_are_exact(tasks: int, data: st.DataObject, percent: int) -> None:
    accepted = data.draw(st.integers(0, tasks))
    asked = Requirements(least_tasks=None, least_share=percent / 100)
    assert verdict(asked, Record(tasks=tasks, accepted=accepted), None).met == (
        Fraction(accepted, tasks) > Fraction(percent, 100)
    )


def test_what_was_imported_counts_before_what_was_declared_each_apart() -> None:
    said = Record(tasks=900, accepted=900, region="US")
    known = Record(tasks=10, accepted=10)
    assert findings(PAPER, said, known) == [
        ("tasks", False, "imported"),
        ("share", True, "imported"),
        ("region", True, "declared"),
    ]
    strict = PAPER.model_copy(update={"by_declaration": False})
    assert findings(strict, said, None) == [(name, False, "unknown") for name in ("tasks", "share", "region")]
    assert verdict(strict, None, said).met


def test_each_can_be_off() -> None:
    nothing = Requirements(least_tasks=None, least_share=None)
    assert not nothing.any
    assert verdict(nothing, None, None).met
    assert Requirements(least_tasks=None, least_share=None, regions=("", " us", "US")).regions == ("US",)
    assert PAPER.any


def test_more_accepted_than_done_is_no_record() -> None:
    with pytest.raises(ValidationError, match="4 were accepted of 3"):
        Record(tasks=3, accepted=4)


def test_a_table_is_read_and_its_broken_rows_are_told(tmp_path: Path) -> None:
    lines = ["person,tasks,accepted,region,source", "anna,600,590,US,market", "ben,,,,", "carl,1,2,,", "ANNA,1,1,,"]
    told: list[InputError] = []
    rows = list(read_records(write(tmp_path / "t.csv", "\n".join([*lines, "dora,x,1,,"]) + "\n"), told.append))
    assert [(one.person, one.tasks, one.accepted, one.region, one.source) for one in rows] == [
        ("anna", 600, 590, "US", "market"),
        ("ben", None, None, "", ""),
    ]
    assert ["2 were accepted of 1" in str(told[0]), "second time" in str(told[1]), "tasks" in str(told[2])] == [
        True
    ] * 3
    with pytest.raises(InputError, match="accepted"):
        list(read_records(write(tmp_path / "u.csv", "person,tasks\nanna,1\n")))
