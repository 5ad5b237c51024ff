"""Django's admin of tricky cases, to look and not to touch. Messages are letters, and are read on their own pages."""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.talk.models import CaseVersion, Thread


@admin.register(CaseVersion)
class CaseVersionAdmin(ReadOnly):
    """What cases say, and said."""

    list_display = ("title", "case_id", "number", "made_by", "made_at")
    list_select_related = ("made_by",)
    search_fields = ("title",)


@admin.register(Thread)
class ThreadAdmin(ReadOnly):
    """Threads, without what is said in them."""

    list_display = ("pk", "project", "annotator", "state", "changed_at")
    list_filter = ("state",)
    list_select_related = ("project", "annotator")
