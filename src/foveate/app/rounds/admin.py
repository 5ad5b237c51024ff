"""Django's admin of screenings, to look and not to touch.

What reviewers say is not in it: an admin may be one of two, who must not see what the other says.
"""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.rounds.models import Sample, Screening, Turn


@admin.register(Screening)
class ScreeningAdmin(ReadOnly):
    """Screenings."""

    list_display = ("slug", "title", "dataset", "named", "made_by", "made_at")
    search_fields = ("slug", "title")


@admin.register(Turn)
class TurnAdmin(ReadOnly):
    """Rounds."""

    list_display = ("screening", "name", "state", "first", "second", "closed_at")
    list_filter = ("state",)
    list_select_related = ("screening", "first", "second")


@admin.register(Sample)
class SampleAdmin(ReadOnly):
    """Samples."""

    list_display = ("key", "screening", "step", "question")
    list_select_related = ("screening",)
    search_fields = ("key", "question")
