"""Photos as grids of features, for networks that read a photo cell by cell: made here, or stored before."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.errors import InputError, UsageError, did_you_mean

# Module and class of each source by its name.
SOURCES: Mapping[str, tuple[str, str]] = {
    "colour": ("_grid_colour", "ColourGrid"),
    "dinov2_s": ("_grid_dinov2", "DinoGrid"),
    "resnet101_conv4": ("_grid_resnet", "ResNetGrid"),
    "stored": ("_grid_stored", "StoredGrid"),
}


class GridSource(Protocol):
    """Gives photos as grids, always of the same shape.

    Attributes:
        name: One of `SOURCES`.
        config: What `grid_source` makes it of: `name` and all options, plain values.
        grid_hw: Rows and columns.
        width: How many numbers a cell has.
        needs_image: Whether it looks at the photo, or finds it by its name.
    """

    name: str
    config: Mapping[str, Any]
    grid_hw: SizeHW
    width: int
    needs_image: bool

    def features(self, name: str, image: Image | None) -> NDArray[np.float32]:
        """Returns a photo's cells from top left ``float32 (h, w, D)``; they cover the upright photo from edge to edge.

        Args:
            name: The photo's file name, as the data set has it.
            image: The photo; may be None where `needs_image` is false.

        Raises:
            InputError: The photo is absent or cannot be read, or nothing is stored of it.
        """


def grid_source(config: Mapping[str, Any]) -> GridSource:
    """Returns a source.

    Args:
        config: `name` and the source's options: `colour`: `grid`; `dinov2_s`: `grid`; `resnet101_conv4`: `file`,
            `device`; `stored`: `path`, `order`.

    Raises:
        UsageError: There is no such source or option.
        InputError: Its file is not there, or broken.
        UnavailableError: It needs a package that is not installed.
    """
    options = {key: value for key, value in config.items() if key != "name"}
    name = str(config.get("name", ""))
    if name not in SOURCES:
        raise UsageError("grid", f"there is no source {name}", did_you_mean(name, SOURCES))
    module, kind = SOURCES[name]
    try:
        source: GridSource = getattr(importlib.import_module(f"foveate.perception.{module}"), kind)(**options)
    except TypeError as error:
        told = str(error).partition("() ")[2] or str(error)
        raise UsageError(f"grid {name}", f"the options do not fit ({told})", "See docs/attention.md.") from error
    return source


def grid_config(text: str) -> dict[str, Any]:
    """Returns the config that a text means: the name of a source, or the path of stored features.

    Raises:
        UsageError: The text is empty.

    Example:
        >>> grid_config("dinov2_s"), grid_config("clevr/features.h5")
        ({'name': 'dinov2_s'}, {'name': 'stored', 'path': 'clevr/features.h5'})
    """
    if not text.strip():
        raise UsageError("grid", "the text is empty", f"Say {', '.join(SOURCES)}, or a path.")
    return {"name": text} if text in SOURCES and text != "stored" else {"name": "stored", "path": text}


def check_grid(grid: int) -> int:
    """Returns the number of rows and columns.

    Raises:
        UsageError: It is not from 1 to 64.
    """
    if not 1 <= grid <= 64:
        raise UsageError("grid", f"{grid} is not from 1 to 64", "14 is usual.")
    return grid


def loaded(name: str, image: Image | None) -> NDArray[np.uint8]:
    """Returns a photo's pixels.

    Raises:
        InputError: It is absent.
    """
    if image is None:
        raise InputError(name, "the photo is absent, and its features are made of it", "Put it in place.")
    return image.load()
