"""The words that pages of adjudication say for codes, and the sentences that their script says."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WHICH: dict[str, Promise] = {
    "all": _("All"),
    "below": _("Drawings that are not alike enough"),
    "steps": _("People differ in the steps"),
}
DECIDED: dict[str, Promise] = {"no": _("Not decided yet"), "yes": _("Decided"), "any": _("Both")}
DIFFER: dict[str, Promise] = {
    "several_questions": _("whether more than one question is asked"),
    "several_regions": _("whether more than one region is needed"),
    "drawn": _("whether it can be drawn"),
}
ALPHA_OF: dict[str, Promise] = {
    "regions": _("The regions"),
    "several_questions": _("Whether more than one question is asked"),
    "several_regions": _("Whether more than one region is needed"),
    "drawn": _("Whether it can be drawn"),
}
ALPHA_HOW: dict[str, Promise] = {
    "boxes": _("boxes, all pairs"),
    "boxes_sampled": _("boxes, a sample of pairs"),
    "masks": _("masks on a grid, all pairs"),
    "masks_sampled": _("masks on a grid, a sample of pairs"),
    "answers": _("the same or not"),
    "too_few": _("too few tasks: told from %(n)d on"),
    "undefined": _("not defined: too few of the same tasks, or all the same"),
}
HOW: dict[str, Promise] = {
    "picked": _("Picked"),
    "mended": _("Mended"),
    "rejected": _("Rejected: no one region"),
    "given": _("The data set’s own target"),
}
# What the script of the page says; `{name}` is put in by it. Each name is used in `web/src/adjudicate*.ts`.
SAID: dict[str, Promise] = {
    "choice": _("Chosen: {letter}, {said}. Enter confirms."),
    "choice_none": _("Nothing is chosen yet."),
    "choice_mended": _("Chosen: {letter}, mended. Enter confirms; M goes on mending."),
    "choice_drawn": _("Chosen: what you draw. Enter confirms; M goes on drawing."),
    "choice_rejected": _("Chosen: rejected, {why}. Enter confirms."),
    "cannot_be_chosen": _("{letter} cannot be chosen: {why}"),
    "no_such": _("There is no {letter} here."),
    "mending": _("You are changing {letter}. The keys of the drawing page work on the photo; M ends it."),
    "mending_new": _("Draw the region. The keys of the drawing page work on the photo; M ends it."),
    "mend_first": _("To change an outline, choose it and press M."),
    "not_whole": _("The outline is not finished: close it, or press M to go on."),
    "shown_all": _("All outlines are shown."),
    "hidden_all": _("All outlines are hidden."),
    "shown_one": _("{letter} is shown."),
    "hidden_one": _("{letter} is hidden."),
    "names_shown": _("Who drew what is shown."),
    "names_hidden": _("Who drew what is hidden."),
    "choose_answer": _("Choose first: a letter, M to mend, or R to reject."),
    "deciding": _("Saving…"),
    "decided": _("Decided: {key}."),
    "taken_back": _("The decision is taken back; the task has no answer."),
    "refused": _("Not decided."),
    "not_decided_offline": _("Not decided: no connection. Try again when it is back."),
    "not_decided_signed_out": _("Not decided: you are signed out. Sign in in another tab, and try again."),
    "gold_now": _("The task is a gold question now."),
    "gold_no_more": _("The task is no gold question any more."),
    "gold_needs_decision": _("Decide first: a gold question needs an answer."),
    "nothing_to_take_back": _("There is no decision of yours to take back."),
    "no_more": _("There is no other task in this list."),
    "unsaved": _("You have not confirmed what you changed. Press the key again to go on without it."),
    "photo_of_task": _("The photo with all outlines"),
    "meanwhile": _("{who} has decided meanwhile: {how}."),
    "how_picked": _("picked"),
    "how_mended": _("mended"),
    "how_rejected": _("rejected"),
    "how_given": _("the data set’s own target"),
    "how_undone": _("taken back"),
}
