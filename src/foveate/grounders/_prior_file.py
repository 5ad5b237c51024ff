"""What the priors of a file share: the file, what it was made of, and a region that only the photo's size decides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.explanations import Evidence, Explanation
from foveate.core.masks import box_to_rle
from foveate.core.predictions import Prediction
from foveate.core.prior_cells import chosen_cells, on_photo
from foveate.core.queries import Image
from foveate.core.regions import Box, Mask, Region, Shape
from foveate.core.rle import area
from foveate.core.soft_maps import SoftMap
from foveate.errors import InputError, UsageError
from foveate.formats.prior_npz import PriorFile, PriorGroup, read_prior, write_prior
from foveate.sources._files import sha256_of

RegionKind = Literal["mask", "box"]
SPEED = "under a thousandth of a second a question, for a mean at 20 megapixels a quarter of a second (two CPU cores)"
LICENCE = "code Apache-2.0; the prior's file as the data set that it was made of"
LIMITS = "Looks at nothing; it knows where the targets of another split lie, and is here to be beaten."
REFERENCE = "Foveate; the naive baseline of Chen, Anjum, Gurari, CVPR 2022, section 4, made as strong as it gets."


class PriorFileGrounder:
    """Reads a prior; says what it was made of; grounds by the photo's size.

    Args:
        file: What `foveate analyze … --prior FILE.npz` wrote.
        name: The method's, for messages.

    Raises:
        UsageError: No file is given.
        InputError: It is no prior.
    """

    def __init__(self, file: str, name: str) -> None:
        if not file:
            raise UsageError(
                f"grounder {name}",
                "the file of the prior is not given",
                "Write one with `foveate analyze NAME:SPLIT --out DIR --prior FILE.npz`; pass --set file=FILE.npz.",
            )
        path = Path(file)
        self.prior: PriorFile = read_prior(path)
        self._about = {"file": path.name, "sha256": sha256_of(path)}
        self._size_hw: SizeHW = (1, 1)
        self._given: Region | None = None

    @property
    def trained_on(self) -> dict[str, Any]:
        """What a run records: the samples that the prior was made of, and the file."""
        prior = self.prior
        return {"dataset": prior.dataset, "fingerprint": prior.fingerprint, "n": prior.n, **self._about}

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Keeps the size; the photo is not needed."""
        self._size_hw, self._given = size_hw, None

    def explain(self) -> Explanation:
        """Returns that it looked at nothing, and whose targets lie there.

        Raises:
            InputError: Nothing was asked yet.
        """
        if self._given is None:
            raise InputError(self._about["file"], "nothing was asked yet", "Call ground before explain.")
        said = f"nothing in the photo; it is {self.always()} in {self.prior.n:,} samples of {self.prior.dataset}"
        return Explanation((Evidence("photo", said, None, self._given),))

    def always(self) -> str:
        """Returns what it gives, in words that go before "in 100 samples of …"."""
        return "the box that overlaps best with the targets"

    def grounded(self, shape: Shape) -> Prediction:
        """Returns a prediction of one region, without a score: a prior is as sure of one photo as of the next."""
        region = self._given = Region(shape, score=None)
        return Prediction("", "ok", final=region, candidates=(region,), size_hw=self._size_hw)


class MeanGrounder(PriorFileGrounder):
    """Grounds by means of targets: the places that are covered at least so often.

    Args:
        file: The prior.
        name: The method's.
        share: Of the highest value of a mean, from which on a place belongs to the region.
        region: The `mask` of these places, or the `box` around them.
    """

    def __init__(self, file: str, name: str, share: float, region: RegionKind) -> None:
        if not 0 < share <= 1:
            raise UsageError(f"grounder {name}", f"share is {share:g}, not above 0 and at most 1", "0.4 is usual.")
        if region not in get_args(RegionKind):
            raise UsageError(f"grounder {name}", f"region is {region}", "Say region=mask or region=box.")
        super().__init__(file, name)
        self._share, self._as_box = share, region == "box"
        self._mean: NDArray[np.float32] = self.prior.mean

    def always(self) -> str:
        """Returns what it gives, in words."""
        return "where most targets lie"

    def explain_map(self) -> Explanation:
        """Returns the same as `explain` with the mean that the region is of.

        Raises:
            InputError: Nothing was asked yet.
        """
        shares = SoftMap.over(np.clip(self._mean, 0.0, 1.0), self._size_hw)
        means = f"how often targets of {self.prior.dataset} cover each place"
        return replace(self.explain(), map=shares, map_means=means)

    def region_of(self, mean: NDArray[np.float32]) -> Prediction:
        """Returns the region of a mean on the photo that was prepared."""
        self._mean = mean
        rle = on_photo(chosen_cells(mean, self._share), self._size_hw)
        if not area(rle):
            # A photo of fewer pixels than the grid has cells may have no pixel's centre in a chosen one.
            height, width = self._size_hw
            rle = box_to_rle((0, 0, width, height), self._size_hw)
        mask = Mask(rle)
        return self.grounded(Box(mask.xyxy) if self._as_box else mask)


def shares_to_box(shares: tuple[float, float, float, float], size_hw: SizeHW) -> Box:
    """Returns a box of shares of width and height in pixels."""
    height, width = size_hw
    x0, y0, x1, y1 = shares
    return Box((x0 * width, y0 * height, x1 * width, y1 * height))


def best_box_of(prior: PriorFile, where: str) -> tuple[float, float, float, float]:
    """Returns the best box of a prior.

    Raises:
        InputError: The file is of a version that had none.
    """
    if prior.best_box is None:
        raise InputError(where, "it has no best box", "Make it again with `foveate analyze … --prior FILE.npz`.")
    return prior.best_box


def write_tiny_prior(folder: Path) -> dict[str, Any]:
    """Writes a prior of three targets; returns the options that name it, for the tests of all methods."""
    mean = np.zeros((4, 4), dtype=np.float32)
    mean[1:3, 1:3] = 0.75
    group = PriorGroup("question", "what is this", 5, (0.25, 0.5), mean[:, ::-1].copy())
    path = folder / "prior.npz"
    prior = PriorFile("made:train", "0" * 64, 3, {}, (0.5, 0.5), mean, (group,), (0.25, 0.25, 0.75, 0.75), 0.5)
    write_prior(path, prior)
    return {"file": str(path)}
