"""What people sent for a project, in every form; pages and commands call the same function."""

from __future__ import annotations

import io
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from foveate.annotation.crowd_files import write_crowd
from foveate.annotation.export import SAMPLE_FORMS, export_samples, sample_form
from foveate.annotation.origin import opened
from foveate.annotation.submissions import write_submissions
from foveate.annotation.target_rules import target_rule
from foveate.annotation.targets import Flags
from foveate.annotation.to_run import people_run
from foveate.app.annotate.models import Project
from foveate.app.annotate.projects import origin_of
from foveate.app.annotate.records import all_records
from foveate.datasets._convert import Loss, Photos
from foveate.errors import UsageError, did_you_mean
from foveate.evaluation.wording import counted

# As they were sent, without loss; the original tool's results; a run, as which people are a row of the leaderboard.
SUBMISSIONS, CROWD, RUN = "submissions", "vizwiz_crowd", "run"
FORMS = (SUBMISSIONS, *SAMPLE_FORMS, CROWD, RUN)


@dataclass(frozen=True)
class Wanted:
    """How a project is to be exported.

    Attributes:
        to: One of `FORMS`.
        rule: What becomes the region of a task that several drew; empty for the usual one.
        flags: Whether a sample has no target when any person finds no one region, or when all do.
        split: By whose name the official files of VizWiz are called.
        lossy: Write although the form cannot hold everything.
        photos: Whether photos are put beside a data set.
    """

    to: str
    rule: str = ""
    flags: Flags = "any"
    split: str = "val"
    lossy: bool = False
    photos: Photos = "none"


@dataclass
class Export:
    """What was written.

    Attributes:
        sentence: How much of it there is.
        losses: What the form could not hold.
        remarks: What else must be known.
    """

    sentence: str = ""
    losses: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def export_project(
    project: Project, out: Path, wanted: Wanted, *, on_loss: Callable[[str], None] = lambda _: None
) -> Export:
    """Writes what was sent for a project to a new file or folder; losses are told before anything is written.

    Raises:
        UsageError: The form or rule is none, or does not go with the kind of project.
        InputError: Nothing was sent, nothing would be left, or the form loses something and `lossy` is not said.
        OutputError: There is something at `out` already, or it cannot be written.
    """
    if wanted.to not in FORMS:
        raise UsageError(f"form {wanted.to}", "there is none of this name", did_you_mean(wanted.to, FORMS))
    records = all_records(project, everything=wanted.to == SUBMISSIONS)
    rule = target_rule(wanted.rule) if wanted.rule else None
    if wanted.to == SUBMISSIONS:
        return Export(counted(write_submissions(records, out), "submission"))
    if wanted.to == CROWD:
        return Export(f"{counted(write_crowd(records, out), 'submission')} as {CROWD}")
    if wanted.to == RUN:
        agreed = people_run(records, opened(origin_of(project)), out, rule=rule)
        mean = "not defined" if agreed.mean is None else f"{agreed.mean:.4f}"
        pairs, samples = counted(agreed.pairs, "pair"), counted(agreed.n, "sample")
        people = counted(agreed.people, "annotator")
        return Export("a run of people", [], [f"agreement: mean IoU {mean} over {pairs} of {samples}, {people}"])
    made = Export()

    def lost(loss: Loss) -> None:
        made.losses.append(str(loss))
        on_loss(str(loss))

    done = export_samples(
        records,
        out,
        to=wanted.to,
        rule=rule,
        flags=wanted.flags,
        split=wanted.split,
        lossy=wanted.lossy,
        photos=wanted.photos,
        photos_root=Path(project.root) if project.root and wanted.photos != "none" else None,
        on_loss=lost,
    )
    made.sentence = f"{done.converted.kept:,} of {counted(done.converted.n, 'sample')} as {wanted.to}"
    made.remarks = done.remarks()
    return made


def file_of(project: Project, wanted: Wanted) -> tuple[IO[bytes], str, Export]:
    """Returns an export as one open file, its name, and what it holds; a folder becomes a zip archive.

    Nobody but the file itself keeps it: it is gone when it is closed.

    Raises:
        FoveateError: As for `export_project`.
    """
    with tempfile.TemporaryDirectory(prefix="foveate-") as folder:
        out = Path(folder) / f"{project.slug}-{wanted.to}{_suffix(wanted)}"
        done = export_project(project, out, wanted)
        file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever gets it closes it
        name = out.name
        if out.is_dir():
            name = f"{out.name}.zip"
            _pack(out, file)
        else:
            with out.open("rb") as written:
                shutil.copyfileobj(written, file)
    file.seek(0, io.SEEK_SET)
    return file, name, done


def _suffix(wanted: Wanted) -> str:
    if wanted.to in (CROWD, RUN):
        return ""
    if wanted.to == SUBMISSIONS:
        return ".jsonl"
    return next(iter(sample_form(wanted.to, wanted.split).suffixes), "")


def _pack(folder: Path, file: IO[bytes]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, f"{folder.name}/{path.relative_to(folder).as_posix()}")
