from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from foveate.errors import InputError
from foveate.formats.checkpoints import CheckpointCard, read_checkpoint, write_checkpoint

CARD = CheckpointCard(
    config={"network": "mac", "steps": 4},
    words=("what", "is"),
    longest=20,
    answers=("yes", "no"),
    source={"name": "dinov2_s", "grid": 14},
    trained_on={"dataset": "scenes:train", "n": 3},
    history=({"epoch": 1, "loss": 0.5},),
)
ARRAYS = {"b": np.arange(6, dtype=np.float32).reshape(2, 3) / 7, "a": np.array([1, 2], dtype=np.int64)}


def test_a_checkpoint_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "best.safetensors"
    write_checkpoint(path, ARRAYS, CARD)
    found = read_checkpoint(path)
    assert found.card == CARD
    assert {name: array.tolist() for name, array in found.arrays.items()} == {
        name: array.tolist() for name, array in ARRAYS.items()
    }
    assert [one.name for one in path.parent.iterdir()] == ["best.safetensors"]
    # Others' readers read it, too.
    assert load_file(path)["b"].tolist() == ARRAYS["b"].tolist()


def test_half_precision_is_for_floating_numbers(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "a", ARRAYS, CARD, half=True)
    found = read_checkpoint(tmp_path / "a").arrays
    assert (str(found["b"].dtype), str(found["a"].dtype)) == ("float16", "int64")


def test_the_same_is_the_same_file(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "a", ARRAYS, CARD)
    write_checkpoint(tmp_path / "b", dict(reversed(ARRAYS.items())), CARD)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read_checkpoint(tmp_path / "a").sha256 == read_checkpoint(tmp_path / "b").sha256


def test_what_is_there_stays_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    write_checkpoint(path, ARRAYS, CARD)
    before = path.read_bytes()

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_checkpoint(path, {}, CARD)
    assert path.read_bytes() == before


def test_a_file_that_is_not_there_or_none_of_ours(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_checkpoint(tmp_path / "none")
    save_file({"a": np.zeros(1)}, tmp_path / "theirs")
    with pytest.raises(InputError, match="no card of Foveate"):
        read_checkpoint(tmp_path / "theirs")


@pytest.mark.parametrize(
    ("change", "said"),
    [({"form": 2}, "form"), ({"answers": []}, "answers"), ({"longest": 0}, "longest"), ({"more": 1}, "more")],
)
def test_a_broken_card_is_told(change: dict[str, object], said: str, tmp_path: Path) -> None:
    card = json.dumps({**CARD.model_dump(), **change})
    save_file({"a": np.zeros(1)}, tmp_path / "a", metadata={"foveate": card})
    with pytest.raises(InputError, match=f"its card is broken \\({said}"):
        read_checkpoint(tmp_path / "a")
