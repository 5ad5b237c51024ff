"""What a question asks for, without a language model: its type, and how well it fits each kind of thing."""

from __future__ import annotations

import math
import re
from typing import Literal

from foveate.perception.phrase_book import Kind, phrase_book
from foveate.perception.words import content_stems, stem, words

QuestionType = Literal["text", "what_is_this", "attribute", "object"]
TextWish = Literal["all", "tallest", "digits"]

# Words for a group of kinds, beside those that the book uses itself.
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
# By the stems of both forms that `_GROUP` finds: "veggie" and "veggies" have different ones.
_GROUP_OF = {
    stem(form): frozenset(stem(group) for group, similar in _GROUPS.items() if word in similar.split())
    for word in " ".join(_GROUPS.values()).split()
    for form in (word, f"{word}s")
}
_GROUP = re.compile(
    r"^(what|which)( (kind|type|sort|piece|mode|form)s? of)?( is| are)?( the| a| an| this| that)? "
    rf"(?P<group>({'|'.join(' '.join(_GROUPS.values()).split())})s?)\b"
)
# It asks for a word and is about no phone.
_WHAT_DO_WE_CALL = re.compile(r"\bwhat (do|does|did|would) (i|you|we|they|people|one) call\b")
_GROUP_FLOOR = 0.2
_LATER_NAME = 0.5
_LEAST_STRENGTH = 0.35

_ASKS_FOR_USE = re.compile(
    r"\b(used?|using|useful|helps?|needed|lets?)\b"
    r"|\b(can|could|do|does|should|may|must) (i|we|you|people|someone|one|be)\b"
    r"|^(what|which|who|where)( \w+){0,2} (can|could|do|does|did|should)\b"
    r"|^(what|who) (?!is\b|was\b|has\b|does\b)\w+s\b"
    r"|^what (is|are) (the|this|that|he|she|they)( \w+)? \w+ing\b"
)

_THIS = r"(this|that|these|those|it|here|there)"
_WHAT_IS_THIS = re.compile(
    rf"\bwhat(s| is| are|) {_THIS}( (item|thing|object|picture|photo|image|product))?( is| are)?"
    r"( (a )?picture of| called)?( please| thank\w*( you)?| and\b.*| can you\b.*|)$"
    r"|\bwhat(s| is| are|) (in|on) (this|the|that|my) (picture|photo|image)\b"
    r"|\bwhat (do you see|can you see|am i (looking at|holding|seeing)|do i have|is in front of me|does it look like)\b"
    r"|\b(describe|identify) (this|that|it|the (picture|photo|image))\b"
    r"|^(what|which) (thing|object|item) is (this|that|it)\b"
)
_TEXT = re.compile(
    r"\b(says?|said|saying|written|writing|captions?|labels?|titles?|titled|brands?|flavou?rs?|expir\w*|captcha|"
    r"ingredients?|instructions?|barcode|headline|temperature|denomination|logo)\b"
    r"|\b(the|this|that|any|what) (text|words|letters|number|numbers|price|date|message)\b|^what number\b"
    r"|\bread (this|that|these|it|me|out|what|the (text|label|words|sign|screen|back|front|box|card|page|letter))\b"
    rf"|\b(name|title|model|number|price) of (the|my|{_THIS})\b|\bhow much (is|does|do|are)\b"
    r"|\bbest (before|by)\b"
    r"|\b(in|on|inside) (this|the|that|my) (box|can|jar|package|packet|container|bag|carton|tin|tube|pack|label|screen|"
    r"display|bottle|card)\b|\bwhat (product|book|movie|magazine|page|cd|dvd|brand) is\b"
)
# What one does to or with text, rather than a wish to hear it: "What do we use to put a label on a box?"
_TEXT_IS_THE_USE = re.compile(r"\b(used|use) (to|for|in|as)\b|^(where|who)\b.*\b(can|do|could) (i|we|you|people)\b")
_KIND_OF_THIS = re.compile(
    rf"\bwhat\b( (kind|type|sort)s? of)?( \w+){{1,2}} (is|are|do i have) {_THIS}\b|\bwhat is this \w+$"
)
_SORT = re.compile(r"\b(kind|type|sort)s? of\b")
_DIGITS = re.compile(
    r"\b(numbers?|price|cost|dates?|expir\w*|temperature|how much|best (before|by)|denomination|phone number)\b"
)
_TALLEST = re.compile(r"\b(brand|title|titled|name|headline|logo|what (book|movie|magazine|product|cd|dvd))\b")
_ATTRIBUTE = re.compile(
    r"\bcolou?rs?\b|\bhow\b|^(why|when)\b|\bcount\b"
    r"|^(is|are|was|were|does|do|did|has|have|will|should|am) (?!you (see|tell)|we use|i use)"
)


