"""Tricky cases of a project with their history, and threads of messages between an annotator and organisers."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Task


class Case(models.Model):
    """A tricky case. What it says is in its versions, of which the newest counts; it is withdrawn, never deleted."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="cases")
    position = models.PositiveIntegerField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)


class CaseVersion(models.Model):
    """What a case said from a moment on. Rows are only added."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    text = models.TextField()
    task = models.ForeignKey(Task, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["case", "number"], name="one_version_a_number")]


class Look(models.Model):
    """When a person last looked at the tricky cases of a project."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["project", "person"], name="one_look_a_person")]


class Thread(models.Model):
    """Messages between one annotator and the organisers; about an assignment, where one is named.

    What either side has seen is the number of the newest message that was there when they looked. Organisers are one
    side: what one of them has read, they have.
    """

    STATES: ClassVar = [("open", "Open"), ("closed", "Closed")]

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="threads")
    annotator = models.ForeignKey(User, on_delete=models.PROTECT, related_name="threads")
    assignment = models.ForeignKey(Assignment, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    state = models.CharField(max_length=6, choices=STATES, default="open")
    annotator_seen = models.PositiveBigIntegerField(default=0)
    organisers_seen = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["annotator", "project"], name="threads_of_a_person")]


class Message(models.Model):
    """One message. `key` is chosen by the page, so that sending twice is sending once."""

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="messages")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    by_organiser = models.BooleanField()
    text = models.TextField()
    key = models.UUIDField(unique=True)
    sent_at = models.DateTimeField()
