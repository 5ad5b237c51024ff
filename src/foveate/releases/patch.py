"""A release mended: targets changed, samples added and left out; nothing that stays moves to another split."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from foveate.analysis.photo_work import Settings
from foveate.core.queries import Image
from foveate.datasets._convert import Loss
from foveate.datasets.release import PHOTOS
from foveate.errors import InputError, UsageError, did_you_mean, some
from foveate.formats._drawn import inside
from foveate.formats._sample_forms import Sample
from foveate.formats.release_json import FILE, Release, read_release, version_key
from foveate.releases.attribution import FILE as ATTRIBUTION
from foveate.releases.attribution import Credit, read_attribution
from foveate.releases.compare import AGAIN, Change, Samples, changes_of, check_samples, read_samples
from foveate.releases.datasheet import MENDED, gold_told
from foveate.releases.groups import group_photos
from foveate.releases.kept_targets import with_targets
from foveate.releases.new import leakage_of
from foveate.releases.official import LAYOUTS, Layout
from foveate.releases.pack import Content, Packed, licence_of, pack, sums_of
from foveate.releases.private import look_for_private
from foveate.releases.review import Decision, Reviewed, refuse_open, reviewed
from foveate.releases.splits import divide, share_of
from foveate.sources.folders import PhotoFolder
from foveate.sources.places import is_folder
from foveate.sources.sums import differences, read_sums

# A fix may say under this name of a fact why it is one; the fact does not stay with the sample.
WHY = "why"


@dataclass(frozen=True)
class Fixes:
    """What is mended.

    Attributes:
        samples: Whole samples, which take the place of those of their ids or are added.
        targets_only: Of samples that are there, take only the targets; what people
            drew says nothing of the poll of answers. A target whose region is the one that
            there was stays as it is.
        known_only: Refuse samples that are not there, instead of adding them.
        keep_rejected: Samples of which a decision rejected the region stay, without
            a target; else they are left out.
        remove: The ids of samples that are left out.
        gold: How many gold questions are among what is mended (`kept`), were left out (`left_out`), or have no decision
            (`undecided`); empty where there was none.
        why: The reason of all of it, in a sentence.
        photos: The folder of photos of added samples.
        credits: Of these photos.
        decisions: What was decided on those that look private.
        unreviewed_ok: Take them undecided.
    """

    samples: Sequence[Sample]
    why: str
    targets_only: bool = False
    known_only: bool = False
    keep_rejected: bool = False
    remove: Collection[str] = ()
    gold: Mapping[str, int] = field(default_factory=dict)
    photos: Path | None = None
    credits: Mapping[str, Credit] = field(default_factory=dict)
    decisions: Mapping[str, tuple[Decision, str]] = field(default_factory=dict)
    unreviewed_ok: bool = False


def patch_release(
    folder: Path,
    fixes: Fixes,
    version: str,
    out: Path,
    *,
    settings: Settings | None = None,
    on_loss: Callable[[Loss], None] = lambda _: None,
) -> tuple[Packed, list[Change]]:
    """Writes a new version of a release, and returns it with what changed.

    Args:
        folder: Of the version that is mended; it stays as it is.
        fixes: What is mended.
        version: Later than that one.
        out: Where nothing is yet (`pack.place_for`).
        settings: How photos are worked on.
        on_loss: Told of what the official layout does not hold.

    Raises:
        UsageError: The version is not later, or an id to leave out is not there.
        InputError: The version is not as it was released; nothing changes; a fix is of another photo than its sample;
            or as for `new_release`.
        OutputError: It cannot be written.
    """
    parent = read_release(folder)
    if version_key(version) <= version_key(parent.version):
        remedy = f"Take one later than {parent.version}."
        raise UsageError(f"version {version}", f"it is not later than {parent.version}, which it mends", remedy)
    _check_whole(folder, parent)
    before = read_samples(folder, parent)
    reasons, samples = _reasons(fixes)
    after = _mended(before, samples, fixes, parent)
    photos = _photos(folder, after, fixes)
    had = _photos_in(folder)
    review, after = _review(
        before,
        after,
        {n: p for n, p in photos.items() if str(inside(n)) not in had},
        fixes,
        settings or Settings(),
        parent,
    )
    after, leakage = _divided(before, after, photos, parent, settings or Settings())
    changes = list(changes_of(before, after, parent.evaluate_as, reasons))
    if not changes:
        raise InputError(str(folder), "the fixes change nothing", "Look at the file; ids must be those of the release.")
    content = _content(parent, folder, version, fixes, after, changes, photos, review, leakage)
    return pack(content, out, on_loss), changes


def _reasons(fixes: Fixes) -> tuple[dict[str, str], list[Sample]]:
    """Returns the reason of each fix, and the fixes without it."""
    reasons: dict[str, str] = dict.fromkeys(fixes.remove, fixes.why)
    samples = []
    for sample in fixes.samples:
        facts = dict(sample.truth.facts)
        said = str(facts.pop(WHY, "") or fixes.why)
        reasons[sample.query.id] = f"{said} (rejected: {facts.get('no_target')})" if _rejected(sample) else said
        samples.append(replace(sample, truth=replace(sample.truth, facts=facts)))
    return reasons, samples


def _mended(before: Samples, fixes: Iterable[Sample], told: Fixes, parent: Release) -> Samples:
    unknown = sorted(set(told.remove) - set(before))
    if unknown:
        raise UsageError(
            f"--remove {unknown[0]}", f"{parent.full_name} has no such sample", did_you_mean(unknown[0], before)
        )
    after = {name: place for name, place in before.items() if name not in told.remove}
    for fix in fixes:
        name = fix.query.id
        if name in told.remove:
            raise InputError(name, "it is mended and left out", "Say one of the two.")
        if name not in after and told.known_only:
            remedy = "Name the version that the project was made of, or a later one."
            raise InputError(name, f"{parent.full_name} has no such sample", remedy)
        if name not in after:
            after[name] = fix, ""
            continue
        old, split = after[name]
        if fix.query.image_name != old.query.image_name:
            problem = f"the fix is about {fix.query.image_name}, the sample about {old.query.image_name}"
            raise InputError(name, problem, "Leave the sample out with --remove, and add one with another id.")
        if not told.targets_only:
            after[name] = _sized(fix, old), split
        elif _rejected(fix) and old.truth.targets and not told.keep_rejected:
            del after[name]
        else:
            after[name] = with_targets(old, fix.truth), split
    return after


def _rejected(fix: Sample) -> bool:
    return bool(fix.truth.facts.get("adjudicated")) and not fix.truth.targets


def _sized(fix: Sample, old: Sample) -> Sample:
    """Returns the fix with the photo's size, where it does not state one."""
    size_hw = fix.query.size_hw or old.query.size_hw
    return Sample(replace(fix.query, size_hw=size_hw), replace(fix.truth, size_hw=size_hw))


