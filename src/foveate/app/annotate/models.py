"""Projects, tasks, assignments, drafts and submissions; what they mean is said in `foveate.annotation`."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from foveate.annotation.kinds import KINDS, STAGES
from foveate.app.accounts.models import User


class Project(models.Model):
    """A data set, or photos, of which people make or draw something.

    `settings` holds what `foveate.annotation.kinds.ProjectSettings` says; `fingerprint` is of the data set's queries.
    """

    STATES: ClassVar = [("draft", _("Draft")), ("open", _("Open")), ("paused", _("Paused")), ("closed", _("Closed"))]

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(_("title"), max_length=200)
    kind = models.CharField(_("kind"), max_length=20, choices=[(kind, kind) for kind in KINDS])
    state = models.CharField(max_length=8, choices=STATES, default="draft")
    dataset = models.CharField(_("data set"), max_length=200)
    root = models.CharField(_("folder"), max_length=1000, blank=True)
    questions = models.CharField(_("table of questions"), max_length=1000, blank=True)
    instructions = models.TextField(_("instructions"), blank=True)
    settings = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64, blank=True)
    everyone = models.BooleanField(_("every annotator may work"), default=True)
    members: models.ManyToManyField[User, models.Model] = models.ManyToManyField(
        User, blank=True, related_name="projects"
    )
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)


class Task(models.Model):
    """A photo with a question (in a box collection first without one), and how far it has come.

    `taken` counts the assignments of its stage that are leased or submitted; it is changed in the transaction that
    changes them, and never exceeds `wanted`. A `gold` one is a question whose answer is known; it is lent beside the
    order of tasks, and has no places (`design/quality.md`).
    """

    STATES: ClassVar = [("open", _("Open")), ("done", _("Done")), ("set_aside", _("Set aside"))]

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="tasks")
    key = models.CharField(max_length=300)
    position = models.PositiveIntegerField()
    image_name = models.CharField(max_length=500)
    height = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    question = models.TextField(blank=True)
    answer = models.TextField(blank=True)
    stage = models.CharField(max_length=12, choices=[(stage, stage) for stage in STAGES])
    state = models.CharField(max_length=10, choices=STATES, default="open")
    why = models.CharField(max_length=200, blank=True)
    wanted = models.PositiveSmallIntegerField(default=1)
    taken = models.PositiveSmallIntegerField(default=0)
    gold = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "key"], name="one_task_a_key"),
            models.CheckConstraint(condition=models.Q(taken__lte=models.F("wanted")), name="no_more_than_wanted"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["project", "state", "position"], name="next_tasks"),
            models.Index(fields=["project", "state", "stage", "position"], name="next_tasks_of_a_stage"),
        ]


class Assignment(models.Model):
    """A task lent to a person until `leased_until`. A person has at most one for a task, whatever its stage."""

    STATES: ClassVar = [
        ("leased", _("Being done")),
        ("submitted", _("Submitted")),
        ("returned", _("Given back")),
        ("expired", _("Expired")),
    ]

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(User, on_delete=models.PROTECT, related_name="assignments")
    stage = models.CharField(max_length=12, choices=[(stage, stage) for stage in STAGES])
    state = models.CharField(max_length=10, choices=STATES, default="leased")
    why = models.CharField(max_length=200, blank=True)
    leased_at = models.DateTimeField()
    leased_until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["task", "annotator"], name="one_assignment_a_person")]
        indexes: ClassVar = [
            models.Index(fields=["state", "leased_until"], name="leases_that_end"),
            models.Index(fields=["annotator", "state"], name="assignments_in_hand"),
        ]


class Reach(models.Model):
    """How far a person has come in a project: no task before `position` has a free place for that person.

    It spares lending the way over all that the person has done already, and is a hint only: where nothing is left
    behind it, lending looks before it too.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    annotator = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["project", "annotator"], name="one_reach_a_person")]


class DraftVersion(models.Model):
    """One saved state of an assignment's work. A save adds a row; two that build on the same version cannot both be."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    work = models.JSONField()
    tab = models.CharField(max_length=40)
    saved_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["assignment", "version"], name="one_draft_a_version")]


class Submission(models.Model):
    """What was sent. `key` is chosen by the browser, so that sending twice is sending once."""

    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="submission")
    key = models.UUIDField(unique=True)
    work = models.JSONField()
    seconds = models.FloatField()
    sent_at = models.DateTimeField()


class Adjudication(models.Model):
    """What somebody who may decide said is the answer of a task. Rows are only added; the newest counts.

    `picked` is the submission as it was sent, `mended` was changed, `rejected` says that there is no one region, and
    `given` came with a data set. `undone` takes the decision before it back: the task has no answer again.
    `rule` is the aggregator that made what was `mended` of several drawings; empty where a person drew it.
    """

    HOW: ClassVar = [
        ("picked", _("Picked")),
        ("mended", _("Mended")),
        ("rejected", _("Rejected")),
        ("given", _("Given")),
        ("undone", _("Taken back")),
    ]

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="adjudications")
    work = models.JSONField()
    how = models.CharField(max_length=8, choices=HOW)
    picked = models.ForeignKey(Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    note = models.TextField(blank=True)
    rule = models.CharField(max_length=100, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()

    class Meta:
        get_latest_by = "pk"
