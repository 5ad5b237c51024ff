"""Sessions on a tiny network, in a cache of their own."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.errors import UnavailableError, UsageError
from foveate.perception import conversions, sessions
from foveate.perception.conversions import NETWORKS, Network, fingerprint
from foveate.perception.graphs._builder import GraphBuilder
from foveate.perception.sessions import look_at_network, prepare, run, threads
from foveate.sources.converted import Conversion


def tripled(factor: float = 3.0) -> bytes:
    graph = GraphBuilder()
    value = graph.add("Mul", "x", graph.floats(factor))
    return graph.finished({"x": (np.float32, ("n",) * 3)}, {"y": (value, ("n",) * 3)})


class Maker:
    """Makes the network, and counts how often."""

    def __init__(self) -> None:
        self.calls = 0
        self.result = tripled()

    def __call__(self, files: Mapping[str, Path]) -> bytes:
        self.calls += 1
        return self.result


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sessions, "_sessions", {})
    made = Maker()
    network = Network("tripled", "yolov3_tiny", Conversion("tripled.onnx", (), 1, made), (1, 4, 5), ())
    expected = tuple(fingerprint(3 * network.made_up()).tolist())
    monkeypatch.setitem(NETWORKS, "tripled", dataclasses.replace(network, expected=expected))
    return made


def photo() -> np.ndarray:
    return np.arange(6, dtype=np.float32).reshape(1, 2, 3)


def test_a_network_is_made_and_opened_once(maker: Maker) -> None:
    assert run("tripled", photo()).tolist() == (photo() * 3).tolist()
    assert run("tripled", photo()[:, :1]).shape == (1, 1, 3)
    assert maker.calls == 1
    assert list(sessions._sessions) == ["tripled"]


def test_the_next_process_finds_it_made(maker: Maker) -> None:
    prepare("tripled")
    sessions._sessions.clear()
    run("tripled", photo())
    assert maker.calls == 1


def test_several_threads_share_one_session(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Network] = []
    plain = sessions._open

    def counted(network: Network) -> Any:
        opened.append(network)
        return plain(network)

    monkeypatch.setattr(sessions, "_open", counted)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda factor: run("tripled", photo() * factor), range(16)))
    assert [values.tolist() for values in found] == [(photo() * factor * 3).tolist() for factor in range(16)]
    assert len(opened) == 1


def test_a_network_that_gives_something_else_is_made_anew_once(maker: Maker) -> None:
    path = NETWORKS["tripled"].conversion.path
    prepare("tripled")
    # Whole by its hash, but not what it should be: another version of a library made it.
    good, wrong = maker.result, tripled(3.01)
    maker.result = wrong
    path.unlink()
    with pytest.raises(UnavailableError, match=r"tripled\.onnx: the network does not work here: on a made-up input it"):
        run("tripled", photo())
    assert maker.calls == 3
    assert not path.exists()
    maker.result = good
    assert run("tripled", photo()).tolist() == (photo() * 3).tolist()


@pytest.mark.parametrize("result", [b"", b"no network", tripled()[:-9]])
def test_what_onnx_runtime_cannot_read(maker: Maker, result: bytes) -> None:
    maker.result = result
    with pytest.raises(UnavailableError, match=r"does not work here: .*\. Try another version of onnxruntime"):
        run("tripled", photo())


@pytest.mark.parametrize("output", [np.full((1, 4, 5), np.nan), np.zeros((1, 4, 5)), np.full((1, 4, 5), np.inf)])
def test_no_number_is_no_fingerprint(maker: Maker, output: np.ndarray) -> None:
    network = NETWORKS["tripled"]
    with np.errstate(invalid="ignore"):
        assert network.misfit(output)
    assert network.misfit(3 * network.made_up()) is None


def test_a_fingerprint_tells_where_values_stand() -> None:
    values = np.random.default_rng(3).normal(size=(4, 30))
    assert np.abs(fingerprint(values) - fingerprint(values[::-1])).max() > 1000 * conversions.TOLERANCE


def test_the_fingerprints_of_all_networks_are_whole() -> None:
    for name, network in NETWORKS.items():
        assert network.name == name
        assert network.made_up().shape == network.shape
        assert len(network.expected) == len(fingerprint(network.made_up()))
        assert network.weights in {"yolov3_tiny", "all_minilm_l6_v2", "vit_s_focus", "efficientnet_lite2"}


def test_looking_makes_nothing(maker: Maker) -> None:
    assert look_at_network("tripled").state == "absent"
    prepare("tripled")
    assert (look_at_network("tripled").state, look_at_network("tripled").problem) == ("ok", "")
    path = NETWORKS["tripled"].conversion.path
    path.write_bytes(tripled(4.0))
    found = look_at_network("tripled")
    assert (found.state, found.problem, found.path) == ("damaged", "it is not the file that was made", path)
    maker.result = tripled(4.0)
    with pytest.raises(UnavailableError):
        prepare("tripled")
    assert look_at_network("tripled").state == "absent"
    assert maker.calls == 3


def test_threads_by_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOVEATE_THREADS", raising=False)
    assert 1 <= threads() <= sessions.DEFAULT_MOST_THREADS
    monkeypatch.setenv("FOVEATE_THREADS", " 7 ")
    assert threads() == 7


@pytest.mark.parametrize("text", ["0", "-1", "2.5", "many", "²"])
def test_threads_that_are_no_number(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("FOVEATE_THREADS", text)
    with pytest.raises(UsageError, match="FOVEATE_THREADS: .* is not a positive whole number"):
        threads()


def _in_child(pipe: multiprocessing.connection.Connection) -> None:
    pipe.send((len(sessions._sessions), run("tripled", photo()).tolist()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_opens_its_own_session(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_THREADS", "2")
    prepare("tripled")
    run("tripled", photo())
    near, far = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=_in_child, args=(far,))
    child.start()
    assert near.poll(60)
    assert near.recv() == (0, (photo() * 3).tolist())
    child.join()
