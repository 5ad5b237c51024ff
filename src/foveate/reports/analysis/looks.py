"""What an analysis sees in photos, and what it knows without them, as chapters of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foveate.analysis.agreement import agreement
from foveate.analysis.columns import Analysis
from foveate.analysis.mean_images import mean_images
from foveate.analysis.near_duplicates import DISTANCE, LIKENESS, near_duplicates
from foveate.analysis.photo_work import Settings
from foveate.analysis.priors import grids, prior_of, try_priors
from foveate.analysis.text_in_evidence import read_evidence
from foveate.core.queries import Image
from foveate.datasets._open import Dataset
from foveate.evaluation.bootstrap import one_thread
from foveate.execution.ground import RunProgress
from foveate.formats.prior_npz import write_prior
from foveate.reports.analysis.looks_agreement import agreement_section
from foveate.reports.analysis.looks_duplicates import duplicates_section
from foveate.reports.analysis.looks_galleries import galleries_section
from foveate.reports.analysis.looks_means import means_section
from foveate.reports.analysis.looks_priors import priors_section
from foveate.reports.analysis.looks_text import text_section
from foveate.reports.analysis.sections import Section

Photos = Mapping[str, Image | None]


@dataclass(frozen=True)
class Wanted:
    """Which of it is wanted, and how it is done.

    Attributes:
        text: Text in the evidence.
        mean_images: Mean images by question and answer.
        near_duplicates: Photos that are the same.
        galleries: Photos of each slice.
        prior: Where the priors are written; None for none.
        agreement: How alike two annotations of one sample are, where there are such.
        workers: How many processes read photos, each with one thread.
        cache: Where what was seen is kept; None is `analysis` below Foveate's home.
        crops: Read the box around each region by itself, too.
        distance: The most bits in which the hashes of near-duplicates differ.
        likeness: The least similarity of near-duplicates.
        seed: Of the galleries.
    """

    text: bool
    mean_images: bool
    near_duplicates: bool
    galleries: bool
    prior: Path | None
    agreement: bool = True
    workers: int = 1
    cache: Path | None = None
    crops: bool = False
    distance: int = DISTANCE
    likeness: float = LIKENESS
    seed: int = 0


def looks(
    data: Dataset,
    analysis: Analysis,
    wanted: Wanted,
    against: Sequence[Dataset] = (),
    progress: RunProgress | None = None,
) -> list[Section]:
    """Returns the chapters that are wanted; one for which photos are missing is a sentence.

    Args:
        data: The data set.
        analysis: Of the same.
        wanted: What is wanted.
        against: Other data sets, among whose photos near-duplicates are looked for too.
        progress: Is told how far it is.

    Raises:
        FoveateError: Something that is needed is not installed, or what was seen or the priors cannot be written.
    """
    settings = Settings(wanted.workers, wanted.cache)
    photos = _photos(data) if wanted.text or wanted.mean_images or wanted.galleries else {}
    found: list[Section | None] = []
    if wanted.text:
        evidence = read_evidence(data, analysis, photos, settings, crops=wanted.crops, progress=progress)
        found.append(text_section(data, analysis, evidence, photos))
    if wanted.mean_images:
        found.append(means_section(analysis, mean_images(data, analysis, photos, settings, progress=progress)))
    if wanted.galleries:
        found.append(galleries_section(data, analysis, photos, wanted.seed, progress))
    if wanted.agreement:
        found.append(agreement_section(agreement(data, analysis)))
    if wanted.near_duplicates:
        found.append(_duplicates([data, *against], wanted, settings, progress))
    if wanted.prior is not None:
        found.append(_priors(data, analysis, wanted.prior, progress))
    return [section for section in found if section is not None]


def _photos(data: Dataset) -> dict[str, Image | None]:
    return {query.image_name: query.image for query in data.queries()}


def _duplicates(sets: Sequence[Dataset], wanted: Wanted, settings: Settings, progress: RunProgress | None) -> Section:
    images: dict[str, dict[str, Image]] = {}
    for data in sets:
        there = {name: image for name, image in _photos(data).items() if image is not None}
        images[_free(data.name, images)] = there
    found = near_duplicates(images, settings, distance=wanted.distance, likeness=wanted.likeness, progress=progress)
    return duplicates_section(found, images)


def _free(name: str, taken: Mapping[str, object]) -> str:
    """Returns a name that tells two folders of one data set apart."""
    count = 2
    free = name
    while free in taken:
        free, count = f"{name} ({count})", count + 1
    return free


def _priors(data: Dataset, analysis: Analysis, out: Path, progress: RunProgress | None) -> Section:
    if not len(analysis.columns):
        return priors_section(analysis, None, ())
    found = grids(data, analysis)
    prior = prior_of(data, analysis, found)
    write_prior(out, prior)
    with one_thread():
        tried = try_priors(data, analysis, found, progress=progress)
    return priors_section(analysis, prior, tried)
