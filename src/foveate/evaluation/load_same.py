"""Several runs or files of predictions, all about the same samples, so that their rows can be paired."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from foveate.errors import InputError, UsageError, some
from foveate.evaluation.leaving_out import leave_out
from foveate.evaluation.load import DataPlace, Loaded, load


def load_same(sources: Sequence[Path | str], place: DataPlace) -> dict[str, Loaded]:
    """Returns sources by a short name each, with their truths in the order of the first's.

    Raises:
        UsageError: One is named twice, or is a file without a data set.
        InputError: They are not about the same samples and targets, or one of them is broken.
    """
    loaded = dict(zip(short_names(sources), (load(source, place) for source in sources), strict=True))
    if place.common:
        loaded = dict(zip(loaded, _in_common(list(loaded.values())), strict=True))
    first, *others = loaded.values()
    same = [first, *(_aligned(first, other) for other in others)]
    return dict(zip(loaded, same, strict=True))


def short_names(sources: Sequence[Path | str]) -> list[str]:
    """Returns a name for each source: its last part where these differ, else the whole path.

    Raises:
        UsageError: One is named twice.
    """
    paths = [Path(source) for source in sources]
    real = [os.path.realpath(path) for path in paths]
    twice = sorted({str(path) for path, place in zip(paths, real, strict=True) if real.count(place) > 1})
    if twice:
        raise UsageError(some(twice), "it is named twice", "Name each run once.")
    last = [path.name or str(path) for path in paths]
    return last if len(set(last)) == len(last) else [str(path) for path in paths]


def _in_common(loaded: Sequence[Loaded]) -> list[Loaded]:
    asked = [{truth.id for truth in one.truths} for one in loaded]
    common = set.intersection(*asked)
    if not common:
        other = next(one for one, ids in zip(loaded, asked, strict=True) if not ids & asked[0])
        raise InputError(
            str(other.source),
            f"it was asked nothing that {loaded[0].source} was asked",
            "Compare runs that have questions in common.",
        )
    some_left = zip(loaded, asked, strict=True)
    return [leave_out(one, ids - common, "--common") if ids > common else one for one, ids in some_left]


def _aligned(first: Loaded, other: Loaded) -> Loaded:
    if first.data.name != other.data.name:
        raise InputError(
            str(other.source),
            f"it is about {other.data.name}, {first.source} about {first.data.name}",
            "Compare what was made on the same data set.",
        )
    mine, theirs = ({truth.id: truth for truth in one.truths} for one in (first, other))
    if mine.keys() != theirs.keys():
        raise InputError(
            str(other.source),
            f"it was asked other questions than {first.source}: {len(theirs.keys() - mine.keys()):,} only here, "
            f"{len(mine.keys() - theirs.keys()):,} only there (such as {some(sorted(mine.keys() ^ theirs.keys()), 1)})",
            "Make both with the same --limit and --only-with-images, or take what they have in common: --common.",
        )
    questions, others = ({query.id: query.question for query in one.queries} for one in (first, other))
    changed = [name for name in mine if questions.get(name) != others.get(name)]
    if changed:
        raise InputError(
            str(other.source),
            f"it was asked other questions than {first.source} for {some(changed)}",
            "Compare what was made with the same questions.",
        )
    # Two copies of a data set may have been edited apart; the same name does not make them the same.
    differing = [name for name, truth in mine.items() if truth != theirs[name]]
    if differing:
        raise InputError(
            str(other.source),
            f"its data set has other answers or targets than that of {first.source} for {some(differing)}",
            "Say with --root which data set is meant.",
        )
    return replace(other, truths=first.truths)
