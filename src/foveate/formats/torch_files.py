"""Arrays of a file that PyTorch saved (`.pth`, `.bin`, `.pt`), read by PyTorch's own reader of numbers alone."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError, reason_of
from foveate.formats._optional import needed

# Under which a training that saved more than numbers keeps them.
_INSIDE = ("state_dict", "model")


def read_torch_file(path: Path) -> dict[str, NDArray[Any]]:
    """Returns ``{name: array}`` of a saved dictionary of tensors, or of one that lies in it as `model`.

    The file is a pickle; what in it would run is refused (`torch.load(weights_only=True)`).

    Raises:
        InputError: There is no such file, it is broken, or has more in it than tensors.
        UnavailableError: PyTorch is not installed.
    """
    needed("torch", str(path), "torch")
    import torch

    if not path.is_file():
        raise InputError(str(path), "there is no such file", "Look at the name; docs/attention.md says what to take.")
    try:
        told = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError, ValueError, KeyError) as error:
        problem = f"it is no file of PyTorch's numbers alone ({reason_of(error)})"
        raise InputError(str(path), problem, "Take another one, or save its state_dict again.") from error
    inside = next((told[name] for name in _INSIDE if isinstance(told, Mapping) and name in told), told)
    if not isinstance(inside, Mapping) or not all(isinstance(one, torch.Tensor) for one in inside.values()):
        raise InputError(str(path), "it holds something else than named tensors", "Save its state_dict again.")
    return {str(name): _array(tensor) for name, tensor in inside.items()}


def _array(tensor: Any) -> NDArray[Any]:
    # NumPy has no bfloat16.
    return np.asarray((tensor.float() if tensor.is_floating_point() else tensor).numpy())
