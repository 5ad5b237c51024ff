"""How alike the submissions of a task are: counted once when they come in, so that pages of all tasks are quick."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from foveate.app.annotate.models import Project, Submission, Task

# Nothing can be compared: behind all that can.
NOTHING_TO_COMPARE = 2.0
# They do not even agree whether there is one region: before all that drew one.
APART_IN_STEPS = -1.0


class Pair(models.Model):
    """Two drawings of one task, and their IoU."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="pairs")
    first = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+")
    alike = models.FloatField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["first", "second"], name="one_pair_of_two")]
        indexes: ClassVar = [models.Index(fields=["project", "alike"], name="pairs_by_likeness")]


class Suspicion(models.Model):
    """Why the data set's own target of a task looks wrong, by an audit; for organisers only."""

    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="suspicion")
    rank = models.PositiveIntegerField()
    suspicion = models.FloatField(null=True)
    why = models.TextField(blank=True)
    verdict = models.CharField(max_length=10, blank=True)


class TaskAgreement(models.Model):
    """What the submissions of a task have in common.

    `differ` is the first step in which they do not say the same, empty where they do; `least` and `mean` are of the
    IoU of all pairs of drawings. `rank` sorts: those who differ in a step first, then by `least`, then what has no
    pair. `decided` says whether an adjudication stands.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="agreement")
    people = models.PositiveSmallIntegerField()
    drawn = models.PositiveSmallIntegerField()
    least = models.FloatField(null=True)
    mean = models.FloatField(null=True)
    differ = models.CharField(max_length=20, blank=True)
    rank = models.FloatField(default=NOTHING_TO_COMPARE)
    decided = models.BooleanField(default=False)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["project", "decided", "rank", "task"], name="least_alike_undecided"),
            models.Index(fields=["project", "rank", "task"], name="least_alike"),
        ]
