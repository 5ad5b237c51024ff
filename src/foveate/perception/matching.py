"""How well a question fits each thing of the phrase book, by its words alone."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from foveate.perception._question_words import FOR_USE
from foveate.perception.phrase_book import PhraseBook, Thing, phrase_book, thing_of_name, whole_book
from foveate.perception.words import content_stems, stem, words

# Words for a group of things, beside those that the book uses itself.
_GROUPS = {
    "animal": "animal creature mammal beast pet",
    "pet": "pet",
    "vehicle": "vehicle transport transportation",
    "food": "food edible snack meal",
    "fruit": "fruit",
    "vegetable": "vegetable veggie",
    "dessert": "dessert",
    "furniture": "furniture",
    "utensil": "utensil cutlery silverware",
    "appliance": "appliance",
    "device": "device gadget electronic",
    "toy": "toy",
    "container": "container vessel",
    "bag": "bag luggage",
    "clothing": "clothing clothes garment",
}
GROUP_WORDS = tuple(word for similar in _GROUPS.values() for word in similar.split())
# By the stems of both forms that `_GROUP` finds: "veggie" and "veggies" have different ones.
_GROUP_OF = {
    stem(form): frozenset(stem(group) for group, similar in _GROUPS.items() if word in similar.split())
    for word in GROUP_WORDS
    for form in (word, f"{word}s")
}
_GROUP = re.compile(
    r"^(what|which)( (kind|type|sort|piece|mode|form)s? of)?( is| are)?( the| a| an| this| that)? "
    rf"(?P<group>({'|'.join(GROUP_WORDS)})s?)\b"
)
# It asks for a word and is about no phone.
_WHAT_DO_WE_CALL = re.compile(r"\bwhat (do|does|did|would) (i|you|we|they|people|one) call\b")
_VERB = (
    "(is|are|was|were|s|does|do|did|has|have|had|can|could|will|would|should|may|might|must|to"
    "|the|a|an|my|our|your|his|her|their)"
)
_A = r"( (the|a|an|my|our|your|his|her|their|this|that|any|some))?"
# What may stand before the name of what is asked for: "which brown (dog)", "who is the (man)", "see a red (car)".
_ASKED_FOR = re.compile(
    rf"(\b(what|which|whose)( (kind|type|sort|breed|make|model)s?)?( of{_A})?( (?!{_VERB} )(?!\w+s )\w+)?"
    rf"|\bwho( is| are| s)?{_A}|\b(call|called|(name|names|picture|photo) (of|given to|for)){_A}"
    rf"|\b(where|show|find|point|locate|spot|see|identify|for)( is| are| s)?( me| to| at| out)?{_A}( \w+)?) $"
)
# "What is the dog?" and "what is the fruit that monkeys like?" ask for it, "what is the dog doing?" does not.
_WHAT_IS_THE = re.compile(rf"\b(what|which)( is| are| was)?{_A}( \w+)? $")
_AND_NO_MORE = re.compile(r"^ ?($|(that|which|who|whose|used|for|of|called|in (the|this) (picture|photo|image))\b)")
# This one thing, in the photo; "people" and "a lady" are said of anybody.
_DEFINITE = re.compile(r"\b(the|this|these|my|our|your|his|her|its|their)( \w+)? $")
_ARTICLES = frozenset({"the", "a", "an", "my", "our", "your", "some", "any", "this", "that"})
# What is left of "what is on the table" beside the table, and describes nothing.
_WHEREABOUTS = frozenset(
    stem(word)
    for word in re.findall(
        r"\w+",
        """
        behind beside above below under beneath over next near nearby inside outside left right front back side top
        bottom between beyond across along close background foreground corner middle within there here s
        """,
    )
)
_GROUP_FLOOR = 0.2
_LATER_NAME = 0.5
_LEAST_STRENGTH = 0.35
_LONGEST_NAME = 4

_ASKS_FOR_USE = re.compile(
    r"\b(used?|using|useful|helps?|needed|lets?)\b"
    r"|\b(can|could|do|does|should|may|must) (i|we|you|people|someone|one|be)\b"
    r"|^(what|which|who|where)( \w+){0,2} (can|could|do|does|did|should)\b"
    r"|^(what|who) (?!is\b|was\b|has\b|does\b)\w+s\b"
    r"|^what (is|are) (the|this|that|he|she|they)( \w+)? \w+ing\b"
)


def match_kinds(question: str) -> dict[str, float]:
    """Returns how well a question fits each of the 80 kinds that it fits at all: 0 to 1, 1 for a kind that it names.

    1. A wider word right after "what" or "which" ("which animal …") leaves only the kinds of that group, each with
       at least 0.2.
    2. A question that does not ask for a use ("where is the dog?", "what colour is my bed?") means the things that it
       names: the first gets 1, those named later 0.5. The longer name wins: a hot dog is no dog, a dog tag neither.
    3. Else every phrase of the kind is compared by its stems that carry meaning, weighted by their rarity in the book:
       the share of the phrase found in the question times the square root of the share of the question found in the
       phrase. The kind gets its best phrase. Names count half: a question for a use seldom names its answer. Less than
       0.35 is chance.

    Example:
        >>> match_kinds("Where is my remote control?")
        {'remote': 1.0}
    """
    return _match(question, phrase_book())


def match_things(question: str) -> dict[str, float]:
    """Returns how well a question fits each thing of the whole book, by the same rule.

    Example:
        >>> match_things("Where is my bike helmet?")
        {'helmet': 1.0}
    """
    return _match(question, whole_book())


def group_asked_for(question: str) -> frozenset[str]:
    """Returns the things of the whole book that belong to the wider word after "what" or "which"; empty without one.

    Example:
        >>> "horse" in group_asked_for("What animal can we ride?"), "person" in group_asked_for("Which animal is it?")
        (True, False)
    """
    group = _group_in(_plain(question))
    return frozenset(thing.name for thing in whole_book().things.values() if group and thing.groups & _GROUP_OF[group])


def names_its_thing(plain: str) -> dict[str, float]:
    """Returns the things that a text names: the last of a noun phrase gets 1 ("cat bowl" is a bowl), the others 0.5."""
    spans = named_spans(words(plain))
    tokens = tuple(stem(word) for word in words(plain))
    named = [thing_of_name()[tokens[span.start : span.stop]] for span in reversed(spans)]
    return {name: 1.0 if place == 0 else _LATER_NAME for place, name in enumerate(dict.fromkeys(named))}


def only_mentioned(plain: str) -> tuple[str, ...]:
    """Returns the things of the photo that a question names beside what it asks for, in its order.

    None where it asks for a use or a place, which the named thing itself may have or be, or says what is so anywhere.

    Args:
        plain: The question's plain words.

    Example:
        >>> only_mentioned("what is the person doing"), only_mentioned("which dog is running")
        (('person',), ())
    """
    if FOR_USE.search(plain) or plain.startswith("where "):
        return ()
    tokens = plain.split()
    found: dict[str, None] = {}
    for span in named_spans(tokens):
        before, after = " ".join((*tokens[: span.start], "")), " ".join(tokens[span.stop :])
        asked = _ASKED_FOR.search(before) or (_WHAT_IS_THE.search(before) and _AND_NO_MORE.search(after))
        if _DEFINITE.search(before) and not asked:
            found |= dict.fromkeys(_named(tuple(stem(word) for word in tokens[span.start : span.stop]), _all()))
    return tuple(found)


def tells_only_where(plain: str) -> bool:
    """Returns whether a question says of a thing only where it is: "what is on the table", "what is behind the cat"."""
    tokens = plain.split()
    inside = {place for span in named_spans(tokens) for place in span}
    rest = " ".join(word for place, word in enumerate(tokens) if place not in inside)
    return bool(inside) and not content_stems(rest) - _WHEREABOUTS


def is_a_name(plain: str) -> bool:
    """Returns whether a text is the name of a thing and nothing else: "car", "my hot dog"."""
    tokens = plain.split()
    rest = tokens[1:] if tokens and tokens[0] in _ARTICLES else tokens
    return tuple(stem(word) for word in rest) in thing_of_name()


def named_spans(tokens: Sequence[str]) -> list[range]:
    """Returns where names of things of the whole book stand in words, in order; the longest of those that overlap."""
    stems = tuple(stem(token) for token in tokens)
    names = thing_of_name()
    spans: list[range] = []
    start = 0
    while start < len(stems):
        stops = range(min(start + _LONGEST_NAME, len(stems)), start, -1)
        stop = next((stop for stop in stops if stems[start:stop] in names), None)
        if stop:
            spans.append(range(start, stop))
        start = stop or start + 1
    return spans


def names_a_kind(plain: str) -> bool:
    """Returns whether a question names one of the 80 kinds, or a group of things ("animal")."""
    stems = tuple(stem(word) for word in plain.split())
    return bool(_GROUP.search(plain) or _named(stems, phrase_book().things.values()))


def _all() -> Iterable[Thing]:
    return whole_book().things.values()


def _match(question: str, book: PhraseBook) -> dict[str, float]:
    plain = _plain(question)
    things = list(book.things.values())
    wider = _group_in(plain)
    if wider is not None:
        things = [thing for thing in things if thing.groups & _GROUP_OF[wider]]
    if not _ASKS_FOR_USE.search(plain):
        # Names of all things are looked for, so that a longer name that is not of this book hides a shorter one.
        named = _named(tuple(stem(word) for word in plain.split()), whole_book().things.values())
        known = {thing.name for thing in things}
        found = {name: 1.0 if place == 0 else _LATER_NAME for place, name in enumerate(named)}
        if found.keys() & known:
            return {name: value for name, value in found.items() if name in known}
    content = content_stems(plain) - {wider}
    floor = 0.0 if wider is None else _GROUP_FLOOR
    strengths = {thing.name: max(_strength(content, thing, book), floor) for thing in things}
    return {name: value for name, value in strengths.items() if value > 0}


def _plain(question: str) -> str:
    return _WHAT_DO_WE_CALL.sub("what is", " ".join(words(question)))


def _group_in(plain: str) -> str | None:
    """Returns the stem of the wider word that a question asks for one of, or None."""
    group = _GROUP.search(plain)
    return stem(group["group"]) if group else None


def _named(stems: tuple[str, ...], things: Iterable[Thing]) -> list[str]:
    """Returns the things whose names stand in the question, in its order, without names inside longer ones."""
    spans = [
        (start, -len(called), thing.name)
        for thing in things
        for called in thing.names
        for start in range(len(stems) - len(called) + 1)
        if stems[start : start + len(called)] == called
    ]
    found: dict[str, None] = {}
    end, last = 0, (-1, 0)
    # The sort is stable, so that two things that share a name ("glass") come in the book's order.
    for start, less, name in sorted(spans, key=lambda span: span[:2]):
        if start >= end or (start, less) == last:
            found[name] = None
            end, last = start - less, (start, less)
    return list(found)


def _strength(content: frozenset[str], thing: Thing, book: PhraseBook) -> float:
    whole = book.weigh(content)
    used = max((_likeness(content, phrase, whole, book) for phrase in thing.use_stems), default=0.0)
    called = max((_likeness(content, phrase, whole, book) for phrase in thing.name_stems), default=0.0)
    best = min(max(used, called / 2), 1.0)
    return best if best >= _LEAST_STRENGTH else 0.0


def _likeness(content: frozenset[str], phrase: frozenset[str], whole: float, book: PhraseBook) -> float:
    shared = book.weigh(phrase & content)
    return shared / book.weigh(phrase) * math.sqrt(shared / whole) if shared else 0.0
