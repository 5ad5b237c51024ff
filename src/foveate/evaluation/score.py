"""Scoring what is on disk: a run, or a file of predictions, against its data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from foveate.core.queries import Query
from foveate.datasets._open import fingerprint, open_dataset
from foveate.errors import InputError, UsageError
from foveate.evaluation.evaluate import DEFAULT_METRICS, Evaluation, evaluate
from foveate.formats.tables import refuse
from foveate.runs.store import FILE, Run, read_run
from foveate.runs.toloka_predictions import read_predictions
from foveate.runs.vizwiz_masks import read_masks
from foveate.sources.places import exists, is_file, is_folder


@dataclass(frozen=True)
class DataPlace:
    """Which data set to score against and where it lies; for a run, what is None is taken from its header."""

    dataset: str | None = None
    root: Path | str | None = None
    questions: Path | str | None = None


def score(
    source: Path | str,
    dataset: str | None = None,
    root: Path | str | None = None,
    *,
    questions: Path | str | None = None,
    metrics: Sequence[str] = DEFAULT_METRICS,
    resamples: int = 1000,
    seed: int = 0,
    skip_invalid: bool = False,
) -> Evaluation:
    """Returns the scores of a run (its folder or `.jsonl` file), of a file in the cup's CSV layout, or of masks.

    Args:
        source: The run; or a CSV of boxes; or a folder or zip of PNG masks in the form of VizWiz.
        dataset: `NAME` or `NAME:SPLIT`; a run knows its own.
        root: The folder of the data set; a run remembers the one it was made with.
        questions: The table of questions, for the data set `folder`.
        metrics: Names, with a parameter after `@`.
        resamples: Bootstrap resamples for the intervals; 0 for none.
        seed: Of the bootstrap.
        skip_invalid: Count unusable rows of a file as `invalid_output` instead of stopping at the first.

    Raises:
        UsageError: A name is unknown, or a file is given without a data set.
        InputError: Predictions and data set do not fit each other, or a file is broken.
    """
    path = Path(source)
    if not exists(path):
        raise InputError(str(path), "there is no such run or file that can be read", "Look at the name and the folder.")
    place = DataPlace(dataset, root, questions)
    if is_file(path / FILE) or path.suffix == ".jsonl":
        if skip_invalid:
            raise UsageError("--skip-invalid", "it is for a file of predictions", "A run has recorded what it skipped.")
        return _score_run(read_run(path), place, metrics, resamples, seed)
    return _score_file(path, place, metrics, resamples, seed, skip_invalid)


def _score_run(run: Run, place: DataPlace, metrics: Sequence[str], resamples: int, seed: int) -> Evaluation:
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
    return evaluate(
        run.predictions,
        truths,
        metrics=metrics,
        groups=_groups(queries),
        resamples=resamples,
        seed=seed,
        where=str(run.path),
        notes=[*_run_notes(run), *data.remarks],
        about={"source": str(run.path.parent), "dataset": data.name, "grounder": header.grounder},
    )


def _score_file(
    path: Path, place: DataPlace, metrics: Sequence[str], resamples: int, seed: int, skip_invalid: bool
) -> Evaluation:
    if place.dataset is None:
        what = "there is no run here, and a folder of masks" if is_folder(path) else "a file of predictions"
        raise UsageError(
            str(path),
            f"{what} does not say which data set it is for",
            "Pass --dataset NAME:SPLIT --root DIR.",
        )
    data = open_dataset(place.dataset, place.root, questions=place.questions)
    truths = list(data.truths())
    skipped: list[str] = []
    on_invalid = (lambda error: skipped.append(error.fault)) if skip_invalid else refuse
    # A folder or zip holds masks in the form of VizWiz, anything else is a table of boxes in the cup's.
    read = read_masks if is_folder(path) or path.suffix.lower() == ".zip" else read_predictions
    predictions = list(read(path, {t.id: t.size_hw for t in truths}, on_invalid))
    return evaluate(
        predictions,
        truths,
        metrics=metrics,
        groups=_groups(list(data.queries(with_images=False))),
        resamples=resamples,
        seed=seed,
        where=str(path),
        notes=[*_invalid(skipped), *data.remarks],
        about={"source": str(path), "dataset": data.name},
    )


def _invalid(skipped: list[str]) -> list[str]:
    return [f"{len(skipped):,} invalid rows of the file, the first: {skipped[0]}"] if skipped else []


def _groups(queries: list[Query]) -> dict[str, str]:
    return {q.id: q.image_name for q in queries}


def _run_notes(run: Run) -> list[str]:
    header = run.header
    notes = []
    if header.limit is not None:
        notes.append(f"limited to the first {header.n:,} of {header.n_dataset:,} questions")
    if header.only_with_images:
        notes.append(f"only the questions whose photo was there: {header.n:,} of {header.n_dataset:,}")
    if header.skipped:
        notes.append(f"{len(header.skipped):,} invalid rows of the data set were skipped, first: {header.skipped[0]}")
    if not run.finished:
        notes.append(f"the run is not finished: {len(run.predictions):,} of {header.n:,}; continue it with --resume")
    if run.resumed:
        notes.append("the run was continued under other versions of code or packages than it was begun with")
    return notes
