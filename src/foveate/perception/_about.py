"""Which words of a question say what to look for, and which answers it offers itself."""

from __future__ import annotations

import re

from foveate.perception._question_words import COLOURS as _COLOURS
from foveate.perception.matching import named_spans
from foveate.perception.split_questions import Part

_PHOTO = r"(?:picture|photo|image|photograph|pic)\b"
_BE = "(?:is|are|was|were|s)"
_OF = "(?:of|on|for|in|from)"
_PROPERTY = (
    r"colou?rs?|name|title|brand|price|cost|value|date|number|flavou?r|scent|model|make|size|design|pattern|shape|time|text|"
    r"words|label|temperature|amount|ingredients|instructions|directions|author|logo|picture|photo|image|kind|type|sort|style|"
    r"setting|settings|writing|message"
)
# "Is the cat on the bed?" is about the cat.
_SUBJECT = (
    r"^(?:is|are|was|were|does|do|did|has|have) "
    rf"(?P<rest>(?:the|my|your|our|his|her|their) (?!(?:{_PROPERTY}|word)\b).+)"
)
# The first frame that fits says where the words for the thing begin.
_FRAMES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:what|which|whats) colou?rs? (?P<rest>(?!{_BE}\b|of|do|does|am|can)\w.*?) (?:{_BE}|do|does|am i|i)\b",
        rf"\bcolou?rs? (?:{_BE}|isn|aren|do|does|would)(?: (?:it|they))? (?P<rest>.+)",
        r"\bhow many (?:different |kinds of |types of )?(?P<rest>.+)",
        r"\b(?:number of|count) (?P<rest>.+)",
        r"^where (?:is|are|s|was|were|can i find|do i find|did i put) (?P<rest>.+)",
        # "Where's the cat", of which only "where the cat" is left, and "(tell me) where the cat is".
        r"^where (?P<rest>(?:the|my|our)(?: \w+){1,2})$",
        rf"^where (?P<rest>(?:the|my|our) .+?) {_BE}(?: located)?(?: in (?:this|the) {_PHOTO})?$",
        r"^(?:is|are|was|were|isn|aren) there (?:also )?(?P<rest>.+)",
        rf"^(?:does|do|did|doesn|don) (?:this|the|that|my) {_PHOTO} (?:not )?(?:have|show|contain|include|depict) "
        r"(?P<rest>.+)",
        r"^(?:do|can|did|could|don|didn) (?:you|i|we|u) (?:not )?(?:see|have|find|spot|read|make out) "
        r"(?:if |where |what )?(?P<rest>.+)",
        rf"\b(?:{_PROPERTY}) {_OF} (?P<rest>.+)",
        r"\bwhat (?:do|does|did) (?P<rest>.+?) (?:say|says|read|mean|show|look|looks|cost|taste|smell)\b",
        rf"\b(?:what|which) (?:{_PROPERTY}|breed)(?: of)? (?P<rest>(?!{_BE}\b|of|do|does)\w.*?)"
        rf"(?: {_BE}\b| do\b| does\b|$)",
        rf"\b(?:what|which) (?:{_PROPERTY}|breed) {_BE} (?P<rest>.+)",
        _SUBJECT,
        rf"\b(?:in|on|inside) (?P<rest>(?:this|the|that|my|these|those) (?!{_PHOTO}).+)",
        r"^(?:find|locate|point (?:at|to)|show(?: me)?|describe|read|identify|explain)(?: to me)? (?P<rest>.+)",
        rf"^(?:what|which|whose) (?P<rest>(?!{_BE}\b).+?) (?:{_BE}) (?:this|that|these|those|it)\b",
        rf"^(?:what|which|how|when|why|whats) (?:(?:{_BE}|does|do) )?(?P<rest>(?:the|my|this|that|these|those) .+)",
    )
)
# What stands after the thing may be said of it: "is the shirt dirty".
_CLOSED_FRAME = re.compile(
    r"^(?:is|are|was|were|will|would|should|if|whether|isn|aren|does|do|has|have|did) (?P<rest>.+)"
)
_DETERMINERS = frozenset(
    re.findall(
        r"\w+",
        """
        a an the this that these those my your his her our their its any some one all each every other another
        currently actually there no not only just neither
        """,
    )
)
# Words at which a noun phrase ends.
_ENDS = frozenset(
    re.findall(
        r"\w+",
        """
        is are was were be been being does do did has have had can could will would should may might of on in at by
        with from for to into onto near under behind beside above below over inside outside next and or but if that
        which who what where when how this these those there it they i you we he she say says said look looks looking
        like as please than about around left right up down off not go goes going visible need needs today here yet
        still called show shows anywhere somewhere wearing holding sitting standing lying set turned open closed
        without nor
        """,
    )
)
_MOST_WORDS = 4
_NO_THINGS = frozenset(
    re.findall(r"\w+", "picture photo image photograph pic question one thing item object something anything")
)
_PART_OF = re.compile(
    r"\b(?:pair|pairs|piece|pieces|kinds?|types?|sorts?|set|part|side|front|back|top|bottom|rest) of "
)
_NUMBER = r"(?:\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_AT_LEAST = re.compile(
    r"^(?:any |no |not |only |just )*(?:(?:(?:more|fewer|less) than|over|under|at least|at most|up to|exactly) \w+ "
    rf"|{_NUMBER} or (?:more|fewer|less) |{_NUMBER} )"
)
# "Is the cat orange": after a thing, that is its colour and no fruit; so is "blue" of what has no name here.
_ITS_COLOUR = re.compile(rf"(?<=\w) (?:{_COLOURS})$")
_NO_CHOICE = re.compile(rf"\b{_NUMBER} or (?:more|fewer|less)\b")
_IT = re.compile(r"\b(?:it|they|its)\b")
_SAID_BEFORE = re.compile(r"\b(?:is|are|this|it|have|holding|got) (?P<rest>(?:an?|my|some|the|two|of) .+)$")
_ARTICLE = re.compile(r"^(?:an?|the|my|some|any) ")
_OR = re.compile(r"(?P<left>(?:\w+ )+?)or (?:is (?:it|this) |are (?:they|these) )?(?P<right>.+)$")


