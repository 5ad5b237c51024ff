"""The words that pages say for what the database keeps as codes."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

STAGES: dict[str, Promise] = {
    "grounding": _("Three steps and a polygon"),
    "ask": _("Ask a question"),
    "box": _("Draw the box"),
    "polygon": _("Draw the polygon"),
    "verify": _("Verify the box"),
}
KINDS: dict[str, Promise] = {
    "grounding": _("Grounding"),
    "box_collection": _("Box collection"),
    "reannotation": _("Re-annotation"),
}
# As `foveate.evaluation.verdicts.VERDICTS`.
AUDITED: dict[str, Promise] = {
    "": _("Any"),
    "wrong": _("Wrong"),
    "unsure": _("Unsure"),
    "right": _("Right"),
}
ACTS: dict[str, Promise] = {"open": _("Open"), "pause": _("Pause"), "close": _("Close")}
ASKED: dict[str, Promise] = {
    "open": _("Annotators who may work on it will see it and can take tasks."),
    "pause": _("Nobody can take or send a task until it is opened again. Drafts are kept, and can still be saved."),
    "close": _("Nobody can take or send a task any more, unless it is opened again. What was sent is kept."),
}
# What is said when a project has come into a state.
AFTER: dict[str, Promise] = {
    "open": _("The project is open: annotators can take tasks."),
    "paused": _("The project is paused: nobody can take a task. Drafts are kept."),
    "closed": _("The project is closed. What was sent can be exported."),
}
OUTCOMES: dict[str, Promise] = {
    "polygon": _("Polygon"),
    "box": _("Box"),
    "whole_image": _("Whole image"),
    "cannot_draw": _("Cannot draw"),
    "several_questions": _("More than one question is asked"),
    "several_regions": _("More than one region is needed"),
    "asked": _("Question asked"),
    "nothing": _("Nothing to ask about"),
    "right": _("Right"),
    "box_wrong": _("The box is wrong"),
    "several_answers": _("Several answers are right"),
    "no_answer": _("The photo does not show the answer"),
    "question_wrong": _("The question is wrong"),
}
# Why a task was set aside, where that is not the outcome's own word.
WHY: dict[str, Promise] = {
    "not_verified": _("Nobody said whether the box is right"),
    "box_wrong": _("Too many boxes were found wrong"),
}
# The five choices of somebody who verifies a box.
VERDICTS: dict[str, Promise] = {
    "right": _("Yes: it is the one right answer, and the box fits"),
    "box_wrong": _("The question is good, but the box is around something else or does not fit"),
    "several_answers": _("Several objects are right answers"),
    "no_answer": _("Nothing in the photo is the answer"),
    "question_wrong": _("The question cannot be understood, or asks for no object"),
}
KINDS_EXPLAINED: dict[str, Promise] = {
    "grounding": _("Grounding: three steps and a polygon for the answer"),
    "box_collection": _("Box collection: ask about a photo, draw the box, verify it"),
    "reannotation": _("Re-annotation: draw an existing data set again, blind to its targets"),
}
FORMS: dict[str, Promise] = {
    "submissions": _("Submissions, as they were sent (JSON lines, nothing lost)"),
    "jsonl": _("Samples as JSON lines (nothing lost)"),
    "parquet": _("Samples as Parquet (nothing lost)"),
    "csv": _("Samples as CSV, for boxes"),
    "vizwiz": _("VizWiz Answer Grounding: official JSON and PNG masks"),
    "vizwiz_crowd": _("Results as the original VizWiz tool wrote them"),
    "toloka": _("CSV of the Toloka cup"),
    "coco": _("COCO"),
    "labelme": _("labelme"),
    "via": _("VGG Image Annotator (VIA)"),
    "yolo": _("YOLO"),
    "hf": _("Hugging Face data set"),
    "run": _("A run, so that people are scored as a method is"),
}
# The aggregators of this package, and the two rules that are none; those of other packages bring their own titles.
RULES: dict[str, Promise] = {
    "": _("The usual rule of the form"),
    "larger": _("The larger region, as in the first paper"),
    "first": _("The first region"),
    "best_agreement": _("The region that agrees best with the others"),
    "majority": _("The pixels that more than half of the people marked"),
    "staple": _("What is probably right, by how far each person can be trusted (STAPLE)"),
    "union": _("All that anybody marked"),
    "intersection": _("What everybody marked"),
    "median_box": _("A box of the medians of all sides"),
    "all": _("All regions, of which any counts"),
    "verified": _("The box that was verified"),
}
FLAGS: dict[str, Promise] = {
    "any": _("when any person says that there is no one region"),
    "all": _("only when all say so"),
}
# What a page says of its saving, by the names of `web/src/status.ts`.
SAVING: dict[str, Promise] = {
    "saving": _("Saving …"),
    "saved": _("Saved {time}"),
    "offline": _("Not saved: no connection. It is kept on this computer, and sent when the connection is back."),
    "offline_not_kept": _("Not saved: no connection, and this browser keeps nothing. Do not close the page."),
    "signed_out": _("Not saved: you are signed out. It is kept on this computer."),
    "signed_out_not_kept": _("Not saved: you are signed out, and this browser keeps nothing. Do not close the page."),
    "conflict": _("Another tab or computer has saved this task. Press “Save for now” to choose which is kept."),
    "lease_over": _("The time for this task is over."),
    "not_taken": _("The server does not take this:"),
}
