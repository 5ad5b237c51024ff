"""Yes or no about what is written: whether the text says something, and whether there is any."""

from __future__ import annotations

import re
from dataclasses import replace

from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.negations import stated
from foveate.grounders._pocket.reasons import missing
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.texts import NO_TEXT, find_said, read_all, read_instead
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import content_stems

_TEXT = r"(text|texts|writing|words?|letters|lettering|print|printing|label|labels|anything written)"
_ANY_TEXT = re.compile(
    rf"^(is|are) there (also )?(any |a |some )?{_TEXT}( (on|in) .*| here| visible)?$"
    rf"|^(do|can|does) \w+ (see|read|have) (any |a |some )?{_TEXT}( (on|in) .*| here)?$"
    r"|^(is|are) (something|anything) (written|printed)\b"
)
_SAYS = re.compile(
    r"\b(?:say|says|said|mention|mentions|mentioned|read|reads|spell|spells|written|printed|the words?)"
    r"(?: that| about| the words?| the number)* (?P<said>(?!(?:on|in|at|here|there|it)\b).+)$"
)
_TRAILING = re.compile(r"(?: (?:on|in|there|here|at|anywhere|somewhere)\b.*| is| mentioned| written| printed)+$")
_THIS_IS = re.compile(r"^(?:is|are|was|were) (?:it|this|that|these|those|they)(?: an?| the| my| some)? (?P<said>.+)$")
_READS_IT = "pocket reads this here."
_NOT_SAID = missing("pocket reads text in this photo, but not these words.", "these words")
_NOT_ON_IT = "pocket reads this here, but not what is asked for; that does not rule it out."


def find(seen: Seen, asked: Asked) -> Finding | None:
    """Returns whether something is written in the photo, and where; None for a question about something else."""
    plain, denied = stated(unwrapped(asked.text))
    found = _find(seen, asked, plain)
    if not (found and found.answer and denied):
        return found
    if found.answer == "yes":
        return replace(found, answer=None, reason=_READS_IT, answer_score=None)
    return replace(found, answer="no text" if _ANY_TEXT.search(plain) else None)


def _find(seen: Seen, asked: Asked, plain: str) -> Finding | None:
    if _ANY_TEXT.search(plain):
        found = read_all(seen, asked.text)
        return replace(found, answer="yes", reason=None) if found else Finding("no", (), NO_TEXT)
    if "text" not in asked.skills and "mention" not in plain:
        return None
    says = _SAYS.search(plain)
    if says:
        return _says(seen, _TRAILING.sub("", f"{says['said']}"))
    this_is = _THIS_IS.search(plain)
    return _is_labelled(seen, asked.text, this_is["said"]) if this_is else None


def _says(seen: Seen, said: str) -> Finding:
    found = all_said(seen, said)
    if found:
        return replace(found, answer="yes", reason=None)
    return Finding("no", (), _NOT_SAID, others=read_instead(seen)) if seen.lines else Finding(None, (), NO_TEXT)


def _is_labelled(seen: Seen, question: str, said: str) -> Finding:
    """A thing that is what it is called by its label; the lack of the word proves nothing."""
    found = all_said(seen, said)
    if found:
        return replace(found, answer="yes", reason=None)
    read = read_all(seen, question)
    return replace(read, answer=None, reason=_NOT_ON_IT, answer_score=None) if read else Finding(None, (), NO_TEXT)


def all_said(seen: Seen, said: str) -> Finding | None:
    """Returns the text in which all words of a phrase stand that carry meaning, or None."""
    found = find_said(seen, said)
    if not found:
        return None
    there = content_stems(" ".join(region.label or "" for region in found.regions))
    return found if content_stems(said) <= there else None
