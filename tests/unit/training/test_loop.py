from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from foveate.errors import InputError, UsageError
from foveate.formats.checkpoints import read_checkpoint
from foveate.networks._batches import GridBatch, Output
from foveate.training.judge import Judge
from foveate.training.loop import optimiser_of
from foveate.training.processes import Processes, checked
from foveate.training.state import FILE
from foveate.training.told import Told
from tests.helpers import REPOSITORY
from tests.unit.training.tasks import Look, loop, recipe


def arrays(folder: Path, name: str = "last") -> dict[str, np.ndarray[Any, Any]]:
    return {key: np.array(value) for key, value in read_checkpoint(folder / f"{name}.safetensors").arrays.items()}


def log(folder: Path) -> list[dict[str, str]]:
    with (folder / "log.csv").open(encoding="utf-8", newline="") as file:
        return [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]


def same(one: Path, other: Path) -> bool:
    left, right = arrays(one), arrays(other)
    return left.keys() == right.keys() and all(np.array_equal(left[key], right[key]) for key in left)


@pytest.mark.parametrize("loss", ["bce", "softmax"])
def test_a_tiny_network_learns_a_tiny_task_wholly(tmp_path: Path, loss: str) -> None:
    trained = loop(tmp_path, recipe(loss=loss, epochs=30))

    assert trained.run() == "epochs"
    assert trained.history[-1]["accuracy"] == 1.0
    assert trained.history[-1]["loss"] < 0.2 < trained.history[0]["loss"]
    lines = log(tmp_path)
    assert [line["epoch"] for line in lines] == [str(number) for number in range(1, 31)]
    assert lines[-1]["step"] == "120", "12 photos, 3 a batch, 30 epochs"


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_half_precision_learns_it_too_and_keeps_whole_numbers(tmp_path: Path, precision: str) -> None:
    trained = loop(tmp_path, recipe(precision=precision, epochs=30, loss="softmax", clip=5.0))
    trained.run()

    assert trained.history[-1]["accuracy"] == 1.0
    assert {value.dtype for value in arrays(tmp_path).values()} == {np.dtype(np.float32)}
    state = torch.load(tmp_path / FILE, weights_only=True)
    assert ("scaler" in state["parts"]) == (precision == "fp16")


def test_batches_that_make_a_step_together_are_as_one_large_batch(tmp_path: Path) -> None:
    """The last step of an epoch has fewer questions: 5 photos a batch leave 2 of 12."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder, many in ((whole, {"photos": 10}), (parts, {"photos": 5, "accumulate": 2})):
        folder.mkdir()
        loop(folder, recipe(optimiser="adamw", clip=0.5, **many)).run()

    left, right = arrays(whole), arrays(parts)
    assert all(np.allclose(left[key], right[key], atol=1e-6) for key in left)
    assert np.allclose([float(row["loss"]) for row in log(whole)], [float(row["loss"]) for row in log(parts)])


def test_the_moving_average_is_what_is_kept(tmp_path: Path) -> None:
    how = recipe(ema=0.75, epochs=2, photos=4)
    steps: list[Tensor] = []

    class Seen(Told):
        def step(self, step: int, steps_: int, loss: float) -> None:
            steps.append(network.answers.bias.detach().clone())

    torch.manual_seed(0)
    network = Look()
    loop(tmp_path, how, network=network, told=Seen()).run()

    average = steps[0]
    for later in steps[1:]:
        average = 0.75 * average + 0.25 * later
    assert len(steps) == 6
    assert np.allclose(arrays(tmp_path)["answers.bias"], average.numpy(), atol=1e-7)


def test_gradients_are_cut_to_their_norm(tmp_path: Path) -> None:
    """Plain steps of a first Adam step move each number by lr whatever the norm; so the gradients are looked at."""
    norms: list[float] = []

    class Cut(torch.optim.SGD):
        def step(self, closure: Any = None) -> Any:
            grads = [one.grad for group in self.param_groups for one in group["params"]]
            norms.append(float(torch.cat([grad.flatten() for grad in grads]).norm()))
            return super().step(closure)

    one = loop(tmp_path, recipe(clip=0.01, epochs=1))
    one._optimiser = Cut(one._network.parameters(), lr=0.02)
    one.run()

    assert norms
    assert max(norms) == pytest.approx(0.01, rel=1e-3)


def test_biases_and_scales_never_decay() -> None:
    network = nn.Sequential(nn.Linear(3, 2), nn.LayerNorm(2))
    optimiser = optimiser_of(network, recipe(optimiser="adamw", weight_decay=0.1))
    before = {name: value.detach().clone() for name, value in network.named_parameters()}
    for one in network.parameters():
        one.grad = torch.zeros_like(one)
    optimiser.step()

    for name, value in network.named_parameters():
        shrunk = (1 - 0.02 * 0.1) if name == "0.weight" else 1.0
        assert torch.allclose(value, before[name] * shrunk), name


def scoring(monkeypatch: pytest.MonkeyPatch, scores: list[float]) -> None:
    left: Iterator[float] = iter(scores)
    monkeypatch.setattr(Judge, "validate", lambda judge, network: {"accuracy": next(left)})


def test_it_ends_when_it_gets_no_better_and_the_best_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scoring(monkeypatch, [0.2, 0.5, 0.4, 0.5, 0.3])
    trained = loop(tmp_path, recipe(patience=3, epochs=20))

    assert trained.run() == "patience"
    assert [line["accuracy"] for line in trained.history] == [0.2, 0.5, 0.4, 0.5, 0.3]
    assert len(read_checkpoint(tmp_path / "best.safetensors").card.history) == 2, "the first of two equal ones"
    assert len(read_checkpoint(tmp_path / "last.safetensors").card.history) == 5


def test_a_plateau_halves_the_learning_rate_in_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scoring(monkeypatch, [0.2, 0.1, 0.3, 0.3])
    trained = loop(tmp_path, recipe(schedule="plateau"))
    trained.run()

    assert [line["lr"] for line in trained.history] == [0.02, 0.02, 0.01, 0.01]


def test_a_loss_that_is_no_number_ends_it_and_says_so(tmp_path: Path) -> None:
    class Broken(Look):
        def forward(self, batch: GridBatch) -> Output:
            return Output(super().forward(batch).logits * torch.nan, {})

    with pytest.raises(InputError, match=r"step 1: the loss is nan\. Take a lower lr"):
        loop(tmp_path, recipe(), network=Broken()).run()
    assert not (tmp_path / "best.safetensors").exists()


def test_the_time_is_over_and_it_goes_on_with_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that moves by a second at each look."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder in (whole, parts):
        folder.mkdir()
    loop(whole, recipe(), dropout=0.4).run()
    ticks = iter(range(10**6))
    monkeypatch.setattr("foveate.training.loop.time.monotonic", lambda: float(next(ticks)))
    first = loop(parts, recipe(), dropout=0.4, minutes=0.1)

    assert first.run() == "minutes"
    assert first.history == []
    assert read_checkpoint(parts / "best.safetensors").card.history == (), "there is something to take already"
    assert loop(parts, recipe(), dropout=0.4, minutes=0.1).run() == "minutes", "the time is counted in all"
    assert loop(parts, recipe(), dropout=0.4).run() == "epochs"
    assert same(whole, parts)


def test_a_state_that_is_broken_or_could_run_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(InputError, match="the state of the training cannot be read"):
        loop(tmp_path, recipe()).run()

    torch.save({"state": {}, "random": os.system}, tmp_path / FILE)
    with pytest.raises(InputError, match="the state of the training cannot be read"):
        loop(tmp_path, recipe()).run()


def started(words: list[str], *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, *words, "tests.unit.training.tasks", *arguments]
    return subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True)


def test_killed_in_the_middle_it_ends_with_the_same_digits(tmp_path: Path) -> None:
    """Killed in the third epoch of four, after a step that was not kept yet."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        folder.mkdir()
    with started(["-m"], str(killed), "0.4", "3", "10") as child:
        told, _ = child.communicate(timeout=120)
    assert told.splitlines()[-1].startswith("step 10 ")
    assert child.returncode == -signal.SIGKILL
    assert not (killed / "last.safetensors").exists()
    kept = torch.load(killed / FILE, weights_only=True)["state"]
    assert kept["step"] == 9, "it goes on from there, not from the beginning"

    (killed / ".0123.part").write_bytes(b"as a kill in the midst of writing leaves it")
    for folder in (whole, killed):
        loop(folder, recipe(ema=0.9), dropout=0.4).run()
    assert log(whole) == log(killed)
    assert same(whole, killed)
    assert not list(killed.glob(".*")), "nothing half written is left"


