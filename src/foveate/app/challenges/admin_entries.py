"""Django's admin of entries and their queue, to look and not to touch: what is done to them is on their pages."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.challenges.models import Entry, EntryEvent, Job, Upload, Worker


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    """Entries, with their scores in all digits: admins see these at any time."""

    list_display = ("phase", "number", "team", "state", "main", "sent_at", "ended_at", "public", "chosen")
    list_filter = ("state", "public")
    list_select_related = ("phase", "team")
    search_fields = ("team__name", "team__alias", "method", "sha256")


@admin.register(EntryEvent)
class EntryEventAdmin(ReadOnly):
    """What happened to entries."""

    list_display = ("entry", "at", "what", "said")
    list_filter = ("what",)
    list_select_related = ("entry",)


@admin.register(Upload)
class UploadAdmin(ReadOnly):
    """Files that are on their way."""

    list_display = ("phase", "team", "name", "size", "received", "begun_at", "touched_at")
    list_select_related = ("phase", "team")


@admin.register(Job)
class JobAdmin(ReadOnly):
    """The queue; not the numbers of leases, by which a worker may write."""

    list_display = ("pk", "kind", "state", "entry", "reference", "worker", "made_at", "began_at", "tries", "deaths")
    list_filter = ("kind", "state")
    list_select_related = ("entry", "reference", "worker")
    exclude: ClassVar = ["lease"]


@admin.register(Worker)
class WorkerAdmin(ReadOnly):
    """Processes that do jobs."""

    list_display = ("name", "kinds", "began_at", "seen_at", "stopped_at")
