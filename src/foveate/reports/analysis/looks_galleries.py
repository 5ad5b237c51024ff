"""The chapter of galleries: photos of each slice, with their targets."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from foveate.analysis._regions import target_regions
from foveate.analysis.columns import Analysis, Columns, Group
from foveate.analysis.groups import OF_ALL
from foveate.analysis.photo_work import Job, photos_of
from foveate.analysis.rules import THIRDS, thirds
from foveate.core.queries import Image
from foveate.core.rle import Rle
from foveate.datasets._open import Dataset
from foveate.errors import FoveateError
from foveate.evaluation.wording import counted, percent
from foveate.execution.ground import RunProgress
from foveate.reports._text import cut
from foveate.reports.analysis.looks_pictures import outlined
from foveate.reports.analysis.looks_shares import unread
from foveate.reports.analysis.titles import title_of
from foveate.reports.sections.parts import Album, Photo, Section

KEY, TITLE = "galleries", "Galleries"
SHOWN = 6
_SIZE = "size"
_MOST_GROUPS = 12


def galleries_section(
    data: Dataset,
    analysis: Analysis,
    images: Mapping[str, Image | None],
    seed: int = 0,
    progress: RunProgress | None = None,
) -> Section:
    """Returns the chapter: a seeded sample of each size and of each fact.

    Args:
        data: The data set.
        analysis: Of the same.
        images: The photos by name.
        seed: Of what is drawn.
        progress: Is told how far it is.
    """
    jobs, problems = photos_of(analysis.columns, images)
    if not jobs:
        why = unread(list(problems.values())) or f" None of the photos of {analysis.name} with a target is here."
        return Section(KEY, TITLE, why.strip(), ())
    slices = _slices(analysis)
    drawn = {place: _drawn(name, group, analysis.columns, jobs, seed) for place, (name, group) in enumerate(slices)}
    rows = {row for chosen in drawn.values() for row in chosen}
    photos = dict(_photos(data, analysis.columns, jobs, rows, problems, progress))
    albums = [
        _album(
            name, group, [photos[row] for row in drawn[place] if row in photos], _there(group, analysis.columns, jobs)
        )
        for place, (name, group) in enumerate(slices)
    ]
    shown = [album for album in albums if album.photos]
    lead = (
        f"{counted(len(photos), 'sample')} in {counted(len(shown), 'slice')}, drawn by the seed {seed} from the "
        f"{counted(len(jobs), 'photo')} that are here. The dashed line is the target.{unread(list(problems.values()))}"
    )
    return Section(KEY, TITLE, lead, tuple(shown))


def _slices(analysis: Analysis) -> list[tuple[str, Group]]:
    """Returns the slices: thirds of the share that the target covers, then each fact; not questions and answers."""
    third = thirds(analysis.columns.coverage)
    found = [(_SIZE, Group(name, np.flatnonzero(third == k))) for k, name in enumerate(THIRDS)]
    for grouping in analysis.groupings.values():
        if grouping.name not in OF_ALL:
            found += [(grouping.name, group) for group in grouping.groups[:_MOST_GROUPS]]
    return found


def _there(group: Group, columns: Columns, jobs: Mapping[str, Job]) -> list[int]:
    return [row for row in group.rows.tolist() if columns.photos[row] in jobs]


def _drawn(name: str, group: Group, columns: Columns, jobs: Mapping[str, Job], seed: int) -> list[int]:
    """Returns some rows of a slice; what is drawn for one slice does not depend on the others."""
    rows = _there(group, columns, jobs)
    rng = np.random.default_rng([seed, zlib.crc32(f"{name}\x1f{group.key}".encode())])
    return sorted(rng.choice(rows, min(SHOWN, len(rows)), replace=False).tolist()) if rows else []


def _photos(
    data: Dataset,
    columns: Columns,
    jobs: Mapping[str, Job],
    rows: set[int],
    problems: dict[str, str],
    progress: RunProgress | None,
) -> Iterator[tuple[int, Photo]]:
    if progress:
        progress.begin("drawing galleries", len(rows), 0)
    for row, region in target_regions(data, columns):
        if row not in rows:
            continue
        name = columns.photos[row]
        try:
            yield row, _photo(jobs[name], columns, row, region)
        except FoveateError as error:
            problems[name] = str(error)
        if progress:
            progress.advance()


def _photo(job: Job, columns: Columns, row: int, region: Rle) -> Photo:
    answer = columns.answers[row]
    about = f"Answer: {answer}. " if answer else ""
    about += f"The target covers {percent(float(columns.coverage[row]), 0)} of the photo. File: {columns.photos[row]}"
    return Photo(cut(columns.questions[row], 80), cut(about, 200), outlined(job.image.load(), region))


def _album(name: str, group: Group, photos: Sequence[Photo], there: Sequence[int]) -> Album:
    # A key may be any text; its digest keeps two apart that are written alike.
    stem = re.sub(r"[^a-z0-9]+", "_", group.key.lower()).strip("_")[:30]
    own = f"{stem}_{zlib.crc32(group.key.encode()):08x}" if stem != group.key else stem
    about = f"{len(photos):,} of the {counted(len(there), 'sample')} with a photo here; {len(group.rows):,} in all."
    title = title_of(name)
    fold = "" if name == _SIZE else f"Galleries by {title}"
    return Album(f"gallery_{name}_{own}", f"{title.capitalize()}: {cut(group.key, 60)}", about, photos, fold)
