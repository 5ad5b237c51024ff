"""From what people sent to samples with targets: one rule for several drawings, and why a sample has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from foveate.annotation.flow import next_step
from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.shapes import drawn_shape
from foveate.annotation.submissions import Submission, of_people
from foveate.annotation.target_rules import USUAL, VERIFIED, TargetRule, target_rule
from foveate.annotation.work import AskWork, GroundingWork, VerifyWork
from foveate.core.queries import Query
from foveate.core.regions import Box, Polygon, Shape
from foveate.core.truths import Fact, Target, Truth
from foveate.errors import InputError, UsageError
from foveate.formats._sample_forms import Sample
from foveate.quality.drawings import Drawing

Flags = Literal["any", "all"]
_MOST = ProjectSettings(submissions=50, most_redraws=10)


@dataclass
class Samples:
    """Samples made of submissions.

    Attributes:
        samples: In the order of the tasks' first submissions.
        without_question: Tasks for which nobody has written a question, so that they are no sample.
        gold_undecided: Gold tasks of which no decision is in the file, so that their answer is not known here.
        adjudicated: How many samples are as somebody decided.
        too_few: How many samples the rule made of fewer drawings than it is for.
        why: How many samples have no target, by the reason.
    """

    samples: list[Sample] = field(default_factory=list)
    without_question: list[str] = field(default_factory=list)
    gold_undecided: list[str] = field(default_factory=list)
    adjudicated: int = 0
    too_few: int = 0
    why: Counter[str] = field(default_factory=Counter)


def samples_of(
    submissions: Iterable[Submission], rule: str | TargetRule | None = None, flags: Flags = "any"
) -> Samples:
    """Returns a sample for each task, with the target that its submissions give.

    A task that somebody decided has that decision as its target, whatever the rule, or none where it was rejected; a
    gold task has no other one.

    Args:
        submissions: Of one project.
        rule: Of several drawings of one task: an aggregator, by name or with options; or `all`, of which any counts.
            For a box collection `verified`: the box that somebody found right. By default `verified` for a box
            collection, else `larger`.
        flags: Whether a sample has no target when `any` person finds several questions, several regions or nothing that
            can be drawn, or only when `all` do.

    Raises:
        InputError: Submissions of one task disagree on its photo or question.
        UsageError: The rule is none, or does not go with the kind of project.
        UnavailableError: What the rule needs is not installed.
    """
    made = Samples()
    named = target_rule(rule) if isinstance(rule, str) else rule
    for sent in by_task(submissions).values():
        collected = sent[0].kind == "box_collection"
        chosen = named or target_rule(VERIFIED if collected else USUAL)
        if (chosen.name == VERIFIED) != collected:
            raise UsageError(f"rule {chosen.name}", f"the project is of the kind {sent[0].kind}", chosen.remedy)
        people, decided = of_people(sent), decision_of(sent)
        if decided is None and any(one.gold for one in sent):
            made.gold_undecided.append(sent[0].task)
            continue
        question, answer = _asked(sent)
        if not question.strip():
            made.without_question.append(sent[0].task)
            continue
        told = _decided(people, decided) if decided else _of_people(people, chosen, flags)
        made.samples.append(_sample(sent, question, answer, told))
        _count(made, told, chosen)
    return made


def decision_of(sent: Sequence[Submission]) -> Submission | None:
    """Returns what stands as the answer of a task: the newest decision, the later of equals; None where there is none.

    Args:
        sent: All of one task, in the order of sending.
    """
    decisions = [one for one in sent if one.adjudicated]
    # Where one has no time, the order of the file is all there is.
    if all(one.sent for one in decisions):
        decisions.sort(key=_when)
    return decisions[-1] if decisions else None


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
            others.sort(key=_when)
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


def reason_of(submission: Submission) -> str:
    """Returns the reason why somebody could not draw, with its text; empty where they did not say that."""
    work = submission.work
    if isinstance(work, AskWork | VerifyWork) or work.outcome != "cannot_draw":
        return ""
    return ": ".join(text for text in (work.reason, work.reason_text.strip()) if text)


@dataclass(frozen=True)
class _Told:
    """What the submissions of a task say: regions, each with who drew it, where one did; why there is none; facts."""

    targets: Sequence[tuple[Shape, str | None]]
    why: str
    facts: dict[str, Fact]


def _of_people(people: Sequence[Submission], rule: TargetRule, flags: Flags) -> _Told:
    return _verified(people) if rule.name == VERIFIED else _drawn(people, rule, flags)


def _decided(people: Sequence[Submission], decided: Submission) -> _Told:
    """Returns what was decided; how many people drew before is told beside it."""
    said: dict[str, Fact] = {"submissions": len(people), "drawn": sum(shape_of(one) is not None for one in people)}
    said |= {"adjudicated": True}
    said |= {"rule": decided.rule} if decided.rule else {}
    shape = shape_of(decided)
    if shape is not None:
        # A region that was made of several is nobody's.
        return _Told([(shape, None if decided.rule else decided.annotator)], "", said)
    said |= {"reasons": (found,)} if (found := reason_of(decided)) else {}
    return _Told((), flag_of(decided) or "rejected", said)


def _drawn(sent: Sequence[Submission], rule: TargetRule, flags: Flags) -> _Told:
    drawn = [Drawing(shape, submission.annotator) for submission in sent if (shape := shape_of(submission))]
    said: dict[str, Fact] = {"submissions": len(sent), "drawn": len(drawn)}
    for name, texts in (("flags", map(flag_of, sent)), ("reasons", map(reason_of, sent))):
        said |= {name: found} if (found := tuple(filter(None, texts))) else {}
    flagged = Counter(filter(None, map(flag_of, sent)))
    if not drawn or (flagged and flags == "any"):
        return _Told((), next(iter(flagged.most_common()), ("unfinished", 0))[0], said)
    said |= {"rule": rule.told}
    if rule.aggregator is None:
        return _Told([(one.shape, one.annotator) for one in drawn], "", said)
    region = rule.aggregator.region(drawn, sent[0].size_hw)
    if region is None:
        return _Told((), "nothing_in_common", said)
    # A region that was made of several is nobody's.
    return _Told([(region, next((one.annotator for one in drawn if one.shape is region), None))], "", said)


def _count(made: Samples, told: _Told, rule: TargetRule) -> None:
    """Counts what must be known of a sample beside it."""
    if told.why:
        made.why[told.why] += 1
    made.adjudicated += "adjudicated" in told.facts
    drawn = told.facts.get("drawn", 0)
    by_rule = "rule" in told.facts and "adjudicated" not in told.facts
    if told.targets and rule.aggregator and by_rule and isinstance(drawn, int):
        made.too_few += drawn < rule.aggregator.card.fewest


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
    return _Told(boxes[-1:], "", said | {"rule": VERIFIED})


def _asked(sent: Sequence[Submission]) -> tuple[str, str | None]:
    """Returns question and answer of a task: those that somebody wrote for the photo, else those that were shown."""
    for submission in sent:
        if isinstance(submission.work, AskWork) and submission.work.outcome == "asked":
            return submission.work.question, submission.work.answer or None
    # Who was to ask was shown none.
    shown = Counter((one.question, one.answer) for one in sent if not isinstance(one.work, AskWork))
    if len(shown) > 1:
        told = " and ".join(repr(question) for question, _ in list(shown)[:2])
        raise InputError(sent[0].task, f"two people saw other questions or answers: {told}", "Look at the file.")
    return next(iter(shown), ("", None))


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


def _when(submission: Submission) -> float:
    return submission.sent.timestamp() if submission.sent else 0.0
