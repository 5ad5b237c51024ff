"""Django's admin of Annotate, to look and not to touch: what is done to projects is done on their pages, and noted."""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.annotate.models import Assignment, DraftVersion, Project, Submission, Task


@admin.register(Project)
class ProjectAdmin(ReadOnly):
    """Projects."""

    list_display = ("slug", "title", "kind", "state", "dataset", "made_by", "made_at")
    list_filter = ("state", "kind")
    search_fields = ("slug", "title")


@admin.register(Task)
class TaskAdmin(ReadOnly):
    """Tasks."""

    list_display = ("key", "project", "stage", "state", "taken", "wanted", "why")
    list_filter = ("state", "stage")
    list_select_related = ("project",)
    search_fields = ("key", "question")


@admin.register(Assignment)
class AssignmentAdmin(ReadOnly):
    """Who has which task."""

    list_display = ("task_key", "annotator", "stage", "state", "leased_at", "leased_until")
    list_filter = ("state", "stage")
    list_select_related = ("task", "annotator")

    @admin.display(description="task")
    def task_key(self, assignment: Assignment) -> str:
        """Returns the task's key."""
        return assignment.task.key


@admin.register(DraftVersion)
class DraftVersionAdmin(ReadOnly):
    """Versions of drafts."""

    list_display = ("assignment_id", "version", "tab", "saved_at")


@admin.register(Submission)
class SubmissionAdmin(ReadOnly):
    """What was sent."""

    list_display = ("assignment_id", "seconds", "sent_at")
    date_hierarchy = "sent_at"
