"""Opening a data set by its name, as the command line and the Python API do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from types import ModuleType

from foveate import plugins
from foveate.core.cards import DatasetCard
from foveate.core.polygons import Corners
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.datasets._options import Options, needed_root
from foveate.datasets._releases import checked_name, find_release, is_release
from foveate.errors import FoveateError, InputError, UsageError, did_you_mean
from foveate.formats.tables import refuse
from foveate.sources.folders import one_reading
from foveate.sources.places import exists


@dataclass(frozen=True)
class Dataset:
    """One split of a data set on disk; reads lazily, again each time it is asked.

    Attributes:
        card: What the data set says of itself.
        split: Which part of it.
        root: The folder of its files, or None where it needs none.
        questions: The table of questions, where the data set takes one.
        skip_invalid: Whether rows that cannot be taken are passed over; they are counted in `skipped`.
        settings: Further options of this data set, by name.
        only_one_region: Whether samples without exactly one target are left out.
        skipped: The errors of the rows passed over in the latest reading of the queries.
        remarks: What the latest reading of the truths has to say beside them.
    """

    card: DatasetCard
    split: str
    root: Path | None
    questions: Path | None
    skip_invalid: bool
    _module: ModuleType = field(repr=False)
    settings: Mapping[str, str] = field(default_factory=dict)
    only_one_region: bool = False
    skipped: list[str] = field(default_factory=list, repr=False)
    remarks: list[str] = field(default_factory=list, repr=False)
    _kept: dict[object, object] = field(default_factory=dict, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name with the split, as it is written on the command line."""
        return f"{self.card.name}:{self.split}"

    @property
    def module(self) -> ModuleType:
        """The data set's own module."""
        return self._module

    def queries(self, *, with_images: bool = True) -> Iterator[Query]:
        """Yields what a grounder may see.

        Args:
            with_images: Look the photos up; without it every query's photo is None, and none need be there.

        Raises:
            InputError: A file or row is broken (unless `skip_invalid`).
        """
        return one_reading(self._queries(with_images))

    def _queries(self, with_images: bool) -> Iterator[Query]:
        self.skipped.clear()
        kept = {truth.id for truth in self.truths()} if self.only_one_region else None
        for query in self._module.queries(self.root, self.split, self._options(self.skipped, with_images)):
            if kept is None or query.id in kept:
                yield query

    def truths(self) -> Iterator[Truth]:
        """Yields answers and targets, for scoring and analysis only.

        Raises:
            InputError: A file or row is broken (unless `skip_invalid`), or there are no targets.
        """
        return one_reading(self._truths())

    def _truths(self) -> Iterator[Truth]:
        self.remarks.clear()
        for truth in self._module.truths(self.root, self.split, self._options([])):
            if not self.only_one_region or len(truth.targets) == 1:
                yield truth

    def drawn(self) -> Iterator[tuple[str, Corners]]:
        """Yields ids with the corners of their target as they were drawn, where the data set tells them (`drawn`).

        Raises:
            InputError: A file or row is broken (unless `skip_invalid`).
        """
        if hasattr(self._module, "drawn"):
            yield from self._module.drawn(self.root, self.split, self._options([]))

    def answers(self) -> Iterator[tuple[str, str]] | None:
        """Returns ids with an answer, of a data set that tells answers where it has no targets; else None: see truths.

        Raises:
            InputError: A file or row is broken (unless `skip_invalid`).
        """
        if not hasattr(self._module, "answers"):
            return None
        return one_reading(self._module.answers(self.root, self.split, self._options([], with_images=False)))

    def samples(self) -> Iterator[tuple[Query, Truth]]:
        """Yields queries joined with their truths by id, in the order of the queries.

        Raises:
            InputError: As for the two, or a query has no truth.
        """
        return one_reading(self._joined())

    def _joined(self) -> Iterator[tuple[Query, Truth]]:
        truths = {truth.id: truth for truth in self.truths()}
        for query in self.queries():
            if query.id not in truths:
                raise InputError(f"{self.name}, {query.id}", "the query has no truth", "Look at the data set's files.")
            yield query, truths[query.id]

    def pairs(self, *, with_images: bool = True) -> Iterator[tuple[Query, Truth]]:
        """Yields queries with their truths as the files have them, side by side, so that neither need be held.

        A data set that reads both at once (its module has `pairs`) is read once for them.

        Raises:
            InputError: As for the two, or they do not come in one order.
        """
        pairs = self._read_at_once if hasattr(self._module, "pairs") else self._zipped
        return one_reading(pairs(with_images))

    def _read_at_once(self, with_images: bool) -> Iterator[tuple[Query, Truth]]:
        self.skipped.clear()
        self.remarks.clear()
        options = self._options(self.skipped, with_images)
        for query, truth in self._module.pairs(self.root, self.split, options):
            if not self.only_one_region or len(truth.targets) == 1:
                yield query, truth

    def _zipped(self, with_images: bool) -> Iterator[tuple[Query, Truth]]:
        for query, truth in zip_longest(self.queries(with_images=with_images), self.truths()):
            if query is None or truth is None or query.id != truth.id:
                named = (query or truth).id
                raise InputError(f"{self.name}, {named}", "question and truth do not go together", "Look at its files.")
            yield query, truth

    def _remark(self, said: str) -> None:
        """Keeps a remark once: questions and truths may be read of the same file, one after the other."""
        if said not in self.remarks:
            self.remarks.append(said)

    def _options(self, skipped: list[str], with_images: bool = True) -> Options:
        def count(error: FoveateError) -> None:
            skipped.append(error.fault)

        return Options(
            self.questions,
            with_images,
            count if self.skip_invalid else refuse,
            self._remark,
            self.settings,
            self._kept,
        )


