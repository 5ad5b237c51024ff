"""What is known of submissions, what organisers said of them, and who is paused."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project, Submission, Task


class Checks(models.Model):
    """What an organiser has set of a project's checks, as `foveate.quality.checks.CheckSettings` says."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="checks")
    settings = models.JSONField(default=dict)


class Measured(models.Model):
    """What checks need of a submission, so that pages read numbers and no outlines.

    It is made of the submission when somebody looks, and may be deleted at any time. `compared` says whether the
    columns after it are those of all that is there now; `answer` is the number of the adjudication that it was
    compared with.
    """

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="measured")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    annotator = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="+")
    seconds = models.FloatField()
    several_questions = models.BooleanField()
    several_regions = models.BooleanField()
    cannot_draw = models.BooleanField()
    points = models.PositiveIntegerField(null=True)
    compared = models.BooleanField(default=False)
    answer = models.BigIntegerField(null=True)
    gold = models.FloatField(null=True)
    gold_same = models.BooleanField(null=True)
    peers = models.FloatField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["project", "annotator", "submission"], name="work_of_a_person"),
            models.Index(fields=["project", "compared"], name="still_to_be_compared"),
        ]


class Look(models.Model):
    """What an organiser said of a submission after looking at it. Rows are only added; the one that `stands` counts.

    `rules` are those for which it was flagged then; none where it was drawn for inspection, or looked at by the way.
    """

    VERDICTS: ClassVar = [("fine", _("Fine")), ("redo", _("To be done again")), ("aside", _("Set aside"))]

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="looks")
    verdict = models.CharField(max_length=5, choices=VERDICTS)
    word = models.CharField(max_length=500, blank=True)
    rules = models.JSONField(default=list)
    stands = models.BooleanField(default=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["submission"], condition=models.Q(stands=True), name="one_look_stands")
        ]


class Pause(models.Model):
    """A time in which a person gets no more tasks of a project; it runs until `ended_at`."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="pauses")
    annotator = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    word = models.CharField(max_length=500, blank=True)
    paused_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    paused_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "annotator"], condition=models.Q(ended_at=None), name="one_pause_at_a_time"
            )
        ]
