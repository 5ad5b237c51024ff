"""What keys are called, and what they do on the drawing page. Which key does what stands in `web/src/keys.ts`."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

KEY_WORDS = {
    "or": pgettext_lazy("between two keys", "or"),
    "key_arrows": _("Arrows"),
    "key_shift": _("Shift"),
    "key_ctrl": _("Ctrl"),
    "key_alt": _("Alt"),
    "key_enter": _("Enter"),
    "key_tab": _("Tab"),
    "key_delete": _("Delete"),
    "key_backspace": _("Backspace"),
    "key_escape": _("Escape"),
    "does_cursor": _("Move the crosshair, the chosen point or the held shape by one pixel of the screen"),
    "does_cursor_far": _("The same by ten pixels of the screen"),
    "does_cursor_pixel": _("The same by one pixel of the photo"),
    "does_pan": _("Move the view"),
    "does_set": _("Set a point at the crosshair; on the first point, close the outline; let go of a chosen point"),
    "does_close": _("Close the outline"),
    "does_next": _("Choose the next point or handle (Tab goes on after the last)"),
    "does_previous": _("Choose the one before"),
    "does_insert": _("Put a point in after the chosen one"),
    "does_remove": _("Remove the chosen point, or the last one"),
    "does_grab": _("Hold the whole shape, to move it; again: let go"),
    "does_release": _("Let go of what is chosen or held; what is drawn stays"),
    "does_undo": _("Undo"),
    "does_redo": _("Do again what was undone"),
    "does_clear": _("Clear all that is drawn (it can be undone)"),
    "does_zoom_in": _("Zoom in, at the crosshair"),
    "does_zoom_out": _("Zoom out"),
    "does_fit": _("Show the whole photo"),
    "does_full_size": _("Show each pixel of the photo as one of the screen"),
    "does_where": _("Say where the crosshair is"),
    "does_keys": _("Show these keys"),
    "does_instructions": _("Show the instructions (on the whole page)"),
}
