"""Sources of grids; `dinov2_s` runs the real transformer, ResNet-101 stands in by a small module of its parts."""

from __future__ import annotations

import importlib.machinery
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import PIL.Image
import pytest
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import nn

from foveate.errors import InputError, UnavailableError, UsageError
from foveate.perception import _grid_resnet
from foveate.perception.embed_image import embed_image
from foveate.perception.grid_features import SOURCES, grid_config, grid_source
from foveate.sources.images import FileImage


def photo(folder: Path, pixels: NDArray[np.uint8]) -> FileImage:
    PIL.Image.fromarray(pixels).save(folder / "photo.png")
    return FileImage(folder / "photo.png")


def noise(*size_hw: int) -> NDArray[np.uint8]:
    return np.random.default_rng(7).integers(0, 256, (*size_hw, 3), dtype=np.uint8)


def test_colours_are_means_of_cells(tmp_path: Path) -> None:
    pixels = noise(6, 8)
    source = grid_source({"name": "colour", "grid": 2})
    found = source.features("photo.png", photo(tmp_path, pixels))
    assert (source.grid_hw, source.width, found.dtype.name) == ((2, 2), 3, "float32")
    # Whole pixels fall into each cell; a mean of bytes is rounded.
    wanted = pixels.reshape(2, 3, 2, 4, 3).mean(axis=(1, 3)) / 255
    np.testing.assert_allclose(found, wanted, atol=0.51 / 255)


@pytest.mark.parametrize("grid", [14, 5])
def test_tokens_cover_the_photo_stretched_to_a_square(grid: int, tmp_path: Path) -> None:
    pixels = noise(60, 90)
    source = grid_source({"name": "dinov2_s", "grid": grid})
    found = source.features("photo.png", photo(tmp_path, pixels))
    assert found.shape == (*source.grid_hw, source.width) == (grid, grid, 384)
    assert found.dtype == np.float32
    # A square photo of that size has the same grid by its own proportions.
    square = noise(grid * 14, grid * 14)
    whole = embed_image(square, side=grid * 14).tokens
    np.testing.assert_array_equal(source.features("a", photo(tmp_path, square)), whole)


def test_stored_grids_need_no_photo(tmp_path: Path) -> None:
    values = np.random.default_rng(1).normal(size=(3, 3, 5)).astype(np.float32)
    np.save(tmp_path / "a.npy", values)
    source = grid_source(grid_config(str(tmp_path)))
    assert not source.needs_image
    assert (source.features("a.jpg", None) == values).all()
    assert source.config == {"name": "stored", "path": str(tmp_path), "order": "auto"}


def test_every_source_is_made_again_from_its_config(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((3, 3, 5)))
    (tmp_path / "weights.pth").write_bytes(b"")
    configs: dict[str, dict[str, Any]] = {
        "colour": {},
        "dinov2_s": {"grid": 9},
        "resnet101_conv4": {"file": str(tmp_path / "weights.pth")},
        "stored": {"path": str(tmp_path)},
    }
    assert configs.keys() == SOURCES.keys()
    for name, options in configs.items():
        source = grid_source({"name": name, **options})
        assert source.name == name
        again = grid_source(source.config)
        assert (again.config, again.grid_hw, again.width) == (source.config, source.grid_hw, source.width)


