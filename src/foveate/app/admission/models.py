"""Admissions, who applies, and their attempts; what they mean is said in `foveate.quality.qualification`."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Adjudication, Project, Task


class Admission(models.Model):
    """How people come to work on a project: what they must have done before, gold questions, trial tasks.

    `settings` holds what `foveate.quality.qualification.AdmissionSettings` says. Qualification and trial are projects
    of their own, whose members are those who are in them now.
    """

    project = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="admission")
    qualification = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="qualifies_for")
    trial = models.OneToOneField(Project, on_delete=models.PROTECT, null=True, blank=True, related_name="trial_for")
    settings = models.JSONField(default=dict)
    open = models.BooleanField(_("people may apply"), default=False)
    note = models.TextField(_("what people are told"), blank=True)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)


class Candidate(models.Model):
    """A person in an admission. What they say of themselves and what was imported about them is kept apart.

    Failed attempts up to the number `forgiven` do not count any more.
    """

    STATES: ClassVar = [
        ("requirements", _("Requirements")),
        ("qualification", _("Qualification")),
        ("trial", _("Trial")),
        ("waiting", _("Waiting for a decision")),
        ("admitted", _("Admitted")),
        ("refused", _("Not admitted")),
        ("failed", _("Not qualified")),
    ]

    admission = models.ForeignKey(Admission, on_delete=models.CASCADE, related_name="candidates")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="candidacies")
    state = models.CharField(max_length=13, choices=STATES, default="requirements")
    declared = models.JSONField(null=True, blank=True)
    imported = models.JSONField(null=True, blank=True)
    imported_at = models.DateTimeField(null=True, blank=True)
    applied_at = models.DateTimeField(null=True, blank=True)
    met_at = models.DateTimeField(null=True, blank=True)
    qualified_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.TextField(blank=True)
    forgiven = models.BigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["admission", "person"], name="one_candidacy_a_person"),
        ]


class Attempt(models.Model):
    """A work that was sent for a gold question, and what of it differs from gold. Rows are only added.

    `faults` are codes of `foveate.quality.gold`; none where it was accepted. `iou` is that of the regions, where there
    are two. Neither is told to the person.
    """

    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="attempts")
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="+")
    gold = models.ForeignKey(Adjudication, on_delete=models.CASCADE, related_name="+")
    work = models.JSONField()
    faults = models.JSONField(default=list)
    iou = models.FloatField(null=True, blank=True)
    seconds = models.FloatField()
    at = models.DateTimeField()
