"""A data set through a grounder into a run."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, cast, get_type_hints

from foveate import plugins
from foveate.core.cards import GrounderCard
from foveate.core.option_texts import option_value
from foveate.core.queries import Query
from foveate.datasets._open import Dataset, fingerprint, open_dataset
from foveate.errors import InputError, UsageError, did_you_mean, some
from foveate.execution.map_queries import map_queries
from foveate.execution.preflight import check_photos, with_images
from foveate.grounders._protocol import Grounder
from foveate.runs.header import Header
from foveate.runs.provenance import provenance
from foveate.runs.store import refuse_taken, writing
from foveate.sources.weights import WEIGHTS, fetch_files


class RunProgress(Protocol):
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
class Change:
    """What is changed of a data set's queries before a method sees them: a control (`foveate.execution.controls`).

    Attributes:
        about: What the run records of it.
        apply: Returns the queries as the method gets them, with the same ids in the same order.
    """

    about: Mapping[str, Any]
    apply: Callable[[Dataset, list[Query]], list[Query]]


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


def config_of(name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Returns the options of a grounder as its constructor takes them, read from what was typed.

    Raises:
        UsageError: There is no such grounder, option or value.
    """
    if not texts:
        return {}
    method = plugins.load("grounders", name).Grounder
    unknown = next((option for option in texts if option not in _defaults(method)), None)
    if unknown is not None:
        raise UsageError(f"grounder {name}", f"it has no option {unknown}", did_you_mean(unknown, _defaults(method)))
    try:
        hints = get_type_hints(method.__init__)
    except NameError:
        hints = {}  # Annotated with what is imported for type checkers only.
    return {option: option_value(f"{name}.{option}", text, hints.get(option, str)) for option, text in texts.items()}


def load_grounder(name: str, config: Mapping[str, Any] | None = None) -> tuple[GrounderCard, Grounder]:
    """Returns a grounder's card and an instance.

    Raises:
        UsageError: There is no such grounder, or it has no such option.
    """
    module = plugins.load("grounders", name)
    known = _defaults(module.Grounder)
    unknown = [option for option in config or {} if option not in known]
    if unknown:
        raise UsageError(f"grounder {name}", f"it has no option {unknown[0]}", did_you_mean(unknown[0], known))
    try:
        return module.CARD, cast(Grounder, module.Grounder(**(config or {})))
    except (TypeError, ValueError) as error:
        raise UsageError(
            f"grounder {name}", f"it cannot be set up ({error})", "Give it the options it needs."
        ) from error


def fetch_weights(card: GrounderCard, method: object = None) -> dict[str, str]:
    """Returns ``{file: sha256}`` of a method's declared weights, fetched now, so that a run does not begin in vain.

    Args:
        card: The method's.
        method: An instance; what it says of itself (`weights`) stands for the card's, since with stored features it may
            need none.

    Raises:
        UnavailableError: They are not here and cannot be fetched.
    """
    names = getattr(method, "weights", card.weights)
    members = [member for name in names if name in WEIGHTS for member in WEIGHTS[name].members]
    fetch_files(members)
    return {member.name: member.sha256 for member in members}