def question_type(question: str) -> QuestionType:
    """Returns what kind of answer a question wants.

    `text`: what is printed in the photo. `what_is_this`: whatever the photo shows. `attribute`: a colour, a number of
    things, a yes or no, a reason: something about a thing, that may still be pointed at. `object`: a thing, named or
    described by what it does or is for; whatever is none of the others.

    Example:
        >>> question_type("What does the label say?"), question_type("What barks?")
        ('text', 'object')
    """
    plain = " ".join(words(question))
    if _TEXT.search(plain) and not _TEXT_IS_THE_USE.search(plain):
        return "text"
    if _WHAT_IS_THIS.search(plain):
        return "what_is_this"
    if _ATTRIBUTE.search(plain):
        return "attribute"
    if _KIND_OF_THIS.search(plain) and not _names_things(plain):
        # What stands on a packet tells coffee from tea; a kind of dog stays a question about the dog.
        return "text" if _SORT.search(plain) else "what_is_this"
    return "object"


def text_wish(question: str) -> TextWish:
    """Returns which of the lines a question about text wants: those with digits, the tallest, or all."""
    plain = " ".join(words(question))
    if _DIGITS.search(plain):
        return "digits"
    return "tallest" if _TALLEST.search(plain) else "all"


def match_kinds(question: str) -> dict[str, float]:
    """Returns how well a question fits each kind that it fits at all: 0 to 1, 1 for a kind that it names.

    1. A wider word right after "what" or "which" ("which animal …") leaves only the kinds of that group, each with
       at least 0.2.
    2. A question that does not ask for a use ("where is the dog?", "what colour is my bed?") means the things that it
       names: the first gets 1, those named later 0.5. The longer name wins: a hot dog is no dog.
    3. Else every phrase of the kind is compared by its stems that carry meaning, weighted by their rarity in the book:
       the share of the phrase found in the question times the square root of the share of the question found in the
       phrase. The kind gets its best phrase. Names count half: a question for a use seldom names its answer. Less than
       0.35 is chance.

    Example:
        >>> match_kinds("Where is my remote control?")
        {'remote': 1.0}
    """
    plain = _WHAT_DO_WE_CALL.sub("what is", " ".join(words(question)))
    stems = tuple(stem(word) for word in plain.split())
    kinds = list(phrase_book().kinds.values())
    group = _GROUP.search(plain)
    wider = stem(group["group"]) if group else None
    if wider is not None:
        kinds = [kind for kind in kinds if kind.groups & _GROUP_OF[wider]]
    if not _ASKS_FOR_USE.search(plain):
        named = _named(stems, kinds)
        if named:
            return {name: 1.0 if place == 0 else _LATER_NAME for place, name in enumerate(named)}
    content = content_stems(plain) - {wider}
    floor = 0.0 if wider is None else _GROUP_FLOOR
    strengths = {kind.name: max(_strength(content, kind), floor) for kind in kinds}
    return {name: value for name, value in strengths.items() if value > 0}


def _names_things(plain: str) -> bool:
    stems = tuple(stem(word) for word in plain.split())
    return bool(_GROUP.search(plain) or _named(stems, list(phrase_book().kinds.values())))


def _named(stems: tuple[str, ...], kinds: list[Kind]) -> list[str]:
    """Returns the kinds whose names stand in the question, in its order, without names inside longer ones."""
    spans = [
        (start, -len(called), kind.name)
        for kind in kinds
        for called in kind.names
        for start in range(len(stems) - len(called) + 1)
        if stems[start : start + len(called)] == called
    ]
    found: dict[str, None] = {}
    end, last = 0, (-1, 0)
    # The sort is stable, so that two kinds that share a name ("glass") come in the book's order.
    for start, less, name in sorted(spans, key=lambda span: span[:2]):
        if start >= end or (start, less) == last:
            found[name] = None
            end, last = start - less, (start, less)
    return list(found)


def _strength(content: frozenset[str], kind: Kind) -> float:
    whole = phrase_book().weigh(content)
    used = max((_likeness(content, phrase, whole) for phrase in kind.uses), default=0.0)
    called = max((_likeness(content, phrase, whole) for phrase in kind.called), default=0.0)
    best = min(max(used, called / 2), 1.0)
    return best if best >= _LEAST_STRENGTH else 0.0


def _likeness(content: frozenset[str], phrase: frozenset[str], whole: float) -> float:
    book = phrase_book()
    shared = book.weigh(phrase & content)
    return shared / book.weigh(phrase) * math.sqrt(shared / whole) if shared else 0.0
