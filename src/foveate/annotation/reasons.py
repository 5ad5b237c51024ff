"""Why somebody cannot draw the region of an answer: ten choices, the last of which needs a text.

The first paper offers its ten commonest reasons. Its list was not at hand here; these cover the four that its page
names (the answer is not shown, the text is cut off, the answer is wrong, nothing hints at it) and what photos that
blind people take are known to suffer from.
"""

from __future__ import annotations

from collections.abc import Mapping

from foveate.annotation._marked import gettext_noop as _

OTHER = "other"
REASONS: Mapping[str, str] = {
    "not_shown": _("What the answer is about is not in the photo"),
    "cut_off": _("It is cut off at the edge of the photo"),
    "answer_wrong": _("The answer is wrong (say the right one)"),
    "no_clue": _("Nothing in the photo leads to the answer"),
    "blurred": _("The photo is too blurred to see it"),
    "too_dark": _("The photo is too dark or too bright to see it"),
    "covered": _("A finger or something else covers it"),
    "question_unclear": _("The question cannot be understood"),
    "answer_unclear": _("The answer cannot be understood, or does not answer the question"),
    OTHER: _("Another reason (say which)"),
}
# With these a text is needed.
WITH_TEXT = frozenset({"answer_wrong", OTHER})
