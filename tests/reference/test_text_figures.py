"""What is read on real photos: floors under `python benchmarks/text.py` and the memo's figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from foveate.cli.analyze import analyze
from foveate.perception.read_text import read_text
from foveate.perception.text_lines import TextLine, letters
from foveate.sources.images import FileImage
from tests.helpers import SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]


@pytest.fixture(scope="module")
def lines() -> dict[str, Sequence[TextLine]]:
    """Returns the lines of each of the 36 photos, read one by one."""
    photos = sorted((SHARED / "vizwiz" / "images").glob("*.jpg"))
    return {path.name: read_text(FileImage(path).load()) for path in photos}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def told(dataset: str, cache: Path) -> Any:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(analyze)
    words = [dataset, "--root", str(SHARED / "vizwiz"), "--text", "--json", "--cache", str(cache)]
    return json.loads(CliRunner().invoke(app, words, catch_exceptions=False).stdout)["text"]


def test_the_36_photos_by_blind_people_yield_as_much_text_as_was_measured(lines: dict[str, Sequence[TextLine]]) -> None:
    found = [line for of_photo in lines.values() for line in of_photo]
    assert len(lines) == 36
    assert len(found) >= 100
    assert sum(letters(line.text) for line in found) >= 1_050


def test_the_36_photos_are_analysed_from_the_command_line(lines: dict[str, Sequence[TextLine]], cache: Path) -> None:
    text = told("vizwiz_grounding:val", cache)
    ours = {f"VizWiz_val_000000{number}.jpg" for number in ("01", "02", "11")}
    others = set(lines) - ours
    assert text["photos"] == 36
    assert [text[kind]["photos"] for kind in ("with_target", "without_target", "no_sample")] == [3, 0, 33]
    assert text["with_target"]["absent"] == 1_131 - 3
    for kind, names in (("with_target", ours), ("no_sample", others)):
        has_text = text[kind]["photo_has_text"]
        assert (has_text["n"], has_text["found"]) == (len(names), sum(bool(lines[name]) for name in names))
        assert text[kind]["lines"] == sum(len(lines[name]) for name in names)
    # As measured: 2 of the 3 targets, and 12 of the 33 other photos, have text.
    assert text["with_target"]["region_has_text"]["found"] == 2
    assert text["no_sample"]["photo_has_text"]["found"] == pytest.approx(12, abs=1)


def test_of_vizwiz_vqa_the_36_photos_are_those_of_two_samples_and_of_none(cache: Path) -> None:
    text = told("vizwiz_vqa:val", cache)
    assert [text[kind]["photos"] for kind in ("with_target", "without_target", "no_sample")] == [0, 2, 34]
    assert text["without_target"]["photo_has_text"] == {"n": 2, "found": 0, "share": 0.0}
    assert text["no_sample"]["photo_has_text"]["found"] == pytest.approx(14, abs=1)


def test_a_disc_that_lies_on_its_head_is_read() -> None:
    lines = read_text(FileImage(SHARED / "vizwiz" / "images" / "VizWiz_val_00000017.jpg").load())
    assert {line.text for line in lines} == {"DVD", "Windows7", "Ultimate"}
    assert all(190 < line.orientation < 230 for line in lines)