def test_each_question_is_asked_by_one_process() -> None:
    rows = np.arange(7)
    shares = [Processes(number, 3).share(rows) for number in range(3)]

    assert np.concatenate([own for own, _ in shares]).tolist() == rows.tolist()
    assert [count for _, count in shares] == [3, 2, 2]
    few = [Processes(number, 3).share(rows[5:]) for number in range(3)]
    assert [(own.tolist(), count) for own, count in few] == [([5], 1), ([6], 1), ([5], 0)]


@pytest.mark.slow
def test_two_processes_do_the_same_steps_as_one(tmp_path: Path) -> None:
    """5 photos a batch: the last has 2, and a share of one process is larger than the other's."""
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    words = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m"]
    with started(words, str(two), "0", "5") as both:
        told, _ = both.communicate(timeout=120)
    assert both.returncode == 0
    with started(["-m"], str(one), "0", "5") as alone:
        said, _ = alone.communicate(timeout=120)

    steps = [[line for line in text.splitlines() if line.startswith("step ")] for text in (said, told)]
    curves = [np.array([float(line.split()[2]) for line in lines]) for lines in steps]
    assert len(curves[0]) == len(curves[1]) == 12
    assert np.allclose(curves[0], curves[1], rtol=1e-4)
    left, right = arrays(one), arrays(two)
    assert all(np.allclose(left[key], right[key], atol=1e-4) for key in left)
    assert [row["accuracy"] for row in log(one)] == [row["accuracy"] for row in log(two)]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
@pytest.mark.parametrize("precision", ["full", "bf16", "fp16"])
def test_it_learns_on_a_gpu(tmp_path: Path, precision: str) -> None:
    how = recipe(precision=precision, epochs=30, loss="softmax", clip=5.0, ema=0.5)
    trained = loop(tmp_path, how, these=Processes(device="cuda"))
    trained.run()

    assert trained.history[-1]["accuracy"] == 1.0


def test_a_device_that_is_not_here_is_named() -> None:
    with pytest.raises(UsageError, match="device: nonsense cannot be used"):
        checked("nonsense")
    if not torch.cuda.is_available():
        with pytest.raises(UsageError, match="device: cuda cannot be used"):
            checked("cuda")
    assert checked("cpu") == "cpu"
