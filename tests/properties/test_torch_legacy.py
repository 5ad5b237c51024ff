"""Whatever bytes an old file of PyTorch has, it is read or refused in one sentence."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate.errors import InputError
from foveate.formats.torch_legacy import read_torch_legacy
from tests.unit.formats.torch_files import View, legacy

NUMBERS = np.arange(12, dtype=np.float32)
WHOLE = legacy({"a": View("1", 0, (3, 4), (1, 3)), "b": View("1", 2, (2,), (1,))}, {"1": NUMBERS})


def read(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights.pth"
        path.write_bytes(data)
        try:
            found = read_torch_legacy(path)
        except InputError:
            return
        assert all(isinstance(name, str) and isinstance(array, np.ndarray) for name, array in found.items())
        assert sum(array.size for array in found.values()) <= 12 * len(found)


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.integers(0, len(WHOLE) - 1), st.integers(0, 255), max_size=4), st.integers(0, len(WHOLE)))
def test_a_file_with_other_bytes_or_cut_off(changes: dict[int, int], length: int) -> None:
    data = bytearray(WHOLE)
    for place, value in changes.items():
        data[place] = value
    read(bytes(data[:length]) if length % 3 == 0 else bytes(data))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    read(data)
