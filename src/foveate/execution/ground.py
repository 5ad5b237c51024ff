"""A data set through a grounder into a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from foveate import plugins
from foveate.core.cards import GrounderCard
from foveate.core.queries import Query
from foveate.datasets._open import Dataset, fingerprint, open_dataset
from foveate.errors import InputError, UsageError
from foveate.execution.map_queries import map_queries
from foveate.execution.preflight import check_photos, with_images
from foveate.grounders._protocol import Grounder
from foveate.runs.header import Header
from foveate.runs.provenance import provenance
from foveate.runs.store import writing


class Progress(Protocol):
    """Is told how far a run is."""

    def begin(self, what: str, total: int, done: int) -> None:
        """A stage of `total` steps begins, `done` of them made before."""

    def advance(self) -> None:
        """One step more."""


class _Silent:
    def begin(self, what: str, total: int, done: int) -> None:
        return None

    def advance(self) -> None:
        return None


@dataclass(frozen=True)
class Summary:
    """What `ground` did.

    Attributes:
        out: The run's folder.
        n: Predictions that the run now has.
        n_new: Predictions that this call made.
        counts: The new ones by status.
        first_failure: The reason of the first new prediction that failed (not `ok`, not `no_region`), or None.
        skipped: Rows of the data set passed over as invalid.
        left_out: Queries left out because their photo is absent.
    """

    out: Path
    n: int
    n_new: int
    counts: Mapping[str, int]
    first_failure: str | None
    skipped: tuple[str, ...]
    left_out: int


def load_grounder(name: str, config: Mapping[str, Any] | None = None) -> tuple[GrounderCard, Grounder]:
    """Returns a grounder's card and an instance.

    Raises:
        UsageError: There is no such grounder, or it has no such option.
    """
    module = plugins.load("grounders", name)
    try:
        return module.CARD, cast(Grounder, module.Grounder(**(config or {})))
    except TypeError as error:
        raise UsageError(f"grounder {name}", f"an option is not known ({error})", "See `foveate grounders`.") from error


def ground(
    dataset: str,
    root: Path | str | None = None,
    *,
    grounder: str,
    out: Path | str,
    questions: Path | str | None = None,
    config: Mapping[str, Any] | None = None,
    resume: bool = False,
    limit: int | None = None,
    only_with_images: bool = False,
    skip_invalid: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Writes a run: one prediction for each query of a data set.

    Args:
        dataset: `NAME` or `NAME:SPLIT`.
        root: The folder of the data set.
        grounder: The method's name.
        out: The run's folder; it must not hold a run unless `resume`.
        questions: The table of questions, for the data set `folder`.
        config: Options of the method.
        resume: Continue the run that is in `out`, or start it where there is none.
        limit: Only the first so many queries.
        only_with_images: Leave out queries whose photo is absent; recorded in the run.
        skip_invalid: Pass over invalid rows of the data set; recorded in the run.
        progress: Is told how far it is.

    Raises:
        FoveateError: A name is unknown, photos are absent or broken, the run cannot be written, weights are missing.
    """
    if limit is not None and limit < 1:
        raise UsageError("--limit", f"{limit} is not at least 1", "Leave it out for all.")
    card, method = load_grounder(grounder, config)
    data = open_dataset(dataset, root, questions=questions, skip_invalid=skip_invalid)
    told = progress or _Silent()
    everything = list(data.queries())
    chosen = _chosen(everything, limit, only_with_images)
    if not chosen:
        raise InputError(data.name, "there is no question to ask", "Look at the data set and its photos.")
    if card.needs_image:
        told.begin("looking at the photos", len(chosen), 0)
        check_photos(chosen, data.name, told.advance)
    header = _header(data, everything, chosen, grounder, config, limit, only_with_images)
    failures: list[str] = []
    counts: Counter[str] = Counter()
    with writing(Path(out), header, resume=resume) as run:
        told.begin("grounding", len(chosen), len(run.done))
        todo = [query for query in _by_photo(chosen) if query.id not in run.done]
        for prediction in map_queries(todo, method):
            run.append(prediction)
            counts[prediction.status] += 1
            if prediction.status not in {"ok", "no_region"} and not failures:
                failures.append(f"{prediction.id}: {prediction.reason}")
            told.advance()
        n_before = len(run.done)
    return Summary(
        Path(out),
        n_before + counts.total(),
        counts.total(),
        dict(counts),
        failures[0] if failures else None,
        header.skipped,
        len(everything) - len(with_images(everything)) if only_with_images else 0,
    )


def _chosen(queries: list[Query], limit: int | None, only_with_images: bool) -> list[Query]:
    return (with_images(queries) if only_with_images else queries)[:limit]


def _by_photo(queries: list[Query]) -> list[Query]:
    """Returns the queries with those of one photo together, photos in the order of their first question."""
    order: dict[str, int] = {}
    for query in queries:
        order.setdefault(query.image_name, len(order))
    return sorted(queries, key=lambda query: order[query.image_name])


def _header(
    data: Dataset,
    everything: list[Query],
    chosen: list[Query],
    grounder: str,
    config: Mapping[str, Any] | None,
    limit: int | None,
    only_with_images: bool,
) -> Header:
    return Header(
        dataset=data.name,
        fingerprint=fingerprint(everything),
        grounder=grounder,
        config=dict(config or {}),
        n=len(chosen),
        n_dataset=len(everything),
        ids=tuple(query.id for query in chosen) if len(chosen) < len(everything) else None,
        limit=limit,
        only_with_images=only_with_images,
        skipped=tuple(data.skipped),
        places={
            "root": None if data.root is None else str(data.root.resolve()),
            "questions": None if data.questions is None else str(data.questions.resolve()),
        },
        provenance=provenance(),
    )