def _photos(folder: Path, after: Samples, fixes: Fixes) -> dict[str, Image | None]:
    """Returns the photos of all samples: of the version before, else of the folder of new ones."""
    folders = [PhotoFolder(one) for one in (folder / PHOTOS, fixes.photos) if one is not None and is_folder(one)]
    if not folders:
        return {}
    names = dict.fromkeys(sample.query.image_name for sample, _ in after.values())
    return {name: next(filter(None, (one.find(name) for one in folders)), None) for name in names}


def _review(
    before: Samples,
    after: Samples,
    new: Mapping[str, Image | None],
    fixes: Fixes,
    settings: Settings,
    parent: Release,
) -> tuple[Reviewed, Samples]:
    """Returns what looking at new photos and words comes to, and the samples without those that are left out for it."""
    if not parent.private.get("looked"):
        return Reviewed(), after
    said = [
        sample for name, (sample, _) in after.items() if name not in before or _words(before[name][0]) != _words(sample)
    ]
    look = look_for_private(said, {name: photo for name, photo in new.items() if photo is not None}, settings)
    review = reviewed(look, fixes.decisions)
    if not fixes.unreviewed_ok:
        refuse_open(review, parent.name)
    return review, {name: place for name, place in after.items() if place[0].query.image_name not in review.left_out}


def _words(sample: Sample) -> tuple[str, tuple[str, ...]]:
    return sample.query.question, tuple(sample.truth.answers)


def _check_whole(folder: Path, release: Release) -> None:
    """Refuses a version that is not as it was released, whose changes would else be released as ours."""
    check_samples(folder, release)
    sums = read_sums(folder)
    wrong = next((f"{name} is {why}" for name, why in differences(folder, sums)), None)
    if wrong or FILE not in sums:
        raise InputError(str(folder), f"it is not as it was released: {wrong or f'{FILE} has no sum'}", AGAIN)


def _photos_in(folder: Path) -> set[str]:
    """Returns the photos that were released, as paths below their folder."""
    before = f"{PHOTOS}/"
    return {name.removeprefix(before) for name in read_sums(folder) if name.startswith(before)}


def _stays(before: Samples, after: Samples, photos: Mapping[str, Image | None], parent: Release) -> bool:
    """Returns whether what was said of leakage still holds, or cannot be looked at as well as it was."""
    if not parent.leakage or any(name not in before for name in after):
        return False
    names = {sample.query.image_name for sample, _ in after.values()}
    same = len(after) == len(before) or not parent.leakage.get("groups_across")
    return same or any(photos.get(name) is None for name in names)


