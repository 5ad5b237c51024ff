"""What is remembered of a million rows: keys that may be shared, and answers that may not be wrong for it."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.errors import InputError
from foveate.formats import _keys
from foveate.formats._keys import Keys, Repeats
from foveate.formats._numbered import id_maker
from foveate.formats._seen import Seen

NAMES = st.lists(st.sampled_from([*"abcdefgh", "\ud800", ""]), max_size=30)


@pytest.fixture(params=["full", "shared"])
def _keys_that_are_shared(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves one bit of a key, so that half of all texts share theirs: every answer must stay exact."""
    if request.param == "shared":
        monkeypatch.setattr(_keys, "_BUCKETS", 0)
        monkeypatch.setattr(_keys, "_REST", 1)


def noted(rows: list[tuple[str, bool]]) -> list[str]:
    """Returns what is refused of rows that are valid or not, as a reader asks."""
    seen, told = Seen(lambda: ((name, f"f, row {n}") for n, (name, _) in enumerate(rows))), []
    for number, (name, is_valid) in enumerate(rows):
        if not is_valid:
            seen.pass_over(number)
            continue
        try:
            seen.note(name, number, f"f, row {number}")
        except InputError as error:
            seen.pass_over(number)
            told.append(error.fault)
    return told


def expected(rows: list[tuple[str, bool]]) -> list[str]:
    """Returns the same by a plain table of all names."""
    first: dict[str, int] = {}
    told = []
    for number, (name, is_valid) in enumerate(rows):
        if is_valid and first.setdefault(name, number) != number:
            error = InputError(f"f, row {number}, {name}", f"the id is here a second time, first row {first[name]}", "")
            told.append(error.fault)
    return told


@pytest.mark.usefixtures("_keys_that_are_shared")
class TestExactly:
    @given(rows=st.lists(st.tuples(st.sampled_from([*"abcdefgh", "\ud800"]), st.booleans()), max_size=30))
    def test_an_id_is_refused_exactly_where_a_table_of_all_ids_would(self, rows: list[tuple[str, bool]]) -> None:
        assert noted(rows) == expected(rows)

    @given(names=NAMES)
    def test_what_comes_twice_is_found_and_whether_anything_does(self, names: list[str]) -> None:
        repeats = Repeats(lambda: names)
        assert repeats.any() == (len(set(names)) < len(names))
        assert all(name in repeats for name, n in Counter(names).items() if n > 1)

    @given(names=NAMES)
    def test_made_ids_are_numbered_by_photo_as_soon_as_one_comes_twice(self, names: list[str]) -> None:
        make = id_maker(Repeats(lambda: names))
        numbered = [f"{name}#{names[:n].count(name)}" for n, name in enumerate(names)]
        assert [make(name) for name in names] == (names if len(set(names)) == len(names) else numbered)


def test_keys_are_told_apart() -> None:
    keys = Keys()
    assert not any(keys.add(f"id {n}") for n in range(3_000))
    assert all(keys.add(f"id {n}") for n in range(3_000))
    assert "id 2999" in keys
    assert "id 3000" not in keys


def test_a_row_takes_about_five_bytes() -> None:
    def names() -> Iterator[str]:
        return (f"{n:012d}.jpg" for n in range(200_000))

    tracemalloc.start()
    keys = Keys()
    before = tracemalloc.get_traced_memory()[0]
    for name in names():
        keys.add(name)
    grown = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    assert 4 * 200_000 <= grown <= 8 * 200_000


def test_the_file_is_named_where_the_first_row_is_in_another() -> None:
    rows = [("x", "a.parquet, row 1"), ("x", "b.parquet, row 1"), ("x", "b.parquet, row 2")]
    seen = Seen(lambda: rows)
    seen.note("x", 0, rows[0][1])
    for number in (1, 2):
        with pytest.raises(InputError, match=r"row ., x: the id is here a second time, first a\.parquet, row 1"):
            seen.note("x", number, rows[number][1])


def test_the_ids_are_read_again_only_when_one_comes_twice_and_then_not_for_every_one() -> None:
    readings = []
    rows = [(f"{n % 50}", f"f, row {n}") for n in range(100)]

    def again() -> list[tuple[str | None, str]]:
        readings.append(1)
        return list(rows)

    seen = Seen(again)
    for number in range(50):
        seen.note(*rows[number][:1], number, rows[number][1])
    assert not readings
    for number in range(50, 100):
        with pytest.raises(InputError, match=f"first row {number - 50}"):
            seen.note(rows[number][0], number, rows[number][1])
    assert len(readings) == 2
