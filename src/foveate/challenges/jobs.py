"""What is done in a child process: an entry checked and scored, its intervals, a row of a leaderboard.

A job is told by a small JSON and answers by one; neither knows a database.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from foveate.challenges import checking, scoring
from foveate.challenges.definition import Phase
from foveate.challenges.grounded import predictions
from foveate.challenges.pack import Pack, open_pack
from foveate.challenges.reproduction.work import reproduce_entry, withheld
from foveate.challenges.said import of_said
from foveate.runs.forms import SUFFIXES, form_of

Said = dict[str, Any]
# The folder of the scratch in which a program's answer is handed over.
ANSWER = "answer"
# Names of files as people gave them; forms go by the suffix.
_KNOWN = tuple(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)


class Tell(Protocol):
    """Is told how far a job is."""

    def __call__(self, stage: str, share: float = 0.0, said: str = "") -> None:
        """A stage, how much of it is done (0 to 1), and a line for the log, which the team reads."""


@lru_cache(maxsize=2)
def pack_at(folder: str) -> Pack:
    """Returns a pack with what is read of it, kept for the next job.

    Raises:
        InputError: There is none, or it is not as it was written.
    """
    pack = open_pack(Path(folder))
    return pack if pack.truths and pack.groups else pack


def work(task: Mapping[str, Any], tell: Tell) -> Said:
    """Returns the answer of a job.

    Args:
        task: `kind`, `pack` (its folder), `phase` (its definition as JSON), `scratch` (a folder of its own); for
            entries `file` and `name` (as it was sent) and `columns`; for reference rows `grounder` or `file`.
        tell: Is told how far it is.

    Raises:
        FoveateError: The pack or a file of ours is missing; it is not the entry's fault.
    """
    return _WORKS[str(task["kind"])](task, tell)


def _score(task: Mapping[str, Any], tell: Tell) -> Said:
    name, size = task.get("name") or "the file", Path(task["file"]).stat().st_size
    tell("checking", 0.0, f"checking {name}, {size:,} bytes")
    return _measured(task, tell)


def _measured(task: Mapping[str, Any], tell: Tell) -> Said:
    phase = of_said(Phase, task["phase"], "the phase")
    pack = pack_at(task["pack"])
    path = _named(Path(task["file"]), str(task.get("name") or ""), Path(task["scratch"]))
    form, refused = _checked(task, path, pack, phase, tell)
    if refused is not None:
        return refused
    tell("scoring", 0.0, f"{pack.n:,} samples are as they must be; scoring")
    return _scored(pack, path, form, phase, Path(task["columns"]))


def _checked(task: Mapping[str, Any], path: Path, pack: Pack, phase: Phase, tell: Tell) -> tuple[str, Said | None]:
    """Returns the file's form, and the answer where it is refused; it sees sizes, and never a target."""
    name = str(task.get("name") or path.name)

    def progress(done: int, of: int) -> None:
        tell("checking", min(1.0, done / max(1, of)))

    checked = checking.check(path, pack.sizes, phase, name=name, on_progress=progress)
    if checked.ok:
        return checked.form, None
    return checked.form, {"problems": [asdict(one) for one in checked.problems], "problem_count": checked.problem_count}


def _scored(pack: Pack, path: Path, form: str, phase: Phase, columns: Path) -> Said:
    found = scoring.measure(pack, path, form, phase.metrics)
    scores = scoring.scores_of(pack, found)
    scoring.write_columns(scoring.columns(found), columns)
    return {"scores": scores, "main": scoring.main_value(scores, phase), "form": form}


def _interval(task: Mapping[str, Any], tell: Tell) -> Said:
    tell("intervals", 0.0, "working out intervals")
    found = scoring.read_columns(Path(task["columns"]))
    return {"bounds": scoring.intervals_of(pack_at(task["pack"]), found)}


def _reference(task: Mapping[str, Any], tell: Tell) -> Said:
    phase = of_said(Phase, task["phase"], "the phase")
    pack = pack_at(task["pack"])
    tell("scoring", 0.0, "scoring a reference row")
    if task.get("grounder"):
        given = predictions(pack, str(task["grounder"]))
        found = scoring.measure_predictions(pack, given, phase.metrics)
    else:
        path = Path(str(task["file"]))
        found = scoring.measure(pack, path, form_of(path), phase.metrics)
    scores = scoring.scores_of(pack, found, resamples=scoring.RESAMPLES)
    return {"scores": scores, "main": scoring.main_value(scores, phase)}


def _reproduce(task: Mapping[str, Any], tell: Tell) -> Said:
    outcome = reproduce_entry(task, tell)
    if isinstance(outcome, dict):
        return outcome
    # The team reads this line, and a program could write private questions into the name and the size of its answer.
    tell("checking", 0.0, "checking the answer")
    answer = _measured({**task, "file": str(outcome), "name": outcome.name}, tell)
    if "scores" in answer:
        # So that it can be scored anew, from an archive too. A copy, since the file may be another user's.
        (kept := Path(task["scratch"]) / ANSWER).mkdir(mode=0o700)
        shutil.copyfile(outcome, kept / outcome.name)
    return withheld(task, answer)


_WORKS: Mapping[str, Callable[[Mapping[str, Any], Tell], Said]] = {
    "score": _score,
    "interval": _interval,
    "reference": _reference,
    "reproduce": _reproduce,
}


def _named(path: Path, name: str, scratch: Path) -> Path:
    """Returns the file under a name with the suffix that it was sent with; on disk its name is a random one."""
    suffix = Path(name).suffix.lower()
    if suffix not in _KNOWN or path.suffix.lower() == suffix:
        return path
    named = scratch / f"entry{suffix}"
    try:
        named.hardlink_to(path)
    except OSError:
        # Another disk, or one that has no hard links.
        named.symlink_to(path)
    return named