def about(part: Part, before: str = "") -> str:
    """Returns the words for the thing that a question is about; empty for "this", and for a description of it.

    A thing that the book names ends them, so that "is the shirt dirty" is about the shirt. "It" means what the last
    question was about, or what was said before: "I know this is a keyboard, but what color is it?".

    Args:
        part: The question.
        before: What the last question was about.
    """
    for frame in (*_FRAMES, _CLOSED_FRAME):
        found = frame.search(part.plain)
        if found:
            noun = _noun(found["rest"], to_last_name=frame.pattern in {_SUBJECT, _CLOSED_FRAME.pattern})
            return noun or _meant(part, before)
    return _meant(part, before) if _IT.search(part.plain) else ""


def choices(plain: str) -> tuple[str, ...]:
    """Returns the two answers that a question offers: ("green", "blue") of "is this shirt green or blue"."""
    found = _OR.search(plain)
    if not found or _NO_CHOICE.search(plain):
        return ()
    left = _cut(found["left"].split()[-3:], reverse=True)
    # "shirt green or blue": the thing is no part of the choice.
    named = left[:-1] if left[1:] and left[-1] == "orange" else left
    stops = [span.stop for span in named_spans(named)]
    left = left[stops[-1] :] if stops and stops[-1] < len(left) else left
    right = _cut(_ARTICLE.sub("", found["right"]).split()[:3])
    return (" ".join(left), " ".join(right)) if left and right else ()


def _noun(rest: str, *, to_last_name: bool = False) -> str:
    """Returns the words of the thing at the beginning of a text, without its article; empty if there is none."""
    tokens = _PART_OF.sub("", _AT_LEAST.sub("", rest)).split()
    while tokens and tokens[0] in _DETERMINERS:
        tokens = tokens[1:]
    tokens = _cut(tokens)
    if to_last_name:
        tokens = _ITS_COLOUR.sub("", " ".join(tokens)).split()
    if to_last_name or len(tokens) > _MOST_WORDS:
        stops = [span.stop for span in named_spans(tokens)]
        tokens = tokens[: stops[-1]] if stops else tokens
    return "" if len(tokens) > _MOST_WORDS or set(tokens) & _NO_THINGS else " ".join(tokens)


def _meant(part: Part, before: str) -> str:
    if before and _IT.search(part.plain):
        return before
    found = _SAID_BEFORE.search(part.before)
    noun = _noun(found["rest"]) if found else ""
    return noun if noun and named_spans(noun.split()) else ""


def _cut(tokens: list[str], *, reverse: bool = False) -> list[str]:
    """Returns the words up to the first that ends a noun phrase; from the other end if reversed."""
    stops = _ENDS | _DETERMINERS
    kept: list[str] = []
    for token in reversed(tokens) if reverse else tokens:
        if token in stops:
            break
        kept.append(token)
    return kept[::-1] if reverse else kept
