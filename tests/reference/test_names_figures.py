"""Floors under what the names of a photo reach; the figures come from `python benchmarks/names.py`."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from foveate.grounders._pocket.spots import THRESHOLD
from foveate.perception.phrase_book import display_name, phrase_book
from foveate.perception.spot_things import names_of_things, spot_thing
from tests.helpers import REPOSITORY, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return runpy.run_path(str(REPOSITORY / "benchmarks" / "names.py"))


@pytest.fixture(scope="module")
def held_out(names: dict[str, Any]) -> list[Any]:
    return [photo for photo in names["load"]() if photo.held_out]


def test_the_main_thing_of_a_photo_is_named(names: dict[str, Any], held_out: list[Any]) -> None:
    said = [names["_by_both"](photo.seen) for photo in held_out]
    large = [{display_name(kind) for kind in photo.large()} for photo in held_out]
    displays = {display_name(kind) for kind in phrase_book().things}
    assert len(held_out) == 37
    assert sum(name in kinds for name, kinds in zip(said, large, strict=True)) >= 24
    assert sum(name in displays - kinds for name, kinds in zip(said, large, strict=True)) <= 2


def test_absent_things_are_refused(held_out: list[Any]) -> None:
    kinds = [kind for kind in phrase_book().things if kind in names_of_things()]
    found: dict[bool, list[bool]] = {True: [], False: []}
    for photo in held_out[:20]:
        for kind in kinds:
            spot = spot_thing(photo.seen.names, kind)
            found[kind in photo.boxes].append(spot is not None and spot.score >= THRESHOLD)
    assert sum(found[False]) <= 0.03 * len(found[False])
    assert sum(found[True]) >= 0.25 * len(found[True])


def test_without_the_samples_the_benchmark_says_where_they_belong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = runpy.run_path(str(REPOSITORY / "benchmarks" / "names.py"))["main"]
    main.__globals__.update(INSTANCES=tmp_path / "instances.json")
    assert main() == 1
    assert str(tmp_path / "instances.json") in capsys.readouterr().out