@pytest.mark.parametrize(
    ("config", "error", "said"),
    [
        ({"name": "dinov2"}, UsageError, r"there is no source dinov2\. Did you mean dinov2_s"),
        ({}, UsageError, "there is no source"),
        ({"name": "colour", "grids": 3}, UsageError, r"grid colour: the options do not fit \(got an unexpected"),
        ({"name": "stored"}, UsageError, "missing 1 required"),
        ({"name": "dinov2_s", "grid": 0}, UsageError, "0 is not from 1 to 64"),
        ({"name": "resnet101_conv4", "file": "none.pth"}, InputError, "none.pth: there is no such file"),
        ({"name": "stored", "path": "none"}, InputError, "none: there is no such file or folder"),
    ],
)
def test_what_is_no_source_is_refused(config: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        grid_source(config)


def test_an_absent_photo_and_an_empty_text_are_told() -> None:
    with pytest.raises(InputError, match=r"a\.jpg: the photo is absent"):
        grid_source({"name": "colour"}).features("a.jpg", None)
    with pytest.raises(UsageError, match="the text is empty"):
        grid_config(" ")


class Small(nn.Module):
    """The parts that torchvision's network has, each far smaller; four strides of two, as there."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 7, stride=2, padding=3, bias=False)
        self.bn1, self.relu = nn.BatchNorm2d(4), nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        self.layer1 = nn.Conv2d(4, 4, 1)
        self.layer2 = nn.Conv2d(4, 6, 3, stride=2, padding=1)
        self.layer3 = nn.Conv2d(6, 1024, 3, stride=2, padding=1)
        self.layer4 = nn.Conv2d(1024, 2, 1)

    def forward(self, pixels: torch.Tensor) -> Any:
        raise AssertionError("its last stage is not wanted")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Small:
    """Puts a module in torchvision's place; whether it is installed does not matter then."""
    torch.manual_seed(3)
    made = Small()
    models, package = ModuleType("torchvision.models"), ModuleType("torchvision")
    package.__spec__ = importlib.machinery.ModuleSpec("torchvision", None)
    models.resnet101 = lambda weights: Small() if weights is None else None  # type: ignore[attr-defined]
    package.models = models  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torchvision", package)
    monkeypatch.setitem(sys.modules, "torchvision.models", models)
    return made


@pytest.mark.parametrize("ending", [".pth", ".safetensors"])
def test_resnet_is_run_up_to_its_third_block_by_the_users_weights(small: Small, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"weights{ending}"
    small.bn1.running_mean.normal_()  # type: ignore[union-attr]
    torch.save(small.state_dict(), path) if ending == ".pth" else save_file(small.state_dict(), path)
    pixels = noise(224, 224)
    source = grid_source({"name": "resnet101_conv4", "file": str(path)})
    found = source.features("photo.png", photo(tmp_path, pixels))
    assert found.shape == (*source.grid_hw, source.width) == (14, 14, 1024)
    values = (pixels / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    with torch.no_grad():
        planes = torch.tensor(values.transpose(2, 0, 1)[None], dtype=torch.float32)
        planes = small.maxpool(small.relu(small.eval().bn1(small.conv1(planes))))
        planes = small.layer3(small.layer2(small.layer1(planes)))
    np.testing.assert_allclose(found, planes[0].permute(1, 2, 0), rtol=1e-4, atol=1e-5)


def test_weights_of_another_network_or_none_are_told(small: Small, tmp_path: Path) -> None:
    image = photo(tmp_path, noise(20, 20))
    torch.save({"fc.weight": torch.zeros(2)}, tmp_path / "other.pth")
    with pytest.raises(InputError, match=r"other\.pth: it is not ResNet-101"):
        grid_source({"name": "resnet101_conv4", "file": str(tmp_path / "other.pth")}).features("a", image)
    (tmp_path / "none.pth").write_bytes(b"none")
    with pytest.raises(InputError, match=r"none\.pth: it is no file of weights"):
        grid_source({"name": "resnet101_conv4", "file": str(tmp_path / "none.pth")}).features("a", image)


def test_without_torchvision_and_timm_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_grid_resnet, "find_spec", lambda name: None)
    (tmp_path / "weights.pth").write_bytes(b"")
    source = grid_source({"name": "resnet101_conv4", "file": str(tmp_path / "weights.pth")})
    with pytest.raises(UnavailableError, match=r"needs torchvision or timm; neither is installed\. pip install"):
        source.features("a", photo(tmp_path, noise(20, 20)))
