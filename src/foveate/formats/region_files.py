"""Features of regions that other programs stored: boxes of a photo, and a vector for each, found by the photo's name.

What is read is told in docs/features.md; nothing is loaded before a photo is asked for, and no pickle is ever opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW
from foveate.errors import InputError, UsageError, did_you_mean
from foveate.formats._places import is_file, is_folder

SETTINGS = ("fields", "labels", "ids", "boxes")
_PICKLES = {".npy", ".pkl", ".pickle", ".pth", ".pt", ".lmdb", ".mdb"}


@dataclass(frozen=True, eq=False)
class StoredRegions:
    """The regions of one photo as a file has them.

    Attributes:
        where: The file and the row, for messages.
        xyxy: ``float64 (R, 4)``, pixels of the stored photo, or shares of its sides where `shares`; not checked.
        features: ``float32 (R, D)``.
        labels: What each region shows, or None where nothing tells.
        size_hw: Of the photo that the boxes are of, or None where nothing tells.
        shares: Whether the boxes are shares of the photo's width and height.
    """

    where: str
    xyxy: Boxes
    features: NDArray[np.float32]
    labels: tuple[str, ...] | None
    size_hw: SizeHW | None
    shares: bool = False

    def __post_init__(self) -> None:
        count = len(self.features)
        if self.features.ndim != 2 or self.xyxy.shape != (count, 4):
            raise _misfit(self.where, f"{self.xyxy.shape} boxes and {self.features.shape} features")
        if self.labels is not None and len(self.labels) != count:
            raise _misfit(self.where, f"{len(self.labels)} labels for {count} features")
        if not count:
            raise _misfit(self.where, "the photo has no region at all")


class RegionFile(Protocol):
    """A file or folder of regions.

    Attributes:
        width: How many numbers a feature has.
    """

    width: int

    def read(self, name: str) -> StoredRegions:
        """Returns the regions of a photo.

        Raises:
            InputError: There are none of this name, or the row is damaged.
        """


def open_regions(path: Path, settings: Mapping[str, str] | None = None) -> RegionFile:
    """Returns what reads stored regions; the form is told by the name's end.

    Args:
        path: A `.tsv` of bottom-up attention, LXMERT or ViLBERT; `features.tsv` of VinVL or its folder; a folder of
            `.npz`, one a photo; a `.h5` of LXMERT, UpDn, GQA or of `foveate features`.
        settings: `fields`: the columns of a `.tsv`, parted by commas. `labels`: a list of the classes' names, one a
            line. `ids`: a JSON file that tells the row of each photo. `boxes`: VinVL's `predictions.tsv` or
            `label.tsv`.

    Raises:
        InputError: There is no such file, or it has another form.
        UsageError: There is no such setting.
        UnavailableError: A `.h5` is asked for and h5py is not installed.
    """
    told = dict(settings or {})
    unknown = next((name for name in told if name not in SETTINGS), None)
    if unknown is not None:
        raise UsageError(str(path), f"stored regions have no option {unknown}", did_you_mean(unknown, SETTINGS))
    if not is_file(path) and not is_folder(path):
        raise InputError(str(path), "there is no such file or folder", "Look at the name.")
    return _opener(path)(path, told)


def _opener(path: Path) -> Callable[[Path, Mapping[str, str]], RegionFile]:
    suffix = path.suffix.lower()
    if suffix in _PICKLES:
        raise pickled(path)
    if suffix == ".tsv":
        from foveate.formats import _region_tsv, _region_vinvl

        return _region_vinvl.VinvlFile if _region_vinvl.is_vinvl(path) else _region_tsv.TsvFile
    if suffix in {".h5", ".hdf5"}:
        from foveate.formats import _region_h5

        return _region_h5.opened
    if is_folder(path):
        from foveate.formats import _region_npz, _region_vinvl

        return _region_vinvl.VinvlFile if is_file(path / "features.tsv") else _region_npz.NpzFolder
    problem = f"{suffix or 'a name without an end'} is no form of stored regions"
    raise InputError(str(path), problem, "Give a .tsv, a .h5, or a folder of .npz; docs/features.md tells the layouts.")


def pickled(path: Path) -> InputError:
    """Returns the refusal of a file that could run what it holds."""
    return InputError(
        str(path),
        "it is a pickle (or may hold one), which could run anything, and is not opened",
        "Write its arrays as .npz, one file a photo, in a program that you trust it with: "
        "np.savez(name, x=..., bbox=..., image_w=..., image_h=...).",
    )


def _misfit(where: str, problem: str) -> InputError:
    return InputError(where, problem, "Store the photo's features again.")
