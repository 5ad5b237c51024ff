"""Several questions in one: each is answered, and the answers are said one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from foveate.core.regions import Region
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.named import named
from foveate.grounders._pocket.places import same_place
from foveate.grounders._pocket.reasons import Reason
from foveate.grounders._pocket.seen import Seen
from foveate.perception.questions import Asked
from foveate.perception.words import words

Answer = Callable[[Seen, Asked], Finding]

# A pause when it is read aloud; answers themselves hold commas.
_BETWEEN = "; "
_IT = frozenset({"it", "they", "its", "this", "that", "these", "those"})


def answer_all(seen: Seen, asked: Sequence[Asked], answer: Answer) -> Finding:
    """Returns one finding for all questions: their answers joined, the first one's region, then those of the others.

    What could not be answered, or should be known beside an answer, is said with the question that it belongs to.
    "It" means what the last question was about or was answered with.

    Args:
        seen: The photo.
        asked: The questions, at least one.
        answer: Answers one of them.
    """
    found: list[Finding] = []
    for each in asked:
        found.append(answer(seen, _meaning_the_last(each, found)))
    return found[0] if len(found) == 1 else _joined(asked, found)


def _meaning_the_last(asked: Asked, found: Sequence[Finding]) -> Asked:
    """Returns the question about the thing that was found last, where it says "it" and means no other."""
    label = found[-1].regions[0].label if found and found[-1].regions else None
    said_it = asked.type == "count" or _IT & set(words(asked.text))
    if not label or asked.about or not said_it:
        return asked
    return replace(asked, about=label) if named(label).exact else asked


def _joined(asked: Sequence[Asked], found: Sequence[Finding]) -> Finding:
    answers = [each.answer for each in found if each.answer]
    scores = [each.answer_score for each in found if each.answer]
    known = [score for score in scores if score is not None]
    reasons = [f'"{question.text}": {each.reason}' for question, each in zip(asked, found, strict=True) if each.reason]
    # What has a place comes first, as its place does.
    shown = sorted(found, key=lambda each: not each.regions)
    return Finding(
        _BETWEEN.join(answers) or None,
        _each_once(found),
        _one_reason(reasons, found),
        # All are right no oftener than the least likely one.
        min(known) if known and len(known) == len(scores) else None,
        tuple(chain.from_iterable(each.evidence for each in shown)),
        tuple(chain.from_iterable(each.considered for each in shown)),
    )


def _one_reason(reasons: Sequence[str], found: Sequence[Finding]) -> str | None:
    """Returns the reasons as one; where nothing is answered, of the first one's kind."""
    first = found[0].refusal
    joined = " ".join(reasons)
    return Reason(joined, first.kind, first.looked_for) if first and joined else joined or None


def _each_once(found: Sequence[Finding]) -> tuple[Region, ...]:
    """Returns all regions in their order, without those of things that an earlier question has found."""
    kept: list[Region] = []
    for each in found:
        earlier = tuple(kept)
        kept += [region for region in each.regions if not any(_is_that(region, other) for other in earlier)]
    return tuple(kept)


def _is_that(region: Region, other: Region) -> bool:
    return region.label == other.label and same_place(region, other)