def open_dataset(
    name: str,
    root: Path | str | None = None,
    *,
    questions: Path | str | None = None,
    skip_invalid: bool = False,
    settings: Mapping[str, str] | None = None,
    only_one_region: bool = False,
) -> Dataset:
    """Returns a data set, named `NAME` or `NAME:SPLIT`.

    Args:
        name: The name, with the split where the data set has several; or the name of a release, with its version or
            without (the newest); or the path of a file or folder of your own (the data set `own`) or of a release.
        root: The folder of the official files, and of the photos below it.
        questions: The table of questions, for `folder`.
        skip_invalid: Pass over rows that cannot be taken, and count them, instead of stopping at the first.
        settings: Further options by name; the data set's card tells which there are.
        only_one_region: Leave out samples without exactly one target, as the comparison of data sets by Chen, Anjum and
            Gurari (CVPR 2022, section 3.2) does.

    Raises:
        UsageError: There is no such data set, split or option, or a needed one is not given.

    Example:
        >>> open_dataset("toloka_vqa:test_public", root="toloka").name
        'toloka_vqa:test_public'
    """
    base, split, root = named(name, root)
    module = plugins.load("datasets", base)
    if module.CARD.needs_root:
        needed_root(base, _path(root))
    card = card_of(base, root)
    if questions is not None and "questions" not in card.options:
        raise UsageError(
            base,
            "it takes no table of questions",
            'Leave the table out, or name the data set that takes one: "folder".',
        )
    unknown = next((option for option in settings or {} if option not in card.options or option == "questions"), None)
    if unknown:
        raise UsageError(base, f"it has no option {unknown}", did_you_mean(unknown, card.options))
    return Dataset(
        card,
        _split_of(card, split),
        _path(root),
        _path(questions),
        skip_invalid,
        module,
        settings or {},
        only_one_region,
    )


def named(name: str, root: Path | str | None) -> tuple[str, str, Path | str | None]:
    """Returns the data set's name, the split and the root; the path of a file or folder is the root of `own`.

    Of a release, by its name or path, the folder is the root of `release`.
    """
    base, _, split = name.partition(":")
    if base in plugins.modules("datasets"):
        return base, split, root
    if root is None and is_release(Path(name)):
        return "release", "", name
    # A path may have a colon of its own (C:\\), a split has none.
    before, _, after = name.rpartition(":")
    text, split = (before, after) if before else (name, "")
    folder = _release_of(text, root, said=bool(split) or "@" in text)
    if folder is not None:
        return "release", split, folder
    if _is_path(name, root):
        return "own", "", name
    return name.partition(":")[0], name.partition(":")[2], root


def card_of(base: str, root: Path | str | None) -> DatasetCard:
    """Returns the card of a data set: that of what lies at the root, where its module tells one (`card_of`).

    Raises:
        UsageError: There is no such data set.
        InputError: What lies at the root is none of its kind.
    """
    module = plugins.load("datasets", base)
    if root is not None and hasattr(module, "card_of"):
        card: DatasetCard = module.card_of(Path(root))
        return card
    own: DatasetCard = module.CARD
    return own


def _release_of(text: str, root: Path | str | None, *, said: bool) -> Path | None:
    """Returns the folder of the release that a name and a root mean, or None.

    A mere word may be a file or folder here, which goes first; with a split or version it is `said` to be none.
    """
    if root is None:
        return find_release(text) if said or not exists(Path(text)) else None
    if is_release(Path(root)):
        checked_name(text, Path(root))
        return Path(root)
    return None


def fingerprint(queries: list[Query]) -> str:
    """Returns a sha256 over ids, photo names and questions: equal questions have equal fingerprints, in any order."""
    lines = sorted("\x1f".join((q.id, q.image_name, q.question, q.given_answer or "")) for q in queries)
    return hashlib.sha256("\x1e".join(lines).encode()).hexdigest()


def _split_of(card: DatasetCard, split: str) -> str:
    if split in card.splits:
        return split
    if not split and len(card.splits) == 1:
        return next(iter(card.splits))
    problem = f"there is no split {split}" if split else "it has several splits"
    raise UsageError(card.name, problem, f"Name one: {', '.join(f'{card.name}:{s}' for s in card.splits)}.")


def _is_path(name: str, root: Path | str | None) -> bool:
    """Returns whether what stands in the place of a name is the path of one's own data.

    Raises:
        InputError: It looks like a path, and nothing is there.
        UsageError: There is a root beside the path.
    """
    path = Path(name)
    there = exists(path)
    if there and root is not None:
        remedy = "Leave --root out; where the photos lie is said by --option photos=DIR."
        raise UsageError(name, "the path of your own data is the root itself", remedy)
    if not there and (path.name != name or path.suffix):
        raise InputError(name, "there is no such file or folder, nor a data set of this name", "Look at the path.")
    return there


def _path(value: Path | str | None) -> Path | None:
    return None if value is None else Path(value)
