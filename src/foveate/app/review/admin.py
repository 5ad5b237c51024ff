"""Django's admin of the checks, to look and not to touch."""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.review.models import Look, Pause


@admin.register(Look)
class LookAdmin(ReadOnly):
    """What organisers said of submissions."""

    list_display = ("submission_id", "verdict", "word", "stands", "decided_by", "decided_at")
    list_filter = ("verdict", "stands")
    list_select_related = ("decided_by",)


@admin.register(Pause)
class PauseAdmin(ReadOnly):
    """Who gets no more tasks of which project."""

    list_display = ("annotator", "project", "paused_by", "paused_at", "ended_at")
    list_select_related = ("annotator", "project", "paused_by")
