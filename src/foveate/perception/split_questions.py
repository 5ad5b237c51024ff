"""Several questions in one: the parts of what a person says, and which of them ask."""

from __future__ import annotations

import re
from dataclasses import dataclass

from foveate.perception.words import words

_WORD = r"(?:what|which|who|whose|where|when|why|how)"
_VERB = r"(?:is|are|was|were|does|do|did|has|have|will|would|can|could|should|am)"
_WHOM = r"(?:this|that|these|those|it|they|he|she|there|the|my|your|i|we|you|any|anything|someone)"
_YOU = r"(you|u|someone|somebody|anyone|anybody|i)"
# What goes on about the same thing is no new question: "… and which is kept outside", "… and has it".
_ASKS = (
    rf"(?:(?!which (?:is|are|has|have)\b){_WORD}(?:'?s|'?re)?\b"
    rf"|(?!ha[sv]e?\b){_VERB} {_WHOM}\b"
    r"|(?:if|whether) (?:this|that|it|they|there|the)\b)"
)
# "Dr. Pepper" and "2.5" are no ends of sentences.
_SENTENCE = re.compile(r"[?!;\n]+|(?<!\bdr)(?<!\bmr)(?<!\bst)\.(?!\w)|\bquestion mark\b", re.IGNORECASE)
_AND = r"\b(?:and|but|also|plus)\b,?\s+(?:also |then |please |if so,? |for )?"
_JOINT = re.compile(rf",?\s*{_AND}(?={_ASKS})", re.IGNORECASE)
_COMMA = re.compile(rf",\s*(?:please )?(?={_ASKS})", re.IGNORECASE)
# Begun and broken off, or a mere "can you tell me?".
_BARE = re.compile(
    rf"^({_WORD}s?( {_VERB})?( the| a| an| of)?|{_VERB}( this| it| that| the| a)?|what uh|how about( now)?"
    r"|(can|could|would|will) (you|someone)( (tell|help|describe)( it)?( to)?( me)?)?"
    r"|if (you|i)\b.*|if (so|not|yes|possible))$"
)
_COURTESY = (
    r"(hi|hello|hey|there|ok|okay|alright|please|so|yes|yeah|no|well|right|now|um|uh|just|sorry|again|or|and|but|also|"
    r"thanks|thank you|very much|so much|good (morning|evening|afternoon)|excuse me|oh|anyway|for me)"
)
_POLITE_START = re.compile(rf"^({_COURTESY} )+")
_POLITE_END = re.compile(rf"( {_COURTESY}| have a \w+ day| if you can)+$")
# "Can you tell me what …", "I would like to know if …", "I wonder where …".
_EMBEDDED = re.compile(
    rf"^(?!{_WORD}\b)([a-z0-9]+ ){{0,9}}?"
    r"(tell|know|see|say|wonder|wondering|curious|sure|determine|out|read|identify|describe|show|idea|check|find|explain)"
    rf" ((me|us|to|please|for|exactly|like) ){{0,3}}(?=({_WORD}|if|whether)\b)"
)
_TELL_ME = re.compile(
    r"^((can|could|would|will) (you|someone|anyone|i)|i (need|want|like)( you)? to|do you|please)?( please)?"
    r"( be able to)? ?((tell|give) (me|us)|know|get) (?=(the|this|that|my|its|a)\b)"
)
_COULD_YOU = re.compile(
    rf"^((can|could|would|will) {_YOU}( guys)?|are you able to|i (need|want|like)( you)? to|do you)"
    r"( please| kindly| possibly| also| just)* "
    r"(?=(describe|read|identify|explain|count|find|give|tell|show|help|list)\b)"
)
_LITTLE = re.compile(r"\b(is|are|s) ")
_REQUEST = re.compile(r"\b(tell|describe|description|read|identify|know|wondering|need|find|looking for|count)\b")
_QUESTION = re.compile(rf"^({_ASKS}|(if|whether|{_VERB})\b)|\b(what|which|where|whats|how)\b")
# Nobody asks longer; and the patterns take quadratic time.
_MOST_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class Part:
    """One question out of what a person said.

    Attributes:
        text: As it was said.
        plain: Its words, without courtesies and without "can you tell me".
        before: The words that were said before it, for what "it" means.
    """

    text: str
    plain: str
    before: str = ""


def split_questions(said: str) -> tuple[Part, ...]:
    """Returns the questions in what a person said, in its order: at least one, each once.

    Statements beside a question ("I am blind. I know it is a can, but …") are left out, and kept only as what was said
    before. Where nothing asks, the whole is one question.

    Example:
        >>> [part.plain for part in split_questions("Hi. What is this, and what color is it? Thank you.")]
        ['what is this', 'what color is it']
    """
    parts: list[Part] = []
    before: list[str] = []
    weaker: list[Part] = []
    said = said[:_MOST_CHARACTERS].replace("’", "'")
    for piece in _pieces(said):
        part = Part(piece, unwrapped(piece), " ".join(before))
        if _QUESTION.search(part.plain):
            parts.append(part)
        elif _REQUEST.search(part.plain):
            weaker.append(part)
        before.append(part.plain)
    parts = [part for part in parts if not _BARE.search(part.plain)] or parts or weaker
    return _each_once(parts) or (Part(said.strip(), unwrapped(said)),)


def unwrapped(said: str) -> str:
    """Returns the words of a question without courtesies and without "can you tell me".

    Example:
        >>> unwrapped("Hi, could you please tell me what this is? Thank you!")
        'what this is'
    """
    plain = " ".join(words(said))
    short = _POLITE_END.sub("", _POLITE_START.sub("", plain + " ").strip())
    short = _COULD_YOU.sub("", _TELL_ME.sub("", _EMBEDDED.sub("", short)))
    return short or plain


def _pieces(said: str) -> list[str]:
    pieces = [said]
    for between in (_SENTENCE, _JOINT, _COMMA):
        pieces = [part.strip(" ,") for piece in pieces for part in between.split(piece) if part and words(part)]
    return pieces


def _each_once(parts: list[Part]) -> tuple[Part, ...]:
    """Returns the parts without those said again, or broken off and begun anew ("What is, what is this?")."""
    kept: dict[str, Part] = {}
    for part in parts:
        # "What's the name" has lost its verb.
        key = _LITTLE.sub("", f"{part.plain} ")
        for earlier in [plain for plain in kept if key.startswith(plain)]:
            del kept[earlier]
        kept[key] = part
    return tuple(kept.values())