def ground(
    dataset: str,
    root: Path | str | None = None,
    *,
    grounder: str,
    out: Path | str,
    questions: Path | str | None = None,
    config: Mapping[str, Any] | None = None,
    settings: Mapping[str, str] | None = None,
    resume: bool = False,
    limit: int | None = None,
    only_with_images: bool = False,
    skip_invalid: bool = False,
    change: Change | None = None,
    progress: RunProgress | None = None,
) -> Summary:
    """Writes a run: one prediction for each query of a data set.

    Args:
        dataset: `NAME` or `NAME:SPLIT`.
        root: The folder of the data set.
        grounder: The method's name.
        out: The run's folder; it must not hold a run unless `resume`.
        questions: The table of questions, for the data set `folder`.
        config: Options of the method.
        settings: Options of the data set; recorded in the run.
        resume: Continue the run that is in `out`, or start it where there is none.
        limit: Only the first so many queries.
        only_with_images: Leave out queries whose photo is absent; recorded in the run.
        skip_invalid: Pass over invalid rows of the data set; recorded in the run.
        change: What is changed of the queries before the method sees them; recorded in the run.
        progress: Is told how far it is.

    Raises:
        FoveateError: A name is unknown, photos are absent or broken, the run cannot be written, weights are missing.
    """
    if limit is not None and limit < 1:
        raise UsageError("--limit", f"{limit} is not at least 1", "Leave it out for all.")
    refuse_taken(Path(out), resume=resume)
    card, method = load_grounder(grounder, config)
    data = open_dataset(dataset, root, questions=questions, skip_invalid=skip_invalid, settings=settings)
    weights = fetch_weights(card, method)
    told = progress or _Silent()
    everything = list(data.queries())
    chosen = (with_images(everything) if only_with_images else everything)[:limit]
    if not chosen:
        why = f": {len(data.skipped):,} invalid rows were skipped, first {data.skipped[0]}" if data.skipped else ""
        raise InputError(data.name, f"there is no question to ask{why}", "Look at the data set and its photos.")
    told.begin("looking at the photos", len(chosen), 0)
    needed = bool(getattr(method, "needs_image", card.needs_image))
    check_photos(chosen, data.name, needed=needed, tick=told.advance)
    header = Header(
        dataset=data.name,
        fingerprint=fingerprint(everything),
        grounder=grounder,
        n=len(chosen),
        n_dataset=len(everything),
        ids=tuple(query.id for query in chosen) if len(chosen) < len(everything) else None,
        limit=limit,
        only_with_images=only_with_images,
        skipped=tuple(data.skipped),
        weights=weights,
        settings=dict(data.settings),
        places={"root": _absolute(data.root), "questions": _absolute(data.questions)},
        control=_plain(change.about if change else {}),
        **_of_method(grounder, card, method, config or {}),
    )
    asked = change.apply(data, chosen) if change else chosen
    left_out = len(everything) - len(with_images(everything)) if only_with_images else 0
    return _run(Path(out), header, asked, method, told, resume, left_out)


def _of_method(name: str, card: GrounderCard, method: Grounder, config: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what a run records of its method: card, options, what it was trained on, versions."""
    module = plugins.load("grounders", name)
    return {
        "card": asdict(card),
        "config": _plain(_defaults(module.Grounder) | dict(config)),
        "trained_on": _plain(getattr(method, "trained_on", {})),
        "provenance": provenance(module.__name__),
    }


def _run(
    out: Path, header: Header, chosen: list[Query], method: Grounder, told: RunProgress, resume: bool, left_out: int
) -> Summary:
    first_failure: str | None = None
    counts: Counter[str] = Counter()
    with writing(out, header, resume=resume) as run:
        told.begin("grounding", len(chosen), len(run.done))
        foreign = run.done - {query.id for query in chosen}
        if foreign:
            raise InputError(
                str(out), f"the run has predictions for what was not asked: {some(sorted(foreign))}", "It is damaged."
            )
        todo = [query for query in _by_photo(chosen) if query.id not in run.done]
        for prediction in map_queries(todo, method):
            run.append(prediction)
            counts[prediction.status] += 1
            if prediction.status not in {"ok", "no_region"} and first_failure is None:
                first_failure = f"{prediction.id}: {prediction.reason}"
            told.advance()
    n = len(run.done) + counts.total()
    return Summary(out, n, counts.total(), dict(counts), first_failure, header.skipped, left_out)


def _by_photo(queries: list[Query]) -> list[Query]:
    """Returns the queries with those of one photo together, photos in the order of their first question."""
    order: dict[str, int] = {}
    for query in queries:
        order.setdefault(query.image_name, len(order))
    return sorted(queries, key=lambda query: order[query.image_name])


def _defaults(method: type) -> dict[str, Any]:
    """Returns a method's options with their defaults, read from its constructor."""
    options = inspect.signature(method).parameters.values()
    named = [option for option in options if option.kind not in {option.VAR_POSITIONAL, option.VAR_KEYWORD}]
    return {option.name: None if option.default is option.empty else option.default for option in named}


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options as they read back from a file, so that a run can be compared with itself."""
    plain: dict[str, Any] = json.loads(json.dumps(options, default=str), parse_constant=str)
    return plain


def _absolute(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())
