"""Files that PyTorch saved, read without running what may be in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from foveate.errors import InputError
from foveate.formats.torch_files import read_torch_file

NUMBERS = {"a": torch.arange(6).reshape(2, 3).float(), "b": torch.tensor([1, 2])}


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("inside", ["", "state_dict", "model"])
def test_arrays_of_both_forms_of_file(zipped: bool, inside: str, tmp_path: Path) -> None:
    torch.save(
        {inside: NUMBERS, "epoch": 3} if inside else NUMBERS, tmp_path / "a.pth", _use_new_zipfile_serialization=zipped
    )
    found = read_torch_file(tmp_path / "a.pth")
    assert found["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert found["b"].dtype == np.int64
    assert list(found) == ["a", "b"]


class Runs:
    def __reduce__(self) -> Any:
        return print, ("it ran",)


def test_what_would_run_does_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.save({"a": Runs()}, tmp_path / "a.pth")
    with pytest.raises(InputError, match="it is no file of PyTorch's numbers alone"):
        read_torch_file(tmp_path / "a.pth")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("held", [[1, 2], {"a": 1}, {"model": {"a": "b"}}])
def test_other_things_than_tensors_are_refused(held: Any, tmp_path: Path) -> None:
    torch.save(held, tmp_path / "a.pth")
    with pytest.raises(InputError, match="it holds something else than named tensors"):
        read_torch_file(tmp_path / "a.pth")


def test_broken_and_absent_files(tmp_path: Path) -> None:
    torch.save(NUMBERS, tmp_path / "a.pth")
    whole = (tmp_path / "a.pth").read_bytes()
    for data in (b"", b"no file", whole[: len(whole) // 2]):
        (tmp_path / "b.pth").write_bytes(data)
        with pytest.raises(InputError, match=r"b\.pth: it is no file of PyTorch's numbers"):
            read_torch_file(tmp_path / "b.pth")
    with pytest.raises(InputError, match="there is no such file"):
        read_torch_file(tmp_path / "c.pth")


def test_brain_floats_become_single_ones(tmp_path: Path) -> None:
    torch.save({"a": torch.tensor([1.5], dtype=torch.bfloat16)}, tmp_path / "a.pth")
    found = read_torch_file(tmp_path / "a.pth")["a"]
    assert found.dtype == np.float32
    assert found.tolist() == [1.5]
