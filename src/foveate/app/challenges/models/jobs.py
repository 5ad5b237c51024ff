"""The queue: jobs, and the workers that do them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from foveate.app.challenges.models.challenges import ReferenceRow
from foveate.app.challenges.models.entries import Entry


class Worker(models.Model):
    """A process that does jobs; it is alive while `seen_at` is new."""

    name = models.CharField(max_length=200, unique=True)
    kinds = models.JSONField(default=list)
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)


class Job(models.Model):
    """Something to be done once: check and score an entry, run a container, work out intervals, score a reference row.

    It is lent to a worker until `leased_until`, prolonged while the worker lives; a lease that is over frees it.
    `tries` counts the times its own work ended badly, `deaths` the times its worker vanished. The seconds are those of
    its last try: of the check, and of the work after it.
    """

    KINDS: ClassVar = [
        ("score", _("Check and score")),
        ("reproduce", _("Run a container")),
        ("interval", _("Intervals")),
        ("reference", _("Reference row")),
    ]
    STATES: ClassVar = [
        ("waiting", _("Waiting")),
        ("running", _("Running")),
        ("done", _("Done")),
        ("given_up", _("Given up")),
    ]

    kind = models.CharField(max_length=10, choices=KINDS)
    state = models.CharField(max_length=10, choices=STATES, default="waiting")
    entry = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="jobs")
    reference = models.ForeignKey(ReferenceRow, null=True, on_delete=models.CASCADE, related_name="jobs")
    # Lower ones first; of equal ones the older.
    priority = models.SmallIntegerField(default=0)
    made_at = models.DateTimeField()
    not_before = models.DateTimeField(null=True)
    worker = models.ForeignKey(Worker, null=True, on_delete=models.SET_NULL, related_name="jobs")
    # A number that is drawn anew with every lease; who holds another may no longer write.
    lease = models.BigIntegerField(null=True)
    leased_until = models.DateTimeField(null=True)
    began_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    deaths = models.PositiveSmallIntegerField(default=0)
    stage = models.CharField(max_length=40, blank=True)
    progress = models.FloatField(default=0)
    log = models.TextField(blank=True)
    check_seconds = models.FloatField(default=0)
    work_seconds = models.FloatField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["entry", "kind"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="one_job_of_a_kind_at_a_time",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["state", "kind", "priority", "id"], name="next_jobs"),
            models.Index(fields=["state", "leased_until"], name="jobs_whose_lease_ends"),
        ]
