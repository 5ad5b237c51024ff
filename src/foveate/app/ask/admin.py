"""Django's admin of kept answers: how many and whose, never what is in them."""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.ask.models import Kept


@admin.register(Kept)
class KeptAdmin(ReadOnly):
    """Kept answers, without photo, question and reply."""

    list_display = ("pk", "person", "kept_at")
    list_select_related = ("person",)
    fields = ("id", "person", "kept_at")
    date_hierarchy = "kept_at"
