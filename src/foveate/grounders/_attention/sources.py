"""The features that a network was trained on, or others that fit it."""

from __future__ import annotations

from foveate.errors import InputError, UsageError
from foveate.formats.checkpoints import Checkpoint
from foveate.perception.grid_features import GridSource, grid_config, grid_source


def grid_source_of(checkpoint: Checkpoint, features: str) -> GridSource:
    """Returns the source of grids.

    Args:
        checkpoint: It tells its own source.
        features: A source or a path of stored features instead; empty for the checkpoint's own.

    Raises:
        UsageError: The features are of another width than the network reads.
        InputError: Stored features are not where they were, or broken.
    """
    where, told = str(checkpoint.path), checkpoint.card.source
    try:
        source = grid_source(grid_config(features) if features else told)
    except InputError as error:
        if features:
            raise
        raise InputError(where, f"its features are not here: {error.fault}", "Pass --set features=PATH.") from error
    wanted = checkpoint.card.config.get("features")
    if source.width != wanted:
        raise UsageError(
            "features",
            f"{source.name} has {source.width:,} numbers a cell, and {checkpoint.path.name} reads {wanted:,}",
            f"It was trained on {told.get('name')}; give features of that kind.",
        )
    return source
