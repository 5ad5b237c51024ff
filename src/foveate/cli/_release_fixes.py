"""What `foveate release patch` is given: samples, or what was decided on what people drew, without gold questions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from foveate.cli._idle import refuse_idle, refuse_state
from foveate.errors import InputError, UsageError

if TYPE_CHECKING:
    from foveate.annotation.submissions import Submission
    from foveate.annotation.target_rules import TargetRule
    from foveate.formats._sample_forms import Sample


@dataclass(frozen=True)
class Given:
    """Fixes as they were given.

    Attributes:
        samples: What is mended.
        of_people: Whether they are made of submissions.
        decided: Whether they are what somebody has decided.
        gold: How many gold questions are among them, and were left out; empty where there was none.
    """

    samples: Sequence[Sample] = ()
    of_people: bool = False
    decided: bool = False
    gold: Mapping[str, int] = field(default_factory=dict)


def check_options(context: typer.Context, with_: Path | None, project: str | None, remove: Collection[str]) -> None:
    """Refuses options of `patch` that contradict each other or would do nothing.

    Raises:
        UsageError: One was typed, or nothing says what is mended.
    """
    if with_ and project:
        raise UsageError("--from-project", "--with says other fixes", "Take one of the two.")
    if not (with_ or project or remove):
        raise UsageError("--with", "nothing says what is mended", "Give --with, --from-project or --remove.")
    if project is None:
        refuse_state(context, "a project is read of it, and none is named by --from-project")
    else:
        refuse_idle(context, "what was decided in a project needs no rule", "Leave it out.", "--rule")
    if not (with_ or project):
        refuse_idle(context, "it is of submissions, and none are given", "Leave it out.", *_OF_SUBMISSIONS)


def refuse_for(context: typer.Context, given: Given) -> None:
    """Refuses options of `patch` that do nothing for such fixes.

    Raises:
        UsageError: One was typed.
    """
    if not given.of_people:
        refuse_idle(context, "it is of submissions, and the fixes are samples", "Leave it out.", *_OF_SUBMISSIONS)
    elif given.decided:
        refuse_idle(context, "the fixes are what was decided, which needs no rule", "Leave it out.", "--rule")
    else:
        refuse_idle(context, "nobody has decided on anything in the file", "Leave it out.", "--rejected")


_OF_SUBMISSIONS = ("--rule", "--rejected", "--gold")


def fixes_of(path: Path, rule: TargetRule | None = None, *, keep_gold: bool = False) -> Given:
    """Returns the samples of a file of fixes.

    Of submissions, the tasks that somebody has decided on are the fixes; where there is no decision, all are.

    Args:
        path: Of samples as JSON lines, or of submissions.
        rule: Of submissions without decisions.
        keep_gold: Whether gold questions that were decided are among the fixes.

    Raises:
        InputError: The file is broken, or all in it are gold questions.
    """
    from foveate.annotation.submissions import is_submissions, read_submissions
    from foveate.formats import samples_jsonl
    from foveate.formats._sample_forms import Reading

    if not is_submissions(path):
        return Given(list(samples_jsonl.read(path, Reading())))
    return _of_sent(read_submissions(path), str(path), rule, keep_gold)


def fixes_of_project(slug: str, data: Path | None, database: str | None, *, keep_gold: bool = False) -> Given:
    """Returns the samples that were decided on in a project of the server's state, each with why it was drawn anew.

    Raises:
        UsageError: There is no such project.
        InputError: Nobody has decided on any of its tasks, or only on gold questions.
    """
    from foveate.cli._output import remark
    from foveate.cli._projects import sent_for
    from foveate.evaluation.wording import counted
    from foveate.formats._sample_forms import Sample
    from foveate.releases.patch import WHY

    project, sent = sent_for(slug, data, database)
    from foveate.app.adjudicate.services.fixes import reasons_of

    decided = {one.task for one in sent if one.adjudicated}
    if not decided:
        remedy = f"Decide on the page Adjudicate of the project {slug}."
        raise InputError(f"project {slug}", "nobody has decided on any of its tasks", remedy)
    if others := len({one.task for one in sent} - decided):
        remark(f"not decided, so that they mend nothing: {counted(others, 'task')}")
    given = _of_sent(sent, f"project {slug}", None, keep_gold)
    reasons = reasons_of(project)
    samples = [
        Sample(one.query, replace(one.truth, facts={**one.truth.facts, WHY: reasons[one.query.id]}))
        for one in given.samples
    ]
    return replace(given, samples=samples)


def _of_sent(sent: Sequence[Submission], where: str, rule: TargetRule | None, keep_gold: bool) -> Given:
    from foveate.annotation.targets import samples_of
    from foveate.cli._output import remark
    from foveate.cli._release_read import gold_counts
    from foveate.evaluation.wording import counted

    decided = {one.task for one in sent if one.adjudicated}
    chosen = [one for one in sent if one.task in decided] if decided else sent
    gold = {one.task for one in chosen if one.gold}
    made = samples_of(chosen if keep_gold else [one for one in chosen if one.task not in gold], rule)
    told = gold_counts(made, gold) if gold else {}
    if gold and not made.samples:
        remedy = "Say --gold keep, if nobody is to be judged by them any more."
        raise InputError(where, "all that would be mended are gold questions", remedy)
    if left_out := told.get("left_out"):
        remark(f"left out: {counted(left_out, 'gold question')}, by which people are judged; --gold keep puts them in")
    return Given(made.samples, of_people=True, decided=bool(decided), gold=told)