def _divided(
    before: Samples, after: Samples, photos: Mapping[str, Image | None], parent: Release, settings: Settings
) -> tuple[Samples, dict[str, Any]]:
    """Returns the samples with their splits: those that there were stay, new ones follow their photo, or the hash."""
    new = [name for name in after if name not in before]
    if _stays(before, after, photos, parent):
        return after, dict(parent.leakage)
    known = {sample.query.image_name: split for sample, split in before.values()}
    names = [sample.query.image_name for sample, _ in after.values()]
    grouped = group_photos(names, {n: p for n, p in photos.items() if p is not None}, settings)
    shares = _shares(parent)
    if not shares:
        strange = [name for name in new if after[name][0].query.image_name not in known]
        if strange and len(parent.splits) > 1:
            problem = f"samples of new photos have no split, since splits were kept: {some(strange)}"
            raise InputError(parent.full_name, problem, "Add only samples of photos that are in it, or release anew.")
        shares = {next(iter(parent.splits)): Fraction(1)}
    divided = divide(grouped.groups, shares, str(parent.splitting.get("salt", parent.name)), before=known)
    placed = {
        name: (sample, split or divided.split[sample.query.image_name]) for name, (sample, split) in after.items()
    }
    splits: dict[str, list[Sample]] = {}
    for sample, split in placed.values():
        splits.setdefault(split, []).append(sample)
    return placed, leakage_of(grouped, splits)


def _shares(parent: Release) -> dict[str, Fraction]:
    told = parent.splitting.get("shares", {})
    shares = {name: share_of(str(share)) for name, share in told.items()} if isinstance(told, dict) else {"": None}
    known = {name: share for name, share in shares.items() if share is not None}
    if len(known) < len(shares) or (known and sum(known.values()) != 1):
        raise InputError(f"{FILE}, splitting.shares", "they are no shares that are 1 together", AGAIN)
    return known


def _content(
    parent: Release,
    folder: Path,
    version: str,
    fixes: Fixes,
    after: Samples,
    changes: Sequence[Change],
    photos: Mapping[str, Image | None],
    review: Reviewed,
    leakage: Mapping[str, Any],
) -> Content:
    order = list(dict.fromkeys([*parent.splits, *parent.splitting.get("shares", {})]))
    splits = {name: [sample for sample, split in after.values() if split == name] for name in order}
    sums = sums_of(folder)
    told = parent.model_dump(exclude={"splits", "photos", "attribution", "layout", "layout_losses", "made", "foveate"})
    told.pop("foveate_release")
    told |= {
        "version": version,
        "parent": {"name": parent.name, "version": parent.version, "sums": sums},
        "changes": fixes.why,
        "leakage": dict(leakage),
        "private": _added_up(parent.private, review),
        "people": _people(parent, version, fixes.gold),
    }
    layout: Layout = next((one for one in LAYOUTS if one == parent.layout), "none")
    had = _photos_in(folder)
    stripped = bool(parent.photos.get("stripped"))
    licence = (folder / "LICENSE").read_text(encoding="utf-8")
    return Content(
        told=told,
        splits={name: samples for name, samples in splits.items() if samples},
        photos=photos,
        strip={name for name in photos if str(inside(name)) not in had} if stripped else (),
        layout=layout,
        credits={**read_attribution(folder / ATTRIBUTION), **fixes.credits},
        licence_text="" if licence == licence_of(parent) else licence,
        files={
            "changes.json": _changes_json(parent, version, sums, fixes, changes),
            "CHANGES.md": _changes_page(parent, version, sums, fixes, changes),
        },
    )


def _people(parent: Release, version: str, gold: Mapping[str, int]) -> dict[str, Any]:
    """Returns what is told of people, with the gold questions among what is mended, version by version."""
    if not gold:
        return dict(parent.people)
    return {**parent.people, MENDED: {**parent.people.get(MENDED, {}), version: dict(gold)}}


def _added_up(before: Mapping[str, Any], review: Reviewed) -> dict[str, Any]:
    """Returns what was looked for in the version before and in what is added."""
    now = review.as_dict()
    if not now["looked"]:
        return dict(before)
    by = dict(before["flagged_by"])
    for kind, n in now["flagged_by"].items():
        by[kind] = by.get(kind, 0) + n
    numbers = {key: before[key] + now[key] for key in before if isinstance(now.get(key), int) and key != "looked"}
    return {**before, **numbers, "flagged_by": by}


def _changes_json(parent: Release, version: str, sums: str, fixes: Fixes, changes: Sequence[Change]) -> str:
    values = {
        "parent": {"name": parent.name, "version": parent.version, "sums": sums},
        "version": version,
        "why": fixes.why,
        **({"gold": dict(fixes.gold)} if fixes.gold else {}),
        "changes": [change.as_dict() for change in changes],
    }
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def _changes_page(parent: Release, version: str, sums: str, fixes: Fixes, changes: Sequence[Change]) -> str:
    rows = [
        f"| {_cell(one.id)} | {one.split} | {one.what} | {', '.join(one.fields)} | "
        f"{'' if one.overlap is None else f'{one.overlap:.3f}'} | {_cell(one.why)} |"
        for one in changes
    ]
    gold = "".join(f"{sentence}\n\n" for sentence in gold_told(fixes.gold))
    return (
        f"# Changes from {parent.version} to {version}\n\n{fixes.why}\n\n{gold}"
        f"The sha256 of `SHA256SUMS` of {parent.version} is `{sums}`. No sample moved to another split.\n\n"
        "| sample | split | what | of it | IoU of old and new region | why |\n|---|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
