"""A release: a data set that was frozen, versioned and summed by `foveate release`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from foveate.core.cards import DatasetCard
from foveate.core.queries import Image, Query
from foveate.core.truths import Truth
from foveate.datasets._findings import Finding, first_of
from foveate.datasets._options import AbsentError, Options, needed_root
from foveate.datasets._tiny import write_tiny_photos
from foveate.datasets.own import tiny_samples
from foveate.errors import InputError
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Reading, Sample
from foveate.formats.release_json import FILE, FORMAT, Release, Split, read_release
from foveate.sources.folders import PhotoFolder, folder_problem
from foveate.sources.places import is_file, is_folder
from foveate.sources.sums import differences, read_sums, sha256_of_file, write_sums

PHOTOS, SAMPLES = "photos", "samples"
CARD = DatasetCard(
    name="release",
    title="A release",
    summary="A frozen, versioned data set that `foveate release` made: by its name, or its folder as the root.",
    licence="told by the release",
    citation=None,
    homepage=None,
    splits={"train": None, "val": None, "test": None},
    evaluate_as="mask",
    options={"photos": "the folder of the photos, where the release has them not"},
    facts={"(its own)": "what the data set that it was made of knows of a sample, told in release.json"},
    has_photos=False,
)
_AGAIN = "Take the release again from where it came from; `foveate release check` tells every file that is not right."


def card_of(root: Path) -> DatasetCard:
    """Returns the card of the release in a folder: its own name, splits and counts.

    Raises:
        InputError: What it says of itself cannot be read.
    """
    if not is_file(root / FILE):  # Whoever reads it then tells what is missing.
        return CARD
    release = read_release(root)
    return replace(
        CARD,
        name=release.full_name,
        title=release.title,
        summary=f"{release.title}: a release.",
        licence=release.licence or "not known",
        splits={name: split.samples for name, split in release.splits.items()},
        evaluate_as=release.evaluate_as,
        facts=release.facts_of_samples,
    )


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions, in the order of the file.

    Raises:
        InputError: The file is not the one that was released, or is broken.
    """
    for query, _ in pairs(root, split, options):
        yield query


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields answers and regions, in the order of the file.

    Raises:
        InputError: As for `queries`.
    """
    for sample in _samples(needed_root(CARD.name, root), split, options):
        yield sample.truth


def pairs(root: Path | None, split: str, options: Options) -> Iterator[tuple[Query, Truth]]:
    """Yields questions with their truths, from one reading of the file.

    Raises:
        InputError: As for `queries`.
    """
    folder = needed_root(CARD.name, root)
    photos = _photos(folder, options)
    for sample in _samples(folder, split, options):
        photo: Image | None = photos.find(sample.query.image_name) if photos else None
        yield replace(sample.query, image=photo), sample.truth


def findings(root: Path, split: str, options: Options) -> Iterator[Finding]:
    """Yields whether the files of a split are those that were released; with the first split, of all other files."""
    release = read_release(root)
    sums = read_sums(root)
    first = next(iter(release.splits))
    ours = {name: digest for name, digest in sums.items() if (owner_of(name, release) or first) == split}
    wrong = [f"{name}: {why}" for name, why in differences(root, ours)]
    if wrong:
        yield Finding(split, "broken", "files are not those that were released", _AGAIN, len(wrong), first_of(wrong))
    else:
        yield Finding(split, "fine", "files have the sums that were released", n=len(ours))


def owner_of(name: str, release: Release) -> str | None:
    """Returns the split that a file of a release belongs to; None where it is of the whole."""
    for split in release.splits:
        if name in (f"{SAMPLES}/{split}.jsonl", f"official/{split}_grounding.json", f"official/{split}.csv"):
            return split
        if name.startswith(f"official/binary_masks_png/{split}/"):
            return split
    return None


def write_tiny(root: Path) -> None:
    """Writes a release of three photos below the root, whose three splits have the same samples."""
    names = write_tiny_photos(root / PHOTOS)
    (root / SAMPLES).mkdir()
    files = [f"{SAMPLES}/{split}.jsonl" for split in CARD.splits]
    for file in files:
        samples_jsonl.write(tiny_samples(names), root / file)
    digest = sha256_of_file(root / SAMPLES / "train.jsonl")
    told = Split(samples=3, with_target=2, photos=len(names), sha256=digest)
    release = Release(
        foveate_release=FORMAT,
        name="tiny",
        version="1.0.0",
        title="Three photos",
        made="2026-01-01T00:00:00+00:00",
        foveate="0.1.0",
        licence="CC0-1.0",
        evaluate_as="mask",
        splits=dict.fromkeys(CARD.splits, told),
    )
    (root / FILE).write_text(release.model_dump_json() + "\n", encoding="utf-8")
    write_sums(root, [FILE, *files, *(f"{PHOTOS}/{name}" for name in names)])


def _samples(root: Path, split: str, options: Options) -> Iterator[Sample]:
    file = root / SAMPLES / f"{split}.jsonl"
    _check_sum(root, file, split, options)
    photos = _photos(root, replace(options, with_images=True))

    def size_of(name: str) -> tuple[int, int] | None:
        photo = photos.find(name) if photos else None
        return photo.size_hw if photo else None

    yield from samples_jsonl.read(file, Reading(on_invalid=options.on_invalid, size_of=size_of))


def _check_sum(root: Path, file: Path, split: str, options: Options) -> None:
    """Refuses targets that are not the released ones; read once for an opened data set."""
    key = (CARD.name, str(file))
    if not is_file(root / FILE):
        raise AbsentError(str(root / FILE), "there is no such file", "Give with --root the folder of a release.")
    if key not in options.kept:
        options.kept[key] = sha256_of_file(file) == read_release(root).splits[split].sha256
    if not options.kept[key]:
        raise InputError(str(file), "it is not the file that was released: its sum is another one", _AGAIN)


def _photos(root: Path, options: Options) -> PhotoFolder | None:
    if not options.with_images:
        return None
    told = options.settings.get("photos")
    problem = folder_problem(Path(told)) if told else None
    if problem:
        raise InputError(str(told), problem, "Give the folder of the photos with --option photos=DIR.")
    folder = Path(told) if told else root / PHOTOS
    return PhotoFolder(folder) if is_folder(folder) else None
