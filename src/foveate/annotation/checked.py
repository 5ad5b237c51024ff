"""Submissions of a file as checks need them: by person, compared with gold answers and with the others of a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foveate.annotation.judged import judgement_of, said_by
from foveate.annotation.submissions import Submission
from foveate.quality.done import Done, done_of, gold_overlap, peer_means, same_answers
from foveate.quality.judgements import Judgement, Said

_Sent = tuple[Submission, Judgement]


def done_by_person(submissions: Sequence[Submission]) -> dict[str, list[Done]]:
    """Returns what each person sent, in the order of the file, by their pseudonyms.

    A task marked `gold` is compared with its newest adjudicated line; all others with what others drew for the task.
    What was set aside is among it, and nobody else is compared with it.

    Args:
        submissions: Of one project, in the order of sending.
    """
    golds = {one.task for one in submissions if one.gold}
    answers = {one.task: said_by(one.work, one.size_hw) for one in submissions if one.adjudicated and one.task in golds}
    judged = ((one, judgement_of(one)) for one in submissions if not one.adjudicated)
    sent: list[_Sent] = [(one, of) for one, of in judged if of is not None]
    found: dict[str, list[Done]] = {}
    for (one, of), peers in zip(sent, _peers(sent, golds), strict=True):
        found.setdefault(one.annotator, []).append(replace(_with_gold(of, answers.get(one.task)), peers=peers))
    return found


def _with_gold(judged: Judgement, answer: Said | None) -> Done:
    done = done_of(judged)
    if answer is None:
        return done
    overlap = gold_overlap(judged.said, answer, judged.size_hw)
    return replace(done, gold=overlap, gold_same=same_answers(judged.said, answer))


def _peers(sent: Sequence[_Sent], golds: set[str]) -> list[float | None]:
    """Returns for each submission the mean IoU with the others of its task that count; None for a gold question."""
    places: dict[str, list[int]] = {}
    for n, (one, _) in enumerate(sent):
        if one.task not in golds:
            places.setdefault(one.task, []).append(n)
    found: list[float | None] = [None] * len(sent)
    for task in places.values():
        count = [n for n in task if not sent[n][0].set_aside]
        size_hw = sent[task[0]][1].size_hw
        shapes = [sent[n][1].said.shape for n in count]
        for n, mean in zip(count, peer_means(shapes, size_hw), strict=True):
            found[n] = mean
        for n in task:
            if sent[n][0].set_aside:
                found[n] = peer_means([sent[n][1].said.shape, *shapes], size_hw)[0]
    return found
