"""What the rounds are called on pages; the texts themselves are those of `foveate.curation`, for one and the same."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

TITLES = {
    "several_questions": _("Several questions"),
    "several_regions": _("Several regions"),
    "answer_not_shown": _("Answer not shown"),
}
QUESTIONS = {
    "several_questions": _("Does it ask more than one question?"),
    "several_regions": _("Does the answer need more than one region?"),
    "answer_not_shown": _("Is the answer not shown in the image?"),
}
EXPLAINED = {
    "several_questions": _("A question that is only said twice is one. A yes takes the sample out."),
    "several_regions": _("Regions that touch are one. A yes takes the sample out."),
    "answer_not_shown": _("Yes, if nothing in the photo shows the answer. A yes takes the sample out."),
}
# What the page says of keys, and its script of what was done.
SCRIPT = {
    "failed": _("Not stored: the server could not be reached. Try again."),
    "keys_on": _("Keys are on"),
    "keys_off": _("Keys are off"),
}
# In the first round only the question counts.
WITH_ANSWER = frozenset({"several_regions", "answer_not_shown"})
