"""The regions that a network over them was trained on, or others that fit it."""

from __future__ import annotations

from foveate.errors import InputError, UsageError
from foveate.formats.checkpoints import Checkpoint
from foveate.perception.region_features import RegionSource, region_config, region_source


def region_source_of(checkpoint: Checkpoint, regions: str, slots: int, place: int = 0) -> RegionSource:
    """Returns the source of regions.

    Args:
        checkpoint: It tells its own source, where it is one of ours.
        regions: A source or a path of stored features instead; empty for the checkpoint's own.
        slots: How many regions of a photo the method looks at.
        place: How many numbers more a stored feature may have, which tell the region's place.

    Raises:
        UsageError: The features are of another width than the network reads, or there is no source.
        InputError: Stored features are not where they were, or broken.
    """
    where, told, wanted = str(checkpoint.path), checkpoint.card.source, int(checkpoint.card.config["features"])
    if not regions and not told:
        raise UsageError(
            where,
            f"it does not say which regions it looks at; each has {wanted:,} numbers",
            "Pass --set regions=PATH with stored features of its detector (docs/attention.md).",
        )
    try:
        source = region_source({"most": slots, **(region_config(regions) if regions else told)})
    except InputError as error:
        if regions:
            raise
        raise InputError(where, f"its regions are not here: {error.fault}", "Pass --set regions=PATH.") from error
    if source.width not in {wanted, wanted + place}:
        own = f"It was trained on {told['name']}" if told else "It was trained on those of its own detector"
        raise UsageError(
            "regions",
            f"{source.name} has {source.width:,} numbers a region, and {checkpoint.path.name} reads {wanted:,}",
            f"{own}; give features of that kind.",
        )
    return source
