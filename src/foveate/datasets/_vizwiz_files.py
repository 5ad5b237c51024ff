"""Where the files of VizWiz's other data sets lie below a root.

VizWiz-VQA and the image quality issues give their files the same name (`val.json`); they are told apart by what is in
them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from foveate.datasets._findings import Finding
from foveate.datasets._options import AbsentError
from foveate.errors import InputError
from foveate.formats.tables import refuse_endless
from foveate.sources.folders import listing_of

VQA, SKILLS, QUALITY = "VizWiz-VQA", "VizWiz-VQA-Skills", "image quality issues"
# By its name it could be VizWiz-VQA or the image quality issues; by what is in it, it is neither.
UNKNOWN = "unknown"

# So much of a file tells what it is; a record is shorter.
_HEAD = 64 * 1024


def split_files(root: Path, split: str) -> dict[str, list[Path]]:
    """Returns the files of a split below the root by what they are, each real file once; links are followed."""
    found: dict[str, list[Path]] = {}
    seen: set[str] = set()
    for path in _named(root, split):
        kind, real = _kind_of(path, split), os.path.realpath(path)
        if kind and real not in seen:
            seen.add(real)
            found.setdefault(kind, []).append(path)
    return found


def absent_files(root: Path, split: str, *, vqa: bool = True) -> Iterator[Finding]:
    """Yields what is not known because its file is not below the root, and files that are not what their name says."""
    files = split_files(root, split)
    for kind, name, facts in (
        (VQA, f"{split}.json", "answer types and confidences"),
        (SKILLS, f"vizwiz_skill_typ_{split}.csv", "skills"),
        (QUALITY, f"{split}.json", "quality and flaws"),
    ):
        if not files.get(kind) and (vqa or kind != VQA):
            what = f"the file of {kind} is not below the root: {facts} are not known"
            yield Finding(split, "note", what, f"Put its {name} below the root to know them.")
    for path in files.get(UNKNOWN, []):
        yield Finding(split, "note", neither(path), "Take the official file again if it should be one of them.")


def vqa_file(root: Path, split: str) -> Path:
    """Returns the file of VizWiz-VQA.

    Raises:
        InputError: There is none, or there are several.
    """
    files = split_files(root, split)
    path = only_file(VQA, files)
    if path is None:
        others = "".join(f"; {neither(other)}" for other in files.get(UNKNOWN, [])[:1])
        raise AbsentError(
            str(root),
            f"no {split}.json of VizWiz-VQA is below it{others}",
            f"Give with --root the folder that holds {split}.json.",
        )
    return path


def only_file(kind: str, files: Mapping[str, Sequence[Path]]) -> Path | None:
    """Returns the file of a kind, or None where there is none.

    Raises:
        InputError: There are several.
    """
    found = files.get(kind, [])
    if len(found) > 1:
        raise InputError(
            str(found[0]),
            f"two files could be the {kind} of this split; the other is {found[1]}",
            "Leave one of them below --root.",
        )
    return found[0] if found else None


def neither(path: Path) -> str:
    """Returns the sentence about a file that is not what its name says."""
    return f"{path} begins like neither {VQA} nor {QUALITY}, and is left out"


def _named(root: Path, split: str) -> Iterator[Path]:
    """Yields tables whose name holds the split."""
    for path in map(Path, listing_of(root).files):
        name = path.name.lower()
        if name.endswith((".json", ".csv")) and split in name:
            yield path


def _kind_of(path: Path, split: str) -> str | None:
    name = path.name.lower()
    if name == f"vizwiz_skill_typ_{split}.csv":
        return SKILLS
    words = re.split(r"[^a-z0-9]+", name.removesuffix(".json"))
    by_name = name == f"{split}.json" or (split in words and {"vqa", "quality"} & set(words))
    if not (by_name and name.endswith(".json")):
        return None
    first = _first_record(path)
    if {"flaws", "unrecognizable"} & first or first == {"image"}:
        return QUALITY
    return VQA if {"image", "question"} <= first else UNKNOWN


def _first_record(path: Path) -> set[str]:
    """Returns the keys of the first record of a list; none where the file is something else."""
    refuse_endless(path)
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            head = file.read(_HEAD).lstrip()
        value, _ = json.JSONDecoder().raw_decode(head[1:].lstrip()) if head[:1] == "[" else ({}, 0)
    except (OSError, ValueError, RecursionError):
        return set()
    return set(value) if isinstance(value, dict) else set()
