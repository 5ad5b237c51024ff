"""A release written as a whole or not at all: samples, official layout, photos, credits, datasheet, sums; read-only."""

from __future__ import annotations

import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from foveate import plugins
from foveate.core.queries import Image
from foveate.datasets._convert import Loss
from foveate.datasets._releases import releases_folder
from foveate.datasets.release import PHOTOS, SAMPLES
from foveate.errors import InputError, OutputError, UsageError
from foveate.evaluation.wording import counted
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Sample
from foveate.formats.release_json import FILE, FORMAT, NAME, VERSION, Release, Split
from foveate.releases.attribution import FILE as ATTRIBUTION
from foveate.releases.attribution import Credit, check_whole, credits_of, write_attribution
from foveate.releases.datasheet import datasheet, readme
from foveate.releases.official import FOLDER, Layout, write_official
from foveate.releases.photos import put_photos
from foveate.sources.new_files import new_place
from foveate.sources.places import exists
from foveate.sources.sums import sha256_of_file, write_sums

_READ_ONLY = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH
_CREATIVE = {"CC-BY-4.0": "by/4.0", "CC-BY-SA-4.0": "by-sa/4.0", "CC-BY-NC-4.0": "by-nc/4.0"}


@dataclass(frozen=True)
class Content:
    """What goes into a release.

    Attributes:
        told: The fields of `Release` that are known before writing.
        splits: The samples by split, in order.
        photos: By name: the photo, or None where it is absent; empty where none are wished.
        strip: The names of photos that are coded anew without metadata.
        layout: Which official layout.
        credits: What was told of photos.
        require_credits: Refuse photos without author and licence.
        licence_text: The whole text of the licence; empty for a line that names it.
        files: Further files, by name.
    """

    told: Mapping[str, Any]
    splits: Mapping[str, Sequence[Sample]]
    photos: Mapping[str, Image | None] = field(default_factory=dict)
    strip: Collection[str] = ()
    layout: Layout = "auto"
    credits: Mapping[str, Credit] = field(default_factory=dict)
    require_credits: bool = False
    licence_text: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Packed:
    """What was written.

    Attributes:
        folder: Where.
        release: What it says of itself.
        sums: The sha256 of its `SHA256SUMS`, which stands for all of it.
        remarks: What its maker must know.
    """

    folder: Path
    release: Release
    sums: str
    remarks: Sequence[str]


def place_for(name: str, version: str, out: Path | None = None) -> Path:
    """Returns where a new version goes: its own folder below Foveate's home, or `out`; nothing must be there.

    Raises:
        UsageError: Name or version is none, or the name is that of a data set of Foveate.
        OutputError: The version is there: a version never changes.
    """
    if not NAME.fullmatch(name):
        remedy = "Take small letters, digits, - and _, a letter or digit first."
        raise UsageError(f"release {name}", "it is no name of a release", remedy)
    if name in plugins.modules("datasets"):
        raise UsageError(f"release {name}", "a data set of Foveate has this name", "Choose another --name.")
    if not VERSION.fullmatch(version):
        raise UsageError(f"version {version}", "it is no version", "Write three numbers like 1.0.0.")
    place = releases_folder() / name / version if out is None else out
    if exists(place):
        problem = f"{name}@{version} is there already, and a version never changes" if out is None else "it is there"
        raise OutputError(str(place), problem, "Choose another --version, or another --out.")
    return place


def pack(content: Content, out: Path, on_loss: Callable[[Loss], None] = lambda _: None) -> Packed:
    """Writes a release into a new folder, and returns it.

    Args:
        content: What goes in.
        out: Where nothing is yet; what fails leaves nothing there.
        on_loss: Told of what the official layout does not hold, before it is written.

    Raises:
        InputError: It has no sample, or a sample, photo or credit is refused.
        OutputError: It cannot be written.
    """
    if not any(content.splits.values()):
        raise InputError(str(out), "no sample is left to be released", "Look at the source, and at what is left out.")
    credits = credits_of((sample for samples in content.splits.values() for sample in samples), content.credits)
    if content.require_credits:
        check_whole(credits, str(out))
    with new_place(out) as part:
        part.mkdir()
        release, remarks = _fill(part, content, credits, on_loss)
        write_sums(part)
        for path in part.rglob("*"):
            if path.is_file():
                path.chmod(_READ_ONLY)
    return Packed(out, release, sums_of(out), remarks)


