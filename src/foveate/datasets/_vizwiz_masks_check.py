"""The official masks of VizWiz-VQA-Grounding, looked over: missing, extra, or in a place where they are not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from foveate.datasets._findings import Finding, first_of
from foveate.datasets._options import official_file
from foveate.formats.tables import json_file
from foveate.sources.folders import listing_of
from foveate.sources.places import is_folder

FOLDER = "binary_masks_png"


def mask_folder(root: Path, path: Path, split: str) -> Path:
    """Returns where the masks of a split are looked for: beside its JSON, else in the root if they are there."""
    beside, above = path.parent / FOLDER / split, root / FOLDER / split
    return above if is_folder(above) and not is_folder(beside) else beside


def mask_findings(root: Path, split: str) -> Iterator[Finding]:
    """Yields what is to say of the masks of a split; those that are broken are rows that cannot be taken.

    Raises:
        InputError: The split's JSON is missing or broken.
    """
    path = official_file(root, f"{split}_grounding.json")
    values = json_file(path, "Take the official file again.")
    names = [Path(name).stem for name in values] if isinstance(values, dict) else []
    place = mask_folder(root, path, split)
    listing = listing_of(root)
    pngs = [Path(file) for file in listing.with_suffix(frozenset({".png"}))]
    here = {file.stem for file in pngs if file.parent == place}
    elsewhere = sorted(str(file.parent) for file in pngs if _is_mask(file, split) and file.parent != place)
    if elsewhere:
        what = f"masks lie in {elsewhere[0]} and are not read"
        yield Finding(split, "extra", what, f"Move them to {place} to use them.", len(elsewhere))
    if not here:
        yield Finding(split, "note", f"there are no masks in {place}: the polygons are the targets")
        return
    missing = [name for name in names if name not in here]
    extra = sorted(here - set(names))
    yield Finding(split, "fine", f"of {len(names):,} official masks are there", n=len(names) - len(missing))
    if missing:
        what = f"of {len(names):,} official masks are not there; the polygons are the targets of these samples"
        yield Finding(split, "missing", what, f"Unpack all of {FOLDER}/{split}.", len(missing), first_of(missing))
    if extra:
        what = "masks belong to no sample of this split"
        yield Finding(split, "extra", what, "", len(extra), first_of(f"{name}.png" for name in extra))


def _is_mask(file: Path, split: str) -> bool:
    parts = file.parent.parts
    return FOLDER in parts and parts[-1] == split
