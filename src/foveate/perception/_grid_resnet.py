"""The grid that MAC was published with: ResNet-101's fourth stage, by weights that the user has."""

from __future__ import annotations

from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.errors import InputError, UnavailableError
from foveate.formats._optional import needed
from foveate.formats.safetensors import read_safetensors
from foveate.perception.grid_features import loaded

_SIDE = 224
_MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], dtype=np.float32)


class ResNetGrid:
    """What ResNet-101 gives before its last stage, for the photo stretched to 224 × 224: 14 × 14 cells of 1,024.

    The network's form is torchvision's or timm's, where one of them is installed; neither comes with Foveate.

    Args:
        file: The weights, trained on ImageNet: a state dict of torchvision's `resnet101` (`.pth`, read so that nothing
            in it can run, or `.safetensors`).
        device: Where it runs.

    References:
        He et al.: Deep Residual Learning, CVPR 2016; Johnson et al.: Inferring and Executing Programs, ICCV 2017 (the
        stretching by cubic interpolation and ImageNet's mean and deviation are those of its code).
    """

    name = "resnet101_conv4"
    width = 1024
    grid_hw: SizeHW = (14, 14)
    needs_image = True

    def __init__(self, file: str, device: str = "cpu") -> None:
        if not Path(file).is_file():
            raise InputError(file, "there is no such file", "Name a file of weights of ResNet-101.")
        self._file, self._device = Path(file), device
        self.config: dict[str, Any] = {"name": self.name, "file": file, "device": device}

    def features(self, name: str, image: Image | None) -> NDArray[np.float32]:
        """Returns a photo's cells ``float32 (14, 14, 1024)``."""
        import torch

        square = PIL.Image.fromarray(loaded(name, image)).resize((_SIDE, _SIDE), PIL.Image.Resampling.BICUBIC)
        pixels = (np.asarray(square, dtype=np.float32) / 255 - _MEAN) / _DEVIATION
        with torch.inference_mode():
            planes = torch.from_numpy(pixels.transpose(2, 0, 1)[None].copy()).to(self._device)
            for stage in self._stages:
                planes = stage(planes)
        return np.ascontiguousarray(planes[0].permute(1, 2, 0).float().cpu().numpy())

    @cached_property
    def _stages(self) -> list[Any]:
        """The network's parts up to its third block of layers, with their weights."""
        network = _resnet101(str(self._file))
        state = _state(self._file)
        try:
            network.load_state_dict(state)
        except RuntimeError as error:
            told = str(error).splitlines()[-1].strip()
            raise InputError(str(self._file), f"it is not ResNet-101 ({told})", "Name its state dict.") from error
        network.eval().to(self._device)
        act = network.relu if hasattr(network, "relu") else network.act1
        return [network.conv1, network.bn1, act, network.maxpool, network.layer1, network.layer2, network.layer3]


def _resnet101(where: str) -> Any:
    if find_spec("torchvision"):
        return needed("torchvision.models", where).resnet101(weights=None)
    if find_spec("timm"):
        return needed("timm", where).create_model("resnet101", pretrained=False)
    raise UnavailableError(
        where, "ResNet-101 needs torchvision or timm; neither is installed", "pip install torchvision"
    )


def _state(path: Path) -> dict[str, Any]:
    torch = needed("torch", str(path), "torch")
    if path.suffix == ".safetensors":
        return {name: torch.from_numpy(np.array(array)) for name, array in read_safetensors(path).items()}
    try:
        found: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # A broken file makes it raise of every kind.
        raise InputError(str(path), f"it is no file of weights ({type(error).__name__})", "Fetch it again.") from error
    return found