def sums_of(folder: Path) -> str:
    """Returns the sha256 of a release's `SHA256SUMS`, which stands for all of its files.

    Raises:
        InputError: It cannot be read.
    """
    return sha256_of_file(folder / "SHA256SUMS")


def _fill(
    part: Path, content: Content, credits: Sequence[Credit], on_loss: Callable[[Loss], None]
) -> tuple[Release, list[str]]:
    remarks: list[str] = []
    evaluate_as = str(content.told["evaluate_as"])
    official = write_official(content.splits, part / FOLDER, content.layout, evaluate_as, on_loss)
    if official.why:
        remarks.append(f"no official layout: {official.why}")
    photos = _photos(part, content, remarks)
    splits = _samples(part, content.splits)
    write_attribution(credits, part / ATTRIBUTION)
    whole = sum(credit.whole for credit in credits)
    if whole < len(credits):
        remarks.append(
            f"author or licence of {len(credits) - whole:,} of {counted(len(credits), 'photo')} is not known"
        )
    release = Release(
        foveate_release=FORMAT,
        foveate=installed("foveate"),
        splits=splits,
        layout=official.layout,
        layout_losses=list(official.losses),
        photos=photos,
        attribution={"photos": len(credits), "whole": whole},
        **{"made": datetime.now(UTC).replace(microsecond=0).isoformat(), **content.told},
    )
    texts = {
        **content.files,
        "LICENSE": content.licence_text or licence_of(release),
        "README.md": readme(release),
        "DATASHEET.md": datasheet(release),
        FILE: release.model_dump_json(indent=1) + "\n",
    }
    for name, text in texts.items():
        (part / name).write_text(text, encoding="utf-8", newline="\n")
    return release, remarks


def _samples(part: Path, splits: Mapping[str, Sequence[Sample]]) -> dict[str, Split]:
    (part / SAMPLES).mkdir()
    told = {}
    for split, samples in splits.items():
        file = part / SAMPLES / f"{split}.jsonl"
        samples_jsonl.write(samples, file)
        told[split] = Split(
            samples=len(samples),
            with_target=sum(bool(sample.truth.targets) for sample in samples),
            photos=len({sample.query.image_name for sample in samples}),
            sha256=sha256_of_file(file),
        )
    return told


def _photos(part: Path, content: Content, remarks: list[str]) -> dict[str, Any]:
    if not content.photos:
        return {"written": 0, "absent": 0, "stripped": False, "with_place": 0}
    sizes = {s.query.image_name: s.query.size_hw for samples in content.splits.values() for s in samples}
    wanted = {name: (content.photos.get(name), size_hw) for name, size_hw in sizes.items()}
    put = put_photos(wanted, part / PHOTOS, strip=content.strip)
    if put.absent:
        remarks.append(f"photos that are not there and are only named: {len(put.absent):,}")
    if put.with_place:
        first = put.with_place[0]
        remarks.append(
            f"{counted(len(put.with_place), 'photo')} with the place where it was taken in the file, first {first}; "
            "--strip leaves that out"
        )
    return {
        "written": put.written,
        "absent": len(put.absent),
        "stripped": bool(content.strip) and put.written > 0,
        "with_place": len(put.with_place),
    }


def licence_of(release: Release) -> str:
    """Returns what `LICENSE` says where its maker gave no text of their own."""
    name = release.licence or "not known: nobody has said under which terms these may be used"
    path = _CREATIVE.get(release.licence)
    known = f"https://creativecommons.org/licenses/{path}/\n" if path else ""
    return (
        f"The questions, answers and regions of {release.title}, version {release.version}: {name}\n{known}"
        "The photos are not covered by this: each is under its own licence, see attribution.csv.\n"
    )
