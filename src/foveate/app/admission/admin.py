"""Django's admin of admissions, to look and not to touch."""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.admission.models import Admission, Attempt, Candidate


@admin.register(Admission)
class AdmissionAdmin(ReadOnly):
    """Admissions."""

    list_display = ("project", "qualification", "trial", "open", "made_by", "made_at")
    list_select_related = ("project", "qualification", "trial", "made_by")


@admin.register(Candidate)
class CandidateAdmin(ReadOnly):
    """Who applies."""

    list_display = ("person", "admission_id", "state", "applied_at", "qualified_at", "finished_at", "decided_at")
    list_filter = ("state",)
    list_select_related = ("person",)


@admin.register(Attempt)
class AttemptAdmin(ReadOnly):
    """Attempts at gold questions."""

    list_display = ("candidate_id", "task_id", "faults", "iou", "seconds", "at")
    date_hierarchy = "at"
