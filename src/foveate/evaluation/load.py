"""What is on disk, ready to be measured: a run, or anybody's file of predictions, with the truths it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.datasets._open import Dataset, fingerprint, open_dataset
from foveate.errors import InputError, UsageError
from foveate.evaluation.origins import origin_notes
from foveate.formats.tables import refuse, refuse_endless
from foveate.runs.forms import read_form
from foveate.runs.header import Header
from foveate.runs.store import Run, is_run, read_run
from foveate.sources.places import exists, is_folder


@dataclass(frozen=True)
class DataPlace:
    """Which data set to score against and where it lies; for a run, what is None is taken from its header.

    Attributes:
        dataset: `NAME` or `NAME:SPLIT`.
        root: The folder of the data set.
        questions: The table of questions, for the data set `folder`.
        images: A COCO file whose `images` say which number is which photo, for COCO results.
        skip_invalid: Count unusable entries of a file as `invalid_output` instead of stopping at the first.
        settings: Options of the data set.
        common: Of several sources, take the samples that all of them were asked, and no others.
    """

    dataset: str | None = None
    root: Path | str | None = None
    questions: Path | str | None = None
    images: Path | str | None = None
    skip_invalid: bool = False
    settings: Mapping[str, str] | None = None
    common: bool = False


@dataclass(frozen=True)
class Loaded:
    """Predictions and the truths that they are about.

    Attributes:
        source: The run's folder, or the file.
        data: The data set.
        predictions: In the order of the source.
        truths: All that were asked, in the order of the data set.
        queries: All of the data set, without photos.
        notes: What a reader must know.
        about: What was scored: `source`, `dataset` and, for a run, `grounder`.
        header: What the run is about; None for a file of predictions.
    """

    source: Path
    data: Dataset
    predictions: Sequence[Prediction]
    truths: Sequence[Truth]
    queries: Sequence[Query]
    notes: Sequence[str]
    about: Mapping[str, str]
    header: Header | None = None

    @cached_property
    def groups(self) -> Mapping[str, str]:
        """The photo's name by the sample's id: what is drawn together."""
        return {query.id: query.image_name for query in self.queries}


def load(source: Path | str, place: DataPlace) -> Loaded:
    """Returns a run (its folder or `.jsonl` file), or a file in one of the forms of `foveate.runs.forms`.

    Raises:
        UsageError: A name is unknown, or a file is given without a data set.
        InputError: Predictions and data set do not fit each other, or a file is broken, or is none (a pipe, say).
    """
    path = Path(source)
    if not exists(path):
        raise InputError(str(path), "there is no such run or file that can be read", "Look at the name and the folder.")
    refuse_endless(path)
    if is_run(path):
        if place.skip_invalid:
            raise UsageError("--skip-invalid", "it is for a file of predictions", "A run has recorded what it skipped.")
        return _load_run(read_run(path), place)
    return _load_file(path, place)


def _load_run(run: Run, place: DataPlace) -> Loaded:
    header = run.header
    # Where the data were is worth something only for the data set that the run was made on.
    then = header.places if place.dataset in {None, header.dataset} else {}
    gone = [at for name, at in then.items() if at and getattr(place, name) is None and not exists(Path(at))]
    if gone:
        raise InputError(
            str(run.path),
            f"its data were at {gone[0]}, where nothing is now",
            "Say where they are now with --root DIR (and --questions FILE).",
        )
    data = open_dataset(
        place.dataset or header.dataset,
        place.root if place.root is not None else then.get("root"),
        questions=place.questions if place.questions is not None else then.get("questions"),
        skip_invalid=bool(header.skipped),
        settings=place.settings or (header.settings if place.dataset in {None, header.dataset} else None),
    )
    # Which rows were skipped can depend on the photos' sizes; without skipped rows no photo is needed here.
    queries = list(data.queries(with_images=bool(header.skipped)))
    found = fingerprint(queries)
    if found != header.fingerprint:
        raise InputError(
            str(run.path),
            f"the run was made for other questions than {data.name} has now "
            f"(fingerprint {header.fingerprint[:12]}, now {found[:12]})",
            "Score it against the data set and split it was made for, or ground again.",
        )
    asked = set(header.ids) if header.ids is not None else {q.id for q in queries}
    truths = [t for t in data.truths() if t.id in asked]
    about = {"source": str(run.path.parent), "dataset": data.name, "grounder": header.grounder}
    notes = [*_run_notes(run), *origin_notes(header), *data.remarks]
    return Loaded(run.path.parent, data, run.predictions, truths, queries, notes, about, header)


def _load_file(path: Path, place: DataPlace) -> Loaded:
    if place.dataset is None:
        what = "there is no run here, and a folder of masks" if is_folder(path) else "a file of predictions"
        raise UsageError(
            str(path),
            f"{what} does not say which data set it is for",
            "Pass --dataset NAME:SPLIT --root DIR.",
        )
    data = open_dataset(place.dataset, place.root, questions=place.questions, settings=place.settings)
    truths = list(data.truths())
    skipped: list[str] = []
    on_invalid = (lambda error: skipped.append(error.fault)) if place.skip_invalid else refuse
    images = None if place.images is None else Path(place.images)
    predictions = list(read_form(path, {t.id: t.size_hw for t in truths}, on_invalid, images=images))
    queries = list(data.queries(with_images=False))
    about = {"source": str(path), "dataset": data.name}
    return Loaded(path, data, predictions, truths, queries, [*_invalid(skipped), *data.remarks], about)


def _invalid(skipped: list[str]) -> list[str]:
    entries = "1 invalid entry" if len(skipped) == 1 else f"{len(skipped):,} invalid entries"
    return [f"{entries} of the file, the first: {skipped[0]}"] if skipped else []


def _run_notes(run: Run) -> list[str]:
    header = run.header
    notes = [*_part_notes(header)]
    if header.skipped:
        count = len(header.skipped)
        rows = "1 invalid row of the data set was" if count == 1 else f"{count:,} invalid rows of the data set were"
        notes.append(f"{rows} skipped, first: {header.skipped[0]}")
    if len(run.predictions) < header.n:
        notes.append(f"the run is not finished: {len(run.predictions):,} of {header.n:,}; continue it with --resume")
    if run.resumed:
        notes.append("the run was continued under other versions of code or packages than it was begun with")
    trained_on = header.card.get("trained_on") or ()
    if trained_on:
        notes.append(f"{header.grounder} was trained on: {'; '.join(map(str, trained_on))}")
    return notes


def _part_notes(header: Header) -> Iterator[str]:
    """Yields which part of the data set was asked; of a limit among the questions with a photo both together."""
    part = f"{header.n:,} of {header.n_dataset:,}"
    limited = header.limit is not None and header.limit <= header.n < header.n_dataset
    if limited and header.only_with_images:
        yield f"limited to the first of the questions whose photo was there: {part}"
    elif limited:
        yield f"limited to the first {part} questions"
    elif header.only_with_images:
        yield f"only the questions whose photo was there: {part}"
