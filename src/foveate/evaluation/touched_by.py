"""Which samples are touched, from a table: ids, photos, or the near-duplicates that `foveate analyze` found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from foveate.core.queries import Query
from foveate.errors import InputError, some
from foveate.formats.tables import columns, read_rows
from foveate.sources.places import is_folder

# What `foveate analyze --near-duplicates --out` writes below its folder, and the titles of its columns.
GROUPS = "tables/near_duplicate_groups.csv"
_GROUPS = ("group", "data set", "photo")
_PAIRS = ("data set", "photo", "and of", "photo too")


def touched_by(path: Path | str, dataset: str, queries: Sequence[Query]) -> frozenset[str]:
    """Returns the ids of the samples that a table names.

    Args:
        path: A CSV or JSONL file with the column `id`, or `photo` (names of photos: every sample of the photo is
            touched), or `near_duplicate_groups.csv` of an analysis, or the folder of its report. Of near-duplicates
            those photos are taken that have a partner in another split or data set.
        dataset: `NAME:SPLIT` of the samples.
        queries: The samples.

    Raises:
        InputError: The table is of none of these forms, or names what the data set does not have.
    """
    path = Path(path)
    if is_folder(path):
        path = _groups_of(path)
    there = columns(path)
    for needed, read in _FORMS:
        if set(there) >= set(needed):
            return read(path, dataset, queries)
    raise InputError(
        f"{path}, line 1",
        f"it has neither of the columns id and photo, but {', '.join(sorted(there)) or 'none'}",
        "Name the touched samples in a column id, or their photos in a column photo.",
    )


def _groups_of(folder: Path) -> Path:
    path = folder / GROUPS
    if not path.exists():
        raise InputError(
            str(folder),
            f"there is no {GROUPS}: it is no report of near-duplicates, or none were found",
            "Make it with foveate analyze --near-duplicates --out; without near-duplicates nothing is touched.",
        )
    return path


def _by_groups(path: Path, dataset: str, queries: Sequence[Query]) -> frozenset[str]:
    members: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in read_rows(path, _GROUPS):
        members[row.values["group"]].append((row.values["data set"], row.values["photo"]))
    return _across(path, list(members.values()), dataset, queries)


def _not_by_pairs(path: Path, dataset: str, queries: Sequence[Query]) -> frozenset[str]:
    raise InputError(
        str(path), "the table of pairs leaves out photos with equal bytes", f"Name {GROUPS} of the same report."
    )


def _across(
    path: Path, together: Sequence[Sequence[tuple[str, str]]], dataset: str, queries: Sequence[Query]
) -> frozenset[str]:
    """Returns the samples whose photo is in a group with one of another split or data set."""
    named = {name for group in together for name, _ in group}
    if named and dataset not in named:
        raise InputError(
            str(path),
            f"it is about {some(sorted(named))}, not about {dataset}",
            f"Make it with foveate analyze {dataset} --against … --near-duplicates --out.",
        )
    across = [group for group in together if len({name for name, _ in group}) > 1]
    return _of_photos(path, {photo for group in across for name, photo in group if name == dataset}, dataset, queries)


def _by_photo(path: Path, dataset: str, queries: Sequence[Query]) -> frozenset[str]:
    return _of_photos(path, {str(row.values["photo"]) for row in read_rows(path, ("photo",))}, dataset, queries)


def _by_id(path: Path, dataset: str, queries: Sequence[Query]) -> frozenset[str]:
    wanted = {str(row.values["id"]) for row in read_rows(path, ("id",))}
    _refuse_unknown(path, "id", wanted, {query.id for query in queries}, dataset)
    return frozenset(wanted)


def _of_photos(path: Path, photos: Collection[str], dataset: str, queries: Sequence[Query]) -> frozenset[str]:
    _refuse_unknown(path, "photo", photos, {query.image_name for query in queries}, dataset)
    return frozenset(query.id for query in queries if query.image_name in photos)


def _refuse_unknown(path: Path, what: str, wanted: Collection[str], known: Collection[str], dataset: str) -> None:
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise InputError(
            str(path),
            f"{len(unknown):,} of {len(wanted):,} {what}s are not in {dataset}: {some(unknown)}; its own are like "
            f"{min(known, default='(it has none)')}",
            "Take out those rows, or name the table of this data set.",
        )


_FORMS: tuple[tuple[Sequence[str], Callable[[Path, str, Sequence[Query]], frozenset[str]]], ...] = (
    (_GROUPS, _by_groups),
    (_PAIRS, _not_by_pairs),
    (("id",), _by_id),
    (("photo",), _by_photo),
)
