"""How `foveate release` tells what it made or found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foveate.cli._output import print_json, remark, say
from foveate.cli.plugin_lists import print_rows

if TYPE_CHECKING:
    from foveate.datasets._convert import Loss
    from foveate.formats.release_json import Release
    from foveate.releases.compare import Change, Difference
    from foveate.releases.pack import Packed

_SHOWN = 20


def told_loss(loss: Loss) -> None:
    """Says what the official layout does not hold."""
    remark(f"official layout: {loss}")


def print_packed(packed: Packed, as_json: bool, changes: Sequence[Change] = ()) -> None:
    """Prints what was made."""
    for sentence in packed.remarks:
        remark(sentence)
    if as_json:
        more = {"changes": [change.as_dict() for change in changes]} if packed.release.parent else {}
        print_json(
            {"folder": str(packed.folder), "sums": packed.sums, **packed.release.model_dump(mode="json"), **more}
        )
        return
    print_release(packed.release)
    say(f"{packed.folder}: {packed.release.full_name}, frozen; sha256 of its sums {packed.sums}")


def print_release(release: Release) -> None:
    """Prints the splits of a release, and what must be minded."""
    rows = [
        [f"{release.full_name}:{name}", f"{split.samples:,}", f"{split.with_target:,}", f"{split.photos:,}"]
        for name, split in release.splits.items()
    ]
    print_rows(["split", "samples", "with a target", "photos"], rows, right=["samples", "with a target", "photos"])
    from foveate.evaluation.wording import counted

    across = release.leakage.get("groups_across", 0)
    how = release.leakage.get("compared", "not said how")
    if across:
        say(f"Note: photos that show the same are in several splits: {counted(across, 'group')} ({how})")
    if release.private.get("not_reviewed"):
        say(f"Note: nobody has looked at what seems private in {counted(release.private['not_reviewed'], 'photo')}")


def print_difference(found: Difference, as_json: bool) -> None:
    """Prints what differs between two releases."""
    if as_json:
        print_json(found.as_dict())
        return
    from foveate.evaluation.wording import counted

    print_changes(found.changes)
    counts = found.counts()
    told = ", ".join(f"{what} {counts[what]:,}" for what in ("added", "removed", "changed"))
    moved = (
        f"{counted(len(found.moved), 'sample')} moved to another split"
        if found.moved
        else "no sample moved to another split"
    )
    say(f"{found.old.full_name} to {found.new.full_name}: {told}, the same {found.unchanged:,}; {moved}")
    files = found.files
    say(
        f"files: {files['equal']:,} equal, {files['different']:,} different, {files['only_old']:,} only in the older, "
        f"{files['only_new']:,} only in the newer"
    )


def print_changes(changes: Sequence[Change]) -> None:
    """Prints the first changes, the smallest overlaps first."""
    ordered = sorted(changes, key=lambda one: (one.what, 1.0 if one.overlap is None else one.overlap, one.id))
    rows = [
        [
            one.id,
            one.split,
            one.what,
            ", ".join(one.fields),
            "" if one.overlap is None else f"{one.overlap:.3f}",
            one.why,
        ]
        for one in ordered[:_SHOWN]
    ]
    if rows:
        print_rows(["sample", "split", "what", "of it", "IoU", "why"], rows, right=["IoU"])
    if len(ordered) > _SHOWN:
        say(f"… and {len(ordered) - _SHOWN:,} more: --json has them all")
