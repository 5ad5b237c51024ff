"""The questions and hidden targets of a phase, frozen: what entries are checked and scored against.

A pack holds the samples in the canonical form, which loses nothing, so that scores are those of the data set itself to
the digit (`foveate score`), whatever becomes of the challenge's folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from foveate.challenges.definition import DataReference
from foveate.core.boxes import SizeHW
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.datasets._open import open_dataset
from foveate.errors import InputError
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Reading, Sample

FORMAT = 1
SAMPLES, MANIFEST = "samples.jsonl", "pack.json"


@dataclass(frozen=True)
class Pack:
    """A pack on disk.

    Attributes:
        folder: Where it lies.
        dataset: The data set that it was made of, `NAME:SPLIT`.
        fingerprint: The sha256 of its samples: ids, photos, sizes, questions, targets.
        n: How many samples.
    """

    folder: Path
    dataset: str
    fingerprint: str
    n: int

    def samples(self) -> Iterator[Sample]:
        """Yields the samples, targets with them."""
        return samples_jsonl.read(self.folder / SAMPLES, Reading())

    @cached_property
    def truths(self) -> Sequence[Truth]:
        """All truths, in the data set's order."""
        return [sample.truth for sample in self.samples()]

    @cached_property
    def queries(self) -> Sequence[Query]:
        """All queries, without photos."""
        return [sample.query for sample in self.samples()]

    @cached_property
    def sizes(self) -> Mapping[str, SizeHW | None]:
        """Height and width by sample id: with the ids, the public facts that entries are checked against."""
        return {sample.truth.id: sample.truth.size_hw or sample.query.size_hw for sample in self.samples()}

    @cached_property
    def groups(self) -> Mapping[str, str]:
        """The photo's name by sample id: what is drawn together in the bootstrap."""
        return {query.id: query.image_name for query in self.queries}


def write_pack(data: DataReference, into: Path) -> Pack:
    """Writes the pack of a data reference into a folder below `into`, named by its fingerprint; returns it.

    Where it is there already it stays as it is.

    Raises:
        UsageError: There is no such data set or split.
        InputError: A file of the data set is missing or broken, or it has no targets.
        OutputError: The pack cannot be written.
    """
    opened = open_dataset(data.dataset, data.root, questions=data.questions, settings=data.settings)
    into.mkdir(parents=True, exist_ok=True)
    part = into / f".part-{os.getpid()}-{os.urandom(4).hex()}"
    part.mkdir()
    try:
        samples = (Sample(query, truth) for query, truth in opened.pairs(with_images=False))
        n = samples_jsonl.write(samples, part / SAMPLES)
        found = _sha256(part / SAMPLES)
        manifest = {"format": FORMAT, "dataset": data.dataset, "fingerprint": found, "n": n}
        (part / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        target = into / found
        if not target.exists():
            part.rename(target)
        # Whoever tidies up takes it for new, until a row says that it is needed.
        os.utime(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return open_pack(target)


def open_pack(folder: Path, *, verify: bool = False) -> Pack:
    """Returns a pack.

    Args:
        folder: Where it lies.
        verify: Read all of it and compare with its fingerprint.

    Raises:
        InputError: There is none, or it is not as it was written.
    """
    try:
        said = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        pack = Pack(folder, str(said["dataset"]), str(said["fingerprint"]), int(said["n"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(str(folder), "the frozen data of a phase are missing or broken", _RESTORE) from error
    if verify and (found := _sha256(folder / SAMPLES)) != pack.fingerprint:
        problem = f"its samples have the sha256 {found[:12]}, and {pack.fingerprint[:12]} is said"
        raise InputError(str(folder / SAMPLES), problem, _RESTORE)
    return pack


_RESTORE = "Restore it from a backup."


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(str(path), "it cannot be read", _RESTORE) from error
