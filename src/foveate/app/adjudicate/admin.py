"""Django's admin of what was compared, to look and not to touch."""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.adjudicate.models import Pair, Suspicion, TaskAgreement


@admin.register(TaskAgreement)
class TaskAgreementAdmin(ReadOnly):
    """How alike the submissions of tasks are."""

    list_display = ("task_id", "people", "drawn", "least", "mean", "differ", "decided")
    list_filter = ("decided", "differ")


@admin.register(Pair)
class PairAdmin(ReadOnly):
    """Pairs of drawings."""

    list_display = ("task_id", "first_id", "second_id", "alike")


@admin.register(Suspicion)
class SuspicionAdmin(ReadOnly):
    """Why targets look wrong."""

    list_display = ("task_id", "rank", "suspicion", "verdict", "why")
