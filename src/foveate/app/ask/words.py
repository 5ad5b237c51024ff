"""What the pages say of turns and of time, and the sentences that their script says."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from foveate.assist.desk import Done, State, Waiting, Working

# Who hears the same sentence again knows that it goes on; shorter ones are not worth it.
_STILL, _LONG = 10, 30

# Each is used in `web/src/ask*.ts`, and each that is used there stands here.
SCRIPT = {
    "sending": gettext_lazy("Sending the photo."),
    "asking": gettext_lazy("Asking."),
    "offline": gettext_lazy("The server cannot be reached. Look at your connection, then press Ask again."),
    "lost": gettext_lazy("The answer did not come. Load this page again."),
    "too_large": gettext_lazy("The photo's file has more than {most} MiB. Choose a smaller one."),
    "copied": gettext_lazy("The answer is copied."),
    "not_copied": gettext_lazy("The browser does not copy; the answer is chosen, copy it yourself."),
    "say": gettext_lazy("Say it aloud"),
    "stop": gettext_lazy("Stop"),
    "speak": gettext_lazy("Speak the question"),
    "listening": gettext_lazy("Listening. Speak now."),
    "heard": gettext_lazy("Heard: {text}"),
    "nothing_heard": gettext_lazy("Nothing was heard. Try again, or type the question."),
    "zoomed": gettext_lazy("{percent} per cent."),
    "chosen": gettext_lazy("Chosen: {name}."),
}


def told(state: State) -> dict[str, Any]:
    """Returns how far something is, for a page and its script.

    Returns:
        `state` (`waiting`, `working`, `done` or `failed`), `said`, a sentence to be heard when it changes, and `about`,
        one to be seen beside it; both empty where it is over.
    """
    if isinstance(state, Waiting):
        return {"state": "waiting", "said": turn(state.turn), "about": about(state.about_seconds)}
    if isinstance(state, Working):
        return {"state": "working", "said": _working(state.seconds), "about": ""}
    return {"state": "done" if isinstance(state, Done) else "failed", "said": "", "about": ""}


def turn(n: int) -> str:
    """Returns a turn in words; 1 is next."""
    names = (
        _("You are next."),
        _("You are second in line."),
        _("You are third in line."),
        _("You are fourth in line."),
        _("You are fifth in line."),
    )
    return names[n - 1] if 0 < n <= len(names) else _("You are number %(n)d in line.") % {"n": n}


def about(seconds: float | None) -> str:
    """Returns about how long something takes; empty where nobody knows."""
    if seconds is None:
        return ""
    if seconds < 60:
        n = max(1, round(seconds))
        return ngettext("It takes about %(n)d second.", "It takes about %(n)d seconds.", n) % {"n": n}
    return minutes(seconds)


def minutes(seconds: float) -> str:
    """Returns a duration in whole minutes, as a sentence."""
    n = max(1, round(seconds / 60))
    return ngettext("It takes about %(n)d minute.", "It takes about %(n)d minutes.", n) % {"n": n}


def kept_for(seconds: float) -> str:
    """Returns how long a photo stays."""
    n = max(1, round(seconds / 60))
    said = ngettext(
        "The server has the photo in its memory only; %(n)d minute after you last used it, it is forgotten.",
        "The server has the photo in its memory only; %(n)d minutes after you last used it, it is forgotten.",
        n,
    )
    return said % {"n": n}


def _working(seconds: float) -> str:
    if seconds < _STILL:
        return _("Looking at the photo.")
    if seconds < _LONG:
        return _("Still looking at the photo.")
    return pgettext("at the photo", "Still looking; that takes long.")
