"""Uploads and entries, and what happened to each."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.models import User
from foveate.app.challenges.models.challenges import Phase
from foveate.app.challenges.models.teams import Team


class Upload(models.Model):
    """A file that is being sent in parts; it goes on where it stopped. `received` bytes are on the disk.

    `sha256` is what its sender says that it will be; empty where they say nothing.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="uploads")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="uploads")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=300)
    size = models.PositiveBigIntegerField()
    received = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    begun_at = models.DateTimeField()
    touched_at = models.DateTimeField(db_index=True)


class Entry(models.Model):
    """What a team has sent to a phase. `key` is chosen by who sends, so that sending twice is sending once.

    `number` counts within the phase and never changes. `scores` is what `foveate.challenges.scoring` returned, all
    digits: nothing but the disclosure of `foveate.challenges.disclosure` may be shown of it. `main` is its main metric,
    to sort by. `problems` is what the check found, made of public
    facts. `given_back` says that it was lost by the platform's fault.
    """

    STATES: ClassVar = [
        ("waiting", _("Waiting to be checked")),
        ("checking", _("Being checked")),
        ("refused", _("Refused by the check")),
        ("queued", _("Waiting to be scored")),
        ("running", _("Running")),
        ("scoring", _("Being scored")),
        ("scored", _("Scored")),
        ("failed", _("Failed")),
        ("lost", _("Lost by the platform, given back")),
        ("withdrawn", _("Withdrawn")),
    ]

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="entries")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="entries")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    key = models.UUIDField()
    state = models.CharField(max_length=10, choices=STATES, default="waiting")
    # Below the media folder; for a reproduction the name of an image, or the file of one.
    file = models.CharField(max_length=300, blank=True)
    container = models.CharField(max_length=500, blank=True)
    file_name = models.CharField(max_length=300, blank=True)
    file_bytes = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    method = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    links = models.JSONField(default=list)
    note = models.TextField(blank=True)
    public = models.BooleanField(default=True)
    chosen = models.BooleanField(default=False)
    after_end = models.BooleanField(default=False)
    sent_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    problems = models.JSONField(default=list)
    why = models.CharField(max_length=500, blank=True)
    scores = models.JSONField(null=True)
    main = models.FloatField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["phase", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(fields=["team", "key"], name="one_entry_a_key"),
            models.UniqueConstraint(
                fields=["phase", "team"], condition=models.Q(chosen=True), name="one_chosen_entry_a_team"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["phase", "team", "sent_at"], name="entries_of_a_team"),
            models.Index(fields=["phase", "state"], name="entries_by_state"),
        ]


class EntryEvent(models.Model):
    """One thing that happened to an entry, for its team to read. Rows are only added."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField()
    what = models.CharField(max_length=40)
    said = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=dict)
