"""Whether a question is English as far as `pocket` knows it: by its words."""

from __future__ import annotations

import re
from functools import lru_cache

from foveate.perception import _question_words
from foveate.perception.example_questions import example_questions
from foveate.perception.matching import GROUP_WORDS
from foveate.perception.phrase_book import whole_book
from foveate.perception.words import EMPTY, stem, words

# What turns around a question and asks for nothing.
_COURTESY = frozenset(
    re.findall(r"\w+", "hi hello hey ok okay yes no yeah well thanks thank again just etc ever and or but the a an")
)
_ASKING = frozenset(re.findall(r"\w+", "what whats which who whose where when why how is are was were does do did can"))
# Of a question in another language some words are English by chance ("was", "die", "table").
_LEAST_KNOWN = 0.5


def asks_in_english(question: str) -> bool:
    """Returns whether at least half of a question's words are known, and one of them asks or means something.

    Known are the words of the phrase book, of the example questions, and those by which questions are told apart.

    Example:
        >>> asks_in_english("Where is my quokka?"), asks_in_english("Wo ist die Katze?"), asks_in_english("the the")
        (True, False, False)
    """
    said = [word for word in words(question) if not word.isdigit()]
    known = [word for word in said if {word, stem(word)} & _vocabulary()]
    telling = [word for word in known if word in _ASKING or word not in EMPTY | _COURTESY]
    return bool(telling) and len(known) >= _LEAST_KNOWN * len(said)


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """Returns the known words and their stems."""
    texts = [text for thing in whole_book().things.values() for text in (*thing.called, *thing.uses, *thing.groups)]
    texts += [each.question for each in example_questions()]
    texts += GROUP_WORDS
    found = {word for text in texts for word in words(text)} | EMPTY | _COURTESY | _ASKING | _of_patterns()
    return frozenset(found | {stem(word) for word in found})


def _of_patterns() -> frozenset[str]:
    """Returns the words by which questions are told apart."""
    patterns = " ".join(value.pattern for value in vars(_question_words).values() if isinstance(value, re.Pattern))
    # What stands behind any letters is an ending, no word.
    plain = re.sub(r"\\w\+[a-z]*|\\.", " ", patterns)
    # Of "colou?r" both spellings.
    both = f"{plain.replace('?', '')} {re.sub('[a-z][?]', '', plain)}"
    return frozenset(re.findall("[a-z]{3,}", both))
