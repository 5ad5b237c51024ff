"""A folder of stored features, one file a split, made where it is not there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from foveate.core.boxes import SizeHW
from foveate.datasets._open import Dataset
from foveate.errors import InputError
from foveate.execution.features import store_features
from foveate.execution.ground import RunProgress
from foveate.formats.feature_files import StoredGridRows, StoredRegionRows
from foveate.perception.grid_features import grid_source
from foveate.perception.region_features import region_source
from foveate.training.readers import GridReader, RegionReader
from foveate.training.recipe import Recipe

# Networks that look at regions; the others look at grids.
_REGIONS = {"lxmert", "oscar"}
# Places of text where a recipe says nothing: so many the grounder has.
_SLOTS = 64
Looks = Literal["grid", "regions"]


@dataclass(frozen=True)
class Features:
    """Where the features of a training come from.

    Attributes:
        recipe: What is looked at, and how.
        folder: Of stored features, `SPLIT.h5`.
        progress: Is told how far they are.
    """

    recipe: Recipe
    folder: Path
    progress: RunProgress | None = None

    @property
    def looks(self) -> Looks:
        """What the network looks at."""
        return "regions" if self.recipe.network.get("network") in _REGIONS else "grid"

    @property
    def stored(self) -> bool:
        """Whether the recipe itself names a file of features."""
        return self.recipe.source.get("name") == "stored"

    def path(self, split: str) -> Path:
        """Returns where the features of a split are, unless the recipe names a file."""
        return self.folder / f"{split}.h5"

    def told(self, split: str) -> dict[str, Any]:
        """Returns what a checkpoint tells of its source; in the path of a file `{split}` stands for the split."""
        path = self.recipe.source.get("path")
        change = {"path": path.replace("{split}", split)} if isinstance(path, str) else {}
        return {**self.recipe.source, **change}

    def options(self, split: str) -> dict[str, str]:
        """Returns the options by which a grounder finds the features of a split, beside its checkpoint."""
        option = "regions" if self.looks == "regions" else "features"
        if not self.stored:
            return {option: str(self.path(split))}
        # One file for all splits is what the checkpoint itself tells of, with its further options.
        path, own = str(self.recipe.source.get("path")), str(self.told(split).get("path"))
        return {} if path == own else {option: own}

    def make(self, data: Dataset) -> None:
        """Stores the features of a split's photos, where they are not.

        Raises:
            InputError: A photo is absent, or what is stored is of another source.
        """
        if self.stored:
            return
        path, source = self.path(data.split), _source(self.looks, self.recipe.source)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            settings = dict(data.settings)
            store_features(data.name, data.root, source=source, out=path, settings=settings, progress=self.progress)
        rows: StoredGridRows | StoredRegionRows
        rows = StoredRegionRows(path) if self.looks == "regions" else StoredGridRows(path)
        if rows.card.source != dict(source.config):
            problem = f"it holds features of {rows.card.source}, and the recipe wants {dict(source.config)}"
            raise InputError(str(path), problem, "Take another folder.")

    def reader(self, data: Dataset, sizes: Mapping[str, SizeHW]) -> GridReader | RegionReader:
        """Returns a reader of the features of a split's photos.

        Args:
            data: The split.
            sizes: Of its upright photos, where they are known.

        Raises:
            InputError: They are not there, or broken.
        """
        config = self.told(data.split) if self.stored else {"name": "stored", "path": str(self.path(data.split))}
        if self.looks == "grid":
            return GridReader(grid_source(config))
        slots = int(self.recipe.network.get("longest_text", _SLOTS)) if self.recipe.tags else 0
        return RegionReader(region_source(config), sizes, slots)


def _source(looks: Looks, config: Mapping[str, Any]) -> Any:
    return region_source(config) if looks == "regions" else grid_source(config)
