"""A question that is asked twice."""

from __future__ import annotations

import re

from foveate.core.cards import RuleCard
from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._verdicts import Verdict

CARD = RuleCard(
    name="repeated_question",
    title="Question asked twice",
    summary="Trims a question that is repeated to one; other sentences stay.",
    action="trim",
    reference="Chen, Anjum, Gurari, CVPR 2022: “what is this? what is this?” becomes one question.",
    limits="Only the same words count: “What is this? Can you tell me what this is?” stays, and so does a repetition "
    "that breaks off (“Is my TV on? Is”). Greetings and thanks said twice are no question and stay.",
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# A sentence with its marks and the space after it; what has no mark at its end is the last.
_SENTENCE = re.compile(r".+?(?:[.?!]+(?=\s|$)\s*|$)", re.DOTALL)
# A phrase of one word is said twice for many reasons: "no no", "1 1".
_SHORTEST_PHRASE = 2


def judge(query: Query, truth: Truth) -> Verdict | None:
    """Returns the question with each repeated one left out, or None where none is repeated."""
    trimmed = _without_repeated_phrase(_without_repeated_sentences(query.question))
    if trimmed == query.question.strip():
        return None
    return Verdict("the question is asked more than once", question=trimmed)


def _without_repeated_sentences(question: str) -> str:
    """Returns the question without sentences of the same words as an earlier one, if one of them ends in `?`."""
    sentences = _SENTENCE.findall(question)
    asked = {_words(sentence) for sentence in sentences if sentence.rstrip().endswith("?")} - {()}
    seen: set[tuple[str, ...]] = set()
    kept = []
    for sentence in sentences:
        words = _words(sentence)
        if words not in asked or words not in seen:
            kept.append(sentence)
        seen.add(words)
    return "".join(kept).strip()


def _without_repeated_phrase(question: str) -> str:
    """Returns the first phrase of a question that is nothing but one phrase over and over, with its last marks."""
    found = list(_WORD.finditer(question))
    words = [_plain(word.group()) for word in found]
    for length in range(_SHORTEST_PHRASE, len(words) // 2 + 1):
        if words == words[:length] * (len(words) // length):
            return question[: found[length - 1].end()] + question[found[-1].end() :]
    return question


def _words(sentence: str) -> tuple[str, ...]:
    return tuple(map(_plain, _WORD.findall(sentence)))


def _plain(word: str) -> str:
    return word.lower().replace("’", "'")
