"""Two releases side by side: what was added, removed and changed, and by how much regions differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.regions import Box
from foveate.core.rle import merge
from foveate.core.truths import Truth
from foveate.datasets.release import SAMPLES
from foveate.errors import InputError
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Reading, Sample
from foveate.formats._sample_objects import sample_object
from foveate.formats.release_json import Release, read_release
from foveate.releases.pack import sums_of
from foveate.sources.sums import read_sums, sha256_of_file

AGAIN = "Take the release again from where it came from; `foveate release check` tells every file that is not right."
What = Literal["added", "removed", "changed"]
Samples = dict[str, tuple[Sample, str]]


@dataclass(frozen=True)
class Change:
    """One sample that differs.

    Attributes:
        id: Of the sample.
        what: What became of it.
        split: Its split, the newer one where both have it.
        fields: What of it changed, by the names of the file; empty for what was added or removed.
        overlap: Intersection over union of the old and the new region; None where neither has one, or sizes are
            not known.
        why: Why, where that was said.
    """

    id: str
    what: What
    split: str
    fields: tuple[str, ...] = ()
    overlap: float | None = None
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Returns it as `changes.json` and `--json` have it."""
        values = asdict(self)
        values["iou"] = values.pop("overlap")
        return {**values, "fields": list(self.fields)}


@dataclass(frozen=True)
class Difference:
    """Two releases.

    Attributes:
        old: What the older one says of itself.
        new: The newer.
        old_sums: The sha256 of its sums.
        new_sums: Likewise.
        changes: In the order of the older, then what was added.
        moved: Samples that are in another split now.
        files: How many files have equal sums, differ, or are in one only.
        unchanged: How many samples are the same.
    """

    old: Release
    new: Release
    old_sums: str
    new_sums: str
    changes: Sequence[Change]
    moved: Sequence[str]
    files: Mapping[str, int]
    unchanged: int

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate release diff --json` prints."""
        return {
            "old": {"release": self.old.full_name, "sums": self.old_sums},
            "new": {"release": self.new.full_name, "sums": self.new_sums},
            "counts": dict(self.counts()),
            "unchanged": self.unchanged,
            "moved": list(self.moved),
            "files": dict(self.files),
            "changes": [change.as_dict() for change in self.changes],
        }

    def counts(self) -> Counter[str]:
        """Returns how many samples were added, removed, changed."""
        counts = Counter({"added": 0, "removed": 0, "changed": 0})
        counts.update(one.what for one in self.changes)  # Adding two counters would drop what is 0.
        return counts


def read_samples(folder: Path, release: Release) -> Samples:
    """Returns the samples of a release by id, each with its split, in order.

    Raises:
        InputError: A file is missing or broken.
    """
    found: Samples = {}
    for split in release.splits:
        for sample in samples_jsonl.read(folder / SAMPLES / f"{split}.jsonl", Reading()):
            found[sample.query.id] = sample, split
    return found


def check_samples(folder: Path, release: Release) -> None:
    """Refuses samples that are not those that were released.

    Raises:
        InputError: The sum of a file is another one, or it cannot be read.
    """
    for name, split in release.splits.items():
        file = folder / SAMPLES / f"{name}.jsonl"
        if sha256_of_file(file) != split.sha256:
            raise InputError(str(file), "it is not the file that was released: its sum is another one", AGAIN)


def difference(old: Path, new: Path) -> Difference:
    """Returns what differs between the releases in two folders.

    Raises:
        InputError: One is no release, is broken, or its samples are not those that were released.
    """
    first, second = read_release(old), read_release(new)
    check_samples(old, first)
    check_samples(new, second)
    before, after = read_samples(old, first), read_samples(new, second)
    changes = list(changes_of(before, after, second.evaluate_as))
    moved = [name for name, (_, split) in after.items() if name in before and before[name][1] != split]
    same = sum(name in after for name in before) - sum(change.what == "changed" for change in changes)
    files = _files(read_sums(old), read_sums(new))
    return Difference(first, second, sums_of(old), sums_of(new), changes, moved, files, same)


def changes_of(
    before: Samples, after: Samples, evaluate_as: str, why: Mapping[str, str] | None = None
) -> Iterator[Change]:
    """Yields the samples that differ.

    Args:
        before: By id, with the split.
        after: Likewise.
        evaluate_as: What targets are compared as.
        why: The reason of a change by id.
    """
    told = why or {}
    for name, (sample, split) in before.items():
        if name not in after:
            yield Change(name, "removed", split, why=told.get(name, ""))
            continue
        other, now = after[name]
        fields = _fields(sample, other)
        if fields:
            overlap = target_overlap(sample.truth, other.truth, evaluate_as)
            yield Change(name, "changed", now, fields, overlap, told.get(name, ""))
    for name, (_, split) in after.items():
        if name not in before:
            yield Change(name, "added", split, why=told.get(name, ""))


def target_overlap(old: Truth, new: Truth, evaluate_as: str) -> float | None:
    """Returns intersection over union of the regions of two truths, all targets of each together.

    One box each is compared as boxes where the data set is; all else as masks on the size of the photo. None where
    neither has a region, or the photo's size is not known.
    """
    if not old.targets and not new.targets:
        return None
    if not old.targets or not new.targets:
        return 0.0
    shapes = [truth.targets[0].shape for truth in (old, new) if len(truth.targets) == 1]
    boxes = [shape.xyxy for shape in shapes if isinstance(shape, Box)]
    if evaluate_as == "box" and len(boxes) == 2:
        return float(box_iou(boxes[0], boxes[1], empty=1.0))
    size_hw = new.size_hw or old.size_hw
    if size_hw is None or size_hw != (old.size_hw or size_hw):
        return None
    return float(mask_iou([_together(old, size_hw)], [_together(new, size_hw)], empty=1.0)[0])


def _together(truth: Truth, size_hw: SizeHW) -> Any:
    return merge([target.shape.rle(size_hw) for target in truth.targets])


def _fields(one: Sample, other: Sample) -> tuple[str, ...]:
    first, second = sample_object(one), sample_object(other)
    return tuple(name for name in first if first[name] != second[name])


def _files(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, int]:
    both = [name for name in old if name in new]
    equal = sum(old[name] == new[name] for name in both)
    return {
        "equal": equal,
        "different": len(both) - equal,
        "only_old": len(old) - len(both),
        "only_new": len(new) - len(both),
    }
