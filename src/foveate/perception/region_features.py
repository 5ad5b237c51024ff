"""Photos as boxes with a vector each: what methods over regions look at, from one of several sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW, box_problem
from foveate.core.queries import Image
from foveate.errors import InputError, UsageError, did_you_mean

SOURCES = ("colour", "offline", "stored", "hub")
# As bottom-up attention has them; VinVL has 50.
MOST = 36


@dataclass(frozen=True, eq=False)
class RegionFeatures:
    """Regions of one photo.

    Attributes:
        xyxy: ``float64 (R, 4)``, pixels of the upright photo, half-open, inside it, each with an area; at least one.
        features: ``float32 (R, D)``, finite.
        labels: What each shows, empty where that is not known; None where the source never tells.
        size_hw: Of the upright photo.
    """

    xyxy: Boxes
    features: NDArray[np.float32]
    labels: tuple[str, ...] | None
    size_hw: SizeHW

    def __post_init__(self) -> None:
        count = len(self.xyxy)
        if not count or self.xyxy.shape != (count, 4) or self.features.ndim != 2 or len(self.features) != count:
            raise ValueError(f"boxes {self.xyxy.shape} and features {self.features.shape} are not (R, 4) and (R, D)")
        if self.xyxy.dtype != np.float64 or self.features.dtype != np.float32:
            raise ValueError(f"boxes are float64 and features float32, not {self.xyxy.dtype}, {self.features.dtype}")
        if self.labels is not None and len(self.labels) != count:
            raise ValueError(f"{len(self.labels)} labels for {count} regions")
        if not np.isfinite(self.features).all():
            raise ValueError("a feature has what is no number")
        problem = next((found for box in self.xyxy.tolist() if (found := box_problem(box, self.size_hw))), None)
        if problem:
            raise ValueError(problem)

    def __len__(self) -> int:
        return len(self.xyxy)


class RegionSource(Protocol):
    """Gives regions of photos.

    Attributes:
        name: One of `SOURCES`.
        config: What `region_source` makes it of: `name` and options, plain values.
        width: How many numbers a feature has.
        most: How many regions a photo has at most; None where only the stored file knows.
        needs_image: Whether it looks at the photo, or finds it by its name.
    """

    name: str
    config: Mapping[str, Any]
    width: int
    most: int | None
    needs_image: bool

    def regions(self, name: str, image: Image | None, size_hw: SizeHW) -> RegionFeatures:
        """Returns the regions of a photo; the same photo has the same regions.

        Args:
            name: The photo's file name, as the data set has it.
            image: The photo; may be None where `needs_image` is false.
            size_hw: Of the upright photo.

        Raises:
            InputError: The photo is absent or cannot be read, or nothing is stored of it that fits.
        """


def region_source(config: Mapping[str, Any]) -> RegionSource:
    """Returns a source.

    Args:
        config: `name` and the source's options. `colour`: `most`. `offline`: `most`, `ring`, `side`. `stored`: `path`,
            `most`, and what `foveate.formats.region_files.open_regions` takes. `hub`: `model`, `most`, `revision`.

    Raises:
        UsageError: There is no such source or option.
        InputError: The file or model is not there, or broken.
        UnavailableError: A package or a model is not here.
    """
    options = {key: value for key, value in config.items() if key != "name"}
    name = config.get("name")
    if name not in SOURCES:
        raise UsageError("regions", f"there is no source {name}", did_you_mean(str(name), SOURCES))
    try:
        return _made(str(name), options)
    except TypeError as error:
        told = str(error).partition("() ")[2] or str(error)
        raise UsageError(f"regions {name}", f"the options do not fit ({told})", "See docs/features.md.") from error


def region_config(text: str) -> dict[str, Any]:
    """Returns the config that a text means: `offline`, `colour`, `hub:MODEL`, or the path of stored features.

    Raises:
        UsageError: The text is empty, or names no model.

    Example:
        >>> region_config("hub:some/model"), region_config("vqa/features.h5")
        ({'name': 'hub', 'model': 'some/model'}, {'name': 'stored', 'path': 'vqa/features.h5'})
    """
    head, colon, rest = text.partition(":")
    if head == "hub" and colon:
        model, at, revision = rest.partition("@")
        if not model:
            raise UsageError(text, "it names no model", "Say hub:OWNER/NAME, or hub:FOLDER.")
        return {"name": "hub", "model": model, **({"revision": revision} if at else {})}
    if not text.strip():
        raise UsageError("regions", "the text is empty", "Say offline, hub:NAME, or a path.")
    return {"name": text} if text in {"offline", "colour"} else {"name": "stored", "path": text}


def _made(name: str, options: Mapping[str, Any]) -> RegionSource:
    if name == "colour":
        from foveate.perception._region_colour import ColourRegions

        return ColourRegions(**options)
    if name == "offline":
        from foveate.perception._region_offline import OfflineRegions

        return OfflineRegions(**options)
    if name == "stored":
        from foveate.perception._region_stored import StoredSource

        return StoredSource(**options)
    from foveate.perception._region_hub import HubRegions

    return HubRegions(**options)


def check_most(most: int) -> int:
    """Returns how many regions there may be.

    Raises:
        UsageError: It is not from 1 to 1,000.
    """
    if not 1 <= most <= 1000:
        raise UsageError("most", f"{most} is not from 1 to 1,000", f"Say {MOST}, or 50 as VinVL.")
    return most


def loaded(name: str, image: Image | None) -> NDArray[np.uint8]:
    """Returns a photo's pixels.

    Raises:
        InputError: It is absent.
    """
    if image is None:
        raise InputError(name, "the photo is absent, and these regions are found by looking at it", "Put it in place.")
    return image.load()
