"""From what people sent to samples with targets: one rule for several drawings, and why a sample has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from foveate.annotation.flow import next_step
from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.shapes import drawn_shape
from foveate.annotation.submissions import Submission
from foveate.annotation.work import AskWork, GroundingWork, VerifyWork
from foveate.core.boxes import SizeHW
from foveate.core.queries import Query
from foveate.core.regions import Box, Polygon, Shape
from foveate.core.rle import area
from foveate.core.truths import Fact, Target, Truth
from foveate.errors import InputError, UsageError
from foveate.formats._sample_forms import Sample

Rule = Literal["larger", "first", "all", "verified"]
RULES: tuple[Rule, ...] = get_args(Rule)
Flags = Literal["any", "all"]
_MOST = ProjectSettings(submissions=50, most_redraws=10)


@dataclass
class Samples:
    """Samples made of submissions.

    Attributes:
        samples: In the order of the tasks' first submissions.
        without_question: Tasks for which nobody has written a question, so that they are no sample.
        why: How many samples have no target, by the reason.
    """

    samples: list[Sample] = field(default_factory=list)
    without_question: list[str] = field(default_factory=list)
    why: Counter[str] = field(default_factory=Counter)


def samples_of(submissions: Iterable[Submission], rule: Rule | None = None, flags: Flags = "any") -> Samples:
    """Returns a sample for each task, with the target that its submissions give.

    Args:
        submissions: Of one project.
        rule: Of several drawings of one task: the `larger` in pixels (as the first paper; the earlier of equals), the
            `first`, or `all`, of which any counts. For a box collection `verified`: the box that somebody found right.
            By default `verified` for a box collection, else `larger`.
        flags: Whether a sample has no target when `any` person finds several questions, several regions or nothing that
            can be drawn, or only when `all` do.

    Raises:
        InputError: Submissions of one task disagree on its photo or question.
        UsageError: The rule does not go with the kind of project.
    """
    made = Samples()
    for sent in by_task(submissions).values():
        chosen = rule or ("verified" if sent[0].kind == "box_collection" else "larger")
        if (chosen == "verified") != (sent[0].kind == "box_collection"):
            known = "verified" if sent[0].kind == "box_collection" else "larger, first, all"
            raise UsageError(f"rule {chosen}", f"the project is of the kind {sent[0].kind}", f"Its rules: {known}.")
        question, answer = _asked(sent)
        if not question.strip():
            made.without_question.append(sent[0].task)
            continue
        told = _verified(sent) if chosen == "verified" else _drawn(sent, chosen, flags)
        made.samples.append(_sample(sent, question, answer, told))
        if told.why:
            made.why[told.why] += 1
    return made


def target_rule(name: str) -> Rule:
    """Returns a rule by its name.

    Raises:
        UsageError: There is none of it.
    """
    found = next((rule for rule in RULES if rule == name), None)
    if found is None:
        raise UsageError(f"rule {name}", "it is none for targets", f"Its rules: {', '.join(RULES)}.")
    return found


def by_task(submissions: Iterable[Submission]) -> dict[str, list[Submission]]:
    """Returns the submissions of each task in the order of sending, tasks in the order of their first.

    What an organiser has set aside is left out.

    Raises:
        InputError: Two of one task name different photos or sizes.
    """
    found: dict[str, list[Submission]] = {}
    for submission in submissions:
        if submission.set_aside:
            continue
        others = found.setdefault(submission.task, [])
        if others and _photo(others[0]) != _photo(submission):
            problem = f"its photo is {_photo(submission)} for one submission and {_photo(others[0])} for another"
            raise InputError(submission.task, problem, "One task has one photo; look at the file.")
        others.append(submission)
    for others in found.values():
        if all(submission.sent for submission in others):
            others.sort(key=lambda submission: submission.sent.timestamp() if submission.sent else 0.0)
    return found


def shape_of(submission: Submission) -> Box | Polygon | None:
    """Returns what somebody drew, the whole photo where they chose it; None where they drew nothing."""
    return drawn_shape(submission.work, submission.size_hw)


def flag_of(submission: Submission) -> str:
    """Returns why somebody drew nothing, in a word; empty where they drew."""
    work = submission.work
    if isinstance(work, GroundingWork) and work.several_questions:
        return "several_questions"
    if isinstance(work, GroundingWork) and work.several_regions:
        return "several_regions"
    if isinstance(work, AskWork | VerifyWork) or work.outcome not in (None, "cannot_draw"):
        return ""
    return "cannot_draw" if work.outcome else "unfinished"


def pixels(shape: Shape, size_hw: SizeHW) -> int:
    """Returns how many pixels a shape covers."""
    return area(shape.rle(size_hw))


def reason_of(submission: Submission) -> str:
    """Returns the reason why somebody could not draw, with its text; empty where they did not say that."""
    work = submission.work
    if isinstance(work, AskWork | VerifyWork) or work.outcome != "cannot_draw":
        return ""
    return ": ".join(text for text in (work.reason, work.reason_text.strip()) if text)


@dataclass(frozen=True)
class _Told:
    """What the submissions of a task say: regions, each with who drew it, or why there is none; and facts."""

    targets: Sequence[tuple[Shape, str]]
    why: str
    facts: dict[str, Fact]


def _drawn(sent: Sequence[Submission], rule: Rule, flags: Flags) -> _Told:
    drawn = [(shape, submission.annotator) for submission in sent if (shape := shape_of(submission))]
    said: dict[str, Fact] = {"submissions": len(sent), "drawn": len(drawn)}
    for name, texts in (("flags", map(flag_of, sent)), ("reasons", map(reason_of, sent))):
        said |= {name: found} if (found := tuple(filter(None, texts))) else {}
    flagged = Counter(filter(None, map(flag_of, sent)))
    if not drawn or (flagged and flags == "any"):
        return _Told((), next(iter(flagged.most_common()), ("unfinished", 0))[0], said)
    if rule == "larger":
        drawn = [max(drawn, key=lambda one: pixels(one[0], sent[0].size_hw))]
    return _Told(drawn if rule == "all" else drawn[:1], "", said)


def _verified(sent: Sequence[Submission]) -> _Told:
    works = [submission.work for submission in sent]
    # As many people as there can be: whoever had fewer set the photo aside before, and nothing came after.
    step = next_step("box_collection", _MOST, works)
    wrong = sum(isinstance(work, VerifyWork) and work.outcome == "box_wrong" for work in works)
    said: dict[str, Fact] = {"submissions": len(sent), "boxes_wrong": wrong}
    reasons = tuple(filter(None, map(reason_of, sent)))
    said |= {"reasons": reasons} if reasons else {}
    if step.state != "done":
        return _Told((), step.why or ("box_wrong" if wrong else "not_verified"), said)
    end = max(at for at, work in enumerate(works) if isinstance(work, VerifyWork) and work.outcome == "right")
    boxes = [(shape, s.annotator) for s in sent[:end] if (shape := shape_of(s))]
    return _Told(boxes[-1:], "", said)


def _asked(sent: Sequence[Submission]) -> tuple[str, str | None]:
    """Returns question and answer of a task: those that somebody wrote for the photo, else those that were shown."""
    for submission in sent:
        if isinstance(submission.work, AskWork) and submission.work.outcome == "asked":
            return submission.work.question, submission.work.answer or None
    shown = Counter((submission.question, submission.answer) for submission in sent)
    if len(shown) > 1:
        told = " and ".join(repr(question) for question, _ in list(shown)[:2])
        raise InputError(sent[0].task, f"two people saw other questions or answers: {told}", "Look at the file.")
    return sent[0].question, sent[0].answer


def _sample(sent: Sequence[Submission], question: str, answer: str | None, told: _Told) -> Sample:
    first = sent[0]
    facts = told.facts | ({"no_target": told.why} if told.why else {})
    targets = tuple(Target(shape, answer, annotator) for shape, annotator in told.targets)
    try:
        truth = Truth(
            first.task,
            () if answer is None else (answer,),
            targets,
            "any" if len(targets) > 1 else "single",
            bool(targets),
            first.size_hw,
            polled=False,
            facts=facts,
        )
    except ValueError as error:
        raise InputError(first.task, str(error), "Look at the file of submissions.") from error
    return Sample(Query(first.task, first.image_name, None, question, first.size_hw), truth)


def _photo(submission: Submission) -> str:
    return f"{submission.image_name}, {submission.size_hw[1]} x {submission.size_hw[0]}"
