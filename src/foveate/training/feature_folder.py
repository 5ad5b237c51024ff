"""A folder of stored features, one file a split, made where it is not there."""

from __future__ import annotations

from pathlib import Path

from foveate.datasets._open import Dataset
from foveate.errors import InputError
from foveate.execution.features import store_features
from foveate.execution.ground import RunProgress
from foveate.formats.feature_files import StoredGridRows
from foveate.perception.grid_features import grid_source
from foveate.training.readers import GridReader
from foveate.training.recipe import Recipe


def reader_of(recipe: Recipe, data: Dataset, folder: Path, progress: RunProgress | None) -> GridReader:
    """Returns a reader of the features of a split's photos, which are stored first where they are not.

    Raises:
        InputError: A photo is absent, or what is stored is of another source.
    """
    if recipe.source.get("name") == "stored":
        return GridReader(grid_source(recipe.source))
    path = folder / f"{data.split}.h5"
    source = grid_source(recipe.source)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        store_features(data.name, data.root, source=source, out=path, settings=dict(data.settings), progress=progress)
    there = StoredGridRows(path).card.source
    if there != dict(source.config):
        raise InputError(
            str(path),
            f"it holds features of {there}, and the recipe wants {dict(source.config)}",
            "Take another folder.",
        )
    return GridReader(grid_source({"name": "stored", "path": str(path)}))
