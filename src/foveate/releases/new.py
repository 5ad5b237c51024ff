"""From data sets to what goes into a release: gathered, reviewed, grouped, divided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from foveate.analysis.photo_work import Settings
from foveate.core.queries import Image
from foveate.datasets._convert import Loss
from foveate.datasets._open import Dataset, fingerprint
from foveate.errors import InputError, UsageError, some
from foveate.evaluation.wording import counted
from foveate.execution.ground import RunProgress
from foveate.formats._sample_forms import Sample, put_together
from foveate.releases.attribution import Credit
from foveate.releases.groups import CRITERIA, Grouped, group_photos, overlapping
from foveate.releases.official import Layout
from foveate.releases.pack import Content, Packed, pack
from foveate.releases.private import PrivateLook, look_for_private
from foveate.releases.review import Decision, Reviewed, refuse_open, reviewed
from foveate.releases.splits import divide
from foveate.sources._files import sha256_of
from foveate.sources.images import FileImage

EvaluateAs = Literal["box", "mask", "answer"]


@dataclass(frozen=True)
class Old:
    """An older data set, and where what it has goes.

    Attributes:
        data: The data set.
        criteria: Of `groups.CRITERIA`.
        to: The split; empty for the first.
    """

    data: Dataset
    criteria: Sequence[str] = CRITERIA
    to: str = ""


@dataclass(frozen=True)
class Plan:
    """How a release is made of data sets.

    Attributes:
        name: Of the release.
        version: Likewise.
        title: In prose; empty for the name.
        licence: Of the annotations; empty where nobody has said.
        licence_text: Its whole text, or empty.
        evaluate_as: What targets are compared as; None for what the source says.
        shares: Of the splits; empty to keep those of the sources.
        salt: Of the splits; empty for the name, so that later versions have the same.
        old: Older data sets, whose photos go to one split.
        photos: Whether photos are put in.
        strip: Whether they are coded anew without metadata.
        layout: Which official layout.
        credits: Of photos, by name.
        require_credits: Refuse photos without.
        look: Whether what is private is looked for: in the photos that are put in, and in all words.
        decisions: What was decided on photos that look private.
        unreviewed_ok: Release flagged photos that nobody has decided on.
        facts: The maker's answers for the datasheet.
        people: Who drew.
        agreement: How far they agree.
        funnel: What was screened out.
        settings: How photos are worked on.
    """

    name: str
    version: str
    title: str = ""
    licence: str = ""
    licence_text: str = ""
    evaluate_as: EvaluateAs | None = None
    shares: Mapping[str, Fraction] = field(default_factory=dict)
    salt: str = ""
    old: Sequence[Old] = ()
    photos: bool = False
    strip: bool = False
    layout: Layout = "auto"
    credits: Mapping[str, Credit] = field(default_factory=dict)
    require_credits: bool = False
    look: bool = True
    decisions: Mapping[str, tuple[Decision, str]] = field(default_factory=dict)
    unreviewed_ok: bool = False
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    people: Mapping[str, Any] = field(default_factory=dict)
    agreement: Mapping[str, Any] = field(default_factory=dict)
    funnel: Mapping[str, Any] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)


@dataclass
class Gathered:
    """What data sets hold together.

    Attributes:
        placed: Samples, each with the split that its source has it in.
        photos: By name; None where one is absent.
        facts: What is known of samples, with a sentence each.
        sources: What it was made of.
        evaluate_as: What the first of them says.
    """

    placed: list[tuple[Sample, str]] = field(default_factory=list)
    photos: dict[str, Image | None] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    sources: list[dict[str, Any]] = field(default_factory=list)
    evaluate_as: EvaluateAs = "mask"

    @property
    def present(self) -> dict[str, Image]:
        """The photos that are there."""
        return {name: photo for name, photo in self.photos.items() if photo is not None}


def new_release(
    sources: Sequence[Dataset],
    plan: Plan,
    out: Path,
    *,
    on_loss: Callable[[Loss], None] = lambda _: None,
    progress: RunProgress | None = None,
) -> Packed:
    """Writes a first release of data sets, and returns it.

    Args:
        sources: Splits of data sets.
        plan: How.
        out: Where nothing is yet (`pack.place_for`).
        on_loss: Told of what the official layout does not hold.
        progress: Is told how far it is.

    Raises:
        InputError: A source is broken; two samples have one id; photos are to be put in and none is there; photos look
            private and nobody has decided; and as for `pack`.
        OutputError: It cannot be written.
        UnavailableError: What photos are looked at with cannot be had.
    """
    found = gather(sources)
    _refuse_without_photos(found, plan)
    look = _look(found, plan, progress)
    decisions = {name: said for name, said in plan.decisions.items() if name in found.photos}
    review = reviewed(look, decisions)
    if not plan.unreviewed_ok:
        refuse_open(review, plan.name)
    kept = [(sample, split) for sample, split in found.placed if sample.query.image_name not in review.left_out]
    names = [sample.query.image_name for sample, _ in kept]
    present = {name: photo for name, photo in found.present.items() if name not in review.left_out}
    grouped = group_photos(names, present, plan.settings, progress)
    placed, splitting = _divided(kept, found, grouped, plan, progress)
    splits = _by_split(placed, plan)
    told = {
        **_told(found, plan, review),
        "splitting": splitting,
        "leakage": leakage_of(grouped, splits),
    }
    content = Content(
        told=told,
        splits=splits,
        photos={name: found.photos[name] for name in names} if plan.photos else {},
        strip=set(names) if plan.strip else (),
        layout=plan.layout,
        credits=plan.credits,
        require_credits=plan.require_credits,
        licence_text=plan.licence_text,
    )
    packed = pack(content, out, on_loss)
    return replace(packed, remarks=[*packed.remarks, *_strange(plan, found)])


def gather(sources: Sequence[Dataset]) -> Gathered:
    """Returns what data sets hold together.

    Raises:
        InputError: One is broken, two samples have one id, or two photos that differ have one name.
    """
    found = Gathered(evaluate_as=sources[0].card.evaluate_as)
    seen: dict[str, str] = {}
    for data in sources:
        queries = []
        for query, truth in data.pairs():
            if query.id in seen:
                problem = f"{seen[query.id]} has a sample of this id as well"
                raise InputError(f"{data.name}, {query.id}", problem, "Name each source once; ids are unique.")
            seen[query.id] = data.name
            found.placed.append((put_together(query, truth, data.name), data.split))
            _note_photo(found.photos, query.image_name, query.image)
            queries.append(query)
        found.facts |= data.card.facts
        # Where one's own file lies is nobody's business; what it is called tells something.
        name = f"{data.name} ({data.root.name})" if data.card.name == "own" and data.root else data.name
        found.sources.append({"dataset": name, "fingerprint": fingerprint(queries), "licence": data.card.licence})
    return found


def leakage_of(grouped: Grouped, splits: Mapping[str, Iterable[Sample]]) -> dict[str, Any]:
    """Returns which groups of photos that show the same are in several splits."""
    places: dict[str, set[str]] = {}
    for split, samples in splits.items():
        for sample in samples:
            places.setdefault(sample.query.image_name, set()).add(split)
    across = [group for group in grouped.groups if len({one for name in group for one in places.get(name, ())}) > 1]
    return {
        "compared": grouped.how,
        "groups_across": len(across),
        "photos_across": sum(map(len, across)),
        "first": [list(group) for group in across[:3]],
    }


def _refuse_without_photos(found: Gathered, plan: Plan) -> None:
    # A version cannot be made again: photos that were asked for and are all elsewhere are a slip, not a wish.
    if plan.photos and found.photos and not found.present:
        raise InputError(
            plan.name,
            f"nothing is there of {counted(len(found.photos), 'photo')} to be put in: {some(sorted(found.photos))}",
            "Say where they lie: --root DIR, or for a file of your own --option photos=DIR. Without --photos copy they "
            "are only named.",
        )


def _strange(plan: Plan, found: Gathered) -> list[str]:
    """Returns that photos are to be left out which are not here: their names may be written otherwise."""
    names = [name for name, (said, _) in plan.decisions.items() if said == "leave_out" and name not in found.photos]
    return [f"{counted(len(names), 'photo')} to be left out and none of the source: {some(names)}"] if names else []


def _look(found: Gathered, plan: Plan, progress: RunProgress | None) -> PrivateLook | None:
    if not plan.look:
        return None
    photos = found.present if plan.photos else {}
    return look_for_private((sample for sample, _ in found.placed), photos, plan.settings, progress)


def _divided(
    kept: Sequence[tuple[Sample, str]], found: Gathered, grouped: Grouped, plan: Plan, progress: RunProgress | None
) -> tuple[list[tuple[Sample, str]], dict[str, Any]]:
    if not plan.shares:
        if plan.old:
            raise UsageError("--old", "the splits of the source are kept", "Say --split, so that photos may move.")
        return list(kept), {"way": "kept", "grouped": grouped.how}
    fixed: dict[str, str] = {}
    told = []
    photos = {sample.query.image_name: found.photos[sample.query.image_name] for sample, _ in kept}
    for old in plan.old:
        to = old.to or next(iter(plan.shares))
        if to not in plan.shares:
            raise UsageError("--old-to", f"there is no split {to}", f"Splits are {', '.join(plan.shares)}.")
        theirs = {query.image_name: query.image for query in old.data.queries()}
        same = overlapping(photos, theirs, plan.settings, criteria=old.criteria, name=old.data.name, progress=progress)
        fixed |= dict.fromkeys(same.names, to)
        told.append({"dataset": old.data.name, "photos": len(same.names), "by": dict(same.by), "to": to})
    salt = plan.salt or plan.name
    divided = divide(grouped.groups, plan.shares, salt, fixed=fixed)
    shares = {name: str(share) for name, share in plan.shares.items()}
    splitting = {"way": "hash", "salt": salt, "shares": shares, "grouped": grouped.how, "old": told}
    return [(sample, divided.split[sample.query.image_name]) for sample, _ in kept], splitting


def _by_split(placed: Sequence[tuple[Sample, str]], plan: Plan) -> dict[str, list[Sample]]:
    """Returns the samples of each split in the order of the source; a split without any is left out."""
    order = list(plan.shares) or list(dict.fromkeys(split for _, split in placed))
    splits = {name: [sample for sample, split in placed if split == name] for name in order}
    return {name: samples for name, samples in splits.items() if samples}


def _told(found: Gathered, plan: Plan, review: Reviewed) -> dict[str, Any]:
    return {
        "name": plan.name,
        "version": plan.version,
        "title": plan.title.strip() or plan.name,
        "licence": plan.licence,
        "evaluate_as": plan.evaluate_as or found.evaluate_as,
        "sources": found.sources,
        "private": review.as_dict(),
        "people": dict(plan.people),
        "agreement": dict(plan.agreement),
        "funnel": dict(plan.funnel),
        "facts": {heading: dict(answers) for heading, answers in plan.facts.items()},
        "facts_of_samples": found.facts,
    }


def _note_photo(photos: dict[str, Image | None], name: str, image: Image | None) -> None:
    """Keeps a photo under its name.

    Raises:
        InputError: Another photo has the name.
    """
    known = photos.setdefault(name, image)
    if known is None:
        photos[name] = image
    elif isinstance(known, FileImage) and isinstance(image, FileImage) and _differ(known.path, image.path):
        raise InputError(name, f"{known.path} and {image.path} have one name and differ", "Rename one of them.")


def _differ(first: Path, second: Path) -> bool:
    return first != second and sha256_of(first) != sha256_of(second)
