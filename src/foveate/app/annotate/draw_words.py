"""The sentences of the drawing page that its script says. They are written into the page, translated.

`{name}` is put in by the script. Each name is used in `web/src`, and each that is used there stands here.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from foveate.app.annotate.draw_key_words import KEY_WORDS

DRAWN_WORDS = {
    "point_set": _("Point {count} set at {x}, {y}."),
    "same_point": _("There is a point here already."),
    "too_many": _("An outline has at most {most} points."),
    "crossing": _(
        "Not possible: side {first} and side {second} would meet. An outline must not cross or touch itself."
    ),
    "put_back": _("Put back: side {first} and side {second} would meet. An outline must not touch itself."),
    "flat": _("Not possible: the outline would have no area."),
    "too_few": _("Not closed yet: there are {count} different points, an outline needs 3."),
    "closed": _("Outline closed: {count} points, {area} pixels."),
    "already_closed": _("The outline is closed already."),
    "no_holes": _(
        "Not possible: holes are not drawn, only the outer boundary counts. Move the points, or clear the outline to "
        "begin anew."
    ),
    "one_outline": _(
        "Not possible: there is one outline only, and it is closed. Move its points, or clear it to begin anew. If "
        "several separate regions are needed, say so in the steps."
    ),
    "point_moved": _("Point {number} at {x}, {y}."),
    "inserted": _("Point {number} put in; {count} points."),
    "removed": _("Point {number} removed; {count} points left."),
    "no_side_to_split": _("Choose the point after which a new one is to be put in."),
    "nothing_selected": _("No point is chosen."),
    "choose_first": _("Choose a point first."),
    "nothing_to_choose": _("Nothing is drawn yet."),
    "shape_moved": _("Moved; its first point is at {x}, {y}."),
    "at_the_edge": _("It is at the edge of the photo."),
    "nothing_to_grab": _("Nothing is drawn yet that could be moved."),
    "grabbed": _("The whole shape is held: the arrows move it."),
    "released": _("Let go."),
    "cancelled": _("Two fingers move the view; nothing was changed."),
    "undone": _("Undone; {count} more can be undone."),
    "redone": _("Done again; {count} more can be."),
    "nothing_to_undo": _("There is nothing to undo."),
    "nothing_to_redo": _("There is nothing to do again."),
    "cleared": _("Cleared. Undo brings it back."),
    "nothing_to_clear": _("There is nothing to clear."),
    "corner_set": _("First corner at {x}, {y}. Set the opposite one."),
    "box_set": _("Box from {x0}, {y0} to {x1}, {y1}: {area} pixels."),
    "box_changed": _("Box from {x0}, {y0} to {x1}, {y1}."),
    "box_too_small": _("Not possible: a box is at least one pixel wide and high."),
    "one_box": _("Not possible: there is one box only. Move its sides, or clear it to begin anew."),
    "box_needs_no_closing": _("A box needs no closing."),
    "box_has_four_sides": _("A box has its four sides: move them, or clear it."),
}
LOOKED_WORDS = {
    "crosshair_at": _("{x}, {y}"),
    "where": _("Crosshair at {x}, {y} of {width} by {height} pixels."),
    "point_chosen": _("Point {number} of {count}, at {x}, {y}. The arrows move it."),
    "handle_chosen": _("Handle {number} of {count}, at {x}, {y}. The arrows move it."),
    "zoomed": _("Zoom {percent} %."),
    "zoom_now": _("{percent} %"),
    "facts_none": _("Nothing drawn"),
    "facts_point": _("1 point"),
    "facts_open": _("{count} points, not closed · {area} px · {share} % of the photo"),
    "facts_closed": _("{count} points · {area} px · {share} % of the photo"),
    "facts_box": _("Box · {area} px · {share} % of the photo"),
    "photo_label": _("The photo, to draw on"),
    "locked": _("Nothing can be drawn just now."),
    "steps_first": _("Answer steps 1 and 2 first. Nothing is drawn where more than one question or region is there."),
    "ended_no_drawing": _("Nothing is to be drawn: a step is answered “Yes”, which ends this task."),
    "choose_draw": _("To draw, choose “Draw” in the last step."),
    "ended": _("“Yes” ends this task: nothing is to be drawn. You can submit it."),
}
SAVED_WORDS = {
    "saving": _("Saving…"),
    "saved": _("Saved {time}"),
    "offline": _("Not saved: no connection. It is kept on this computer and sent when the connection is back."),
    "offline_not_kept": _("Not saved: no connection, and this browser keeps nothing. Leave this page open."),
    "signed_out": _("Not saved: you are signed out. It is kept on this computer; sign in again, and it is sent."),
    "signed_out_not_kept": _("Not saved: you are signed out, and this browser keeps nothing. Leave this page open."),
    "conflict": _("Not saved: another tab has saved this task. Choose which version stays."),
    "lease_over": _("Not saved: the task is not yours any more. What you did is kept on this computer."),
    "not_taken": _("Not saved: the server does not take it."),
    "followed": _("Taken over from your other tab."),
    "taken_from_computer": _("Taken from this computer: it had not been sent yet."),
    "copied": _("Copied."),
    "copy_by_hand": _("This browser does not let pages copy. Copy the text from the field."),
    "not_sent": _("Not submitted."),
    "not_sent_offline": _("Not submitted: no connection. Your work is kept; submit it again when it is back."),
    "not_sent_signed_out": _("Not submitted: you are signed out. Sign in again, then submit once more."),
    "not_loaded": _("This task cannot be shown."),
    "not_loaded_offline": _("This task cannot be shown: no connection. Load the page again."),
}
PROBLEM_WORDS = {
    "step_missing_problem": _("Step {step} is not answered"),
    "step_missing_remedy": _("Answer yes or no."),
    "outcome_missing_problem": _("Nothing is drawn or chosen"),
    "outcome_missing_remedy": _("Draw, choose the whole image, or say why you cannot."),
    "box_missing_problem": _("There is no box"),
    "box_missing_remedy": _("Draw it, or choose another answer."),
    "polygon_missing_problem": _("There is no outline"),
    "polygon_missing_remedy": _("Draw it, or choose another answer."),
    "polygon_few_problem": _("The outline has {count} points, it needs 3"),
    "polygon_few_remedy": _("Set more points, and close it."),
    "polygon_open_problem": _("The outline of {count} points is not closed"),
    "polygon_open_remedy": _("Close it: by the key C, the button, or a click on its first point."),
    "reason_missing_problem": _("No reason is chosen"),
    "reason_missing_remedy": _("Choose why you cannot draw."),
    "reason_text_missing_problem": _("The reason needs a word"),
    "reason_text_missing_remedy": _("Write it in a few words."),
}
WORDS = {**DRAWN_WORDS, **LOOKED_WORDS, **SAVED_WORDS, **PROBLEM_WORDS, **KEY_WORDS}
