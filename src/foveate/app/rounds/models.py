"""Screenings: samples, the three rounds of people, and what reviewers say; `foveate.curation` says what it means."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.models import User


class Screening(models.Model):
    """A data set whose questions are screened, by rules once at the start and by people after that.

    `rules` and `settings` are as `foveate curate` takes them; `fingerprint` is of the data set's queries.
    """

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(_("title"), max_length=200)
    dataset = models.CharField(_("data set"), max_length=200)
    root = models.CharField(_("folder"), max_length=1000, blank=True)
    questions = models.CharField(_("table of questions"), max_length=1000, blank=True)
    fingerprint = models.CharField(max_length=64)
    rules = models.JSONField(default=list)
    settings = models.JSONField(default=list)
    named = models.BooleanField(_("two named reviewers"), default=True)
    closes_itself = models.BooleanField(_("a round closes itself"), default=False)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)


class Turn(models.Model):
    """One of the three rounds. At most one of a screening is open.

    `first` and `second` are its reviewers where they are named; nobody where whoever comes may review.
    """

    STATES: ClassVar = [("waiting", _("Waiting")), ("open", _("Open")), ("closed", _("Closed"))]

    screening = models.ForeignKey(Screening, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    state = models.CharField(max_length=8, choices=STATES, default="waiting")
    first = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["screening", "number"], name="one_turn_a_number"),
            models.UniqueConstraint(
                fields=["screening"], condition=models.Q(state="open"), name="one_open_turn_a_screening"
            ),
            models.CheckConstraint(condition=~models.Q(first=models.F("second")), name="two_reviewers_are_two"),
        ]


class Sample(models.Model):
    """A sample, with what the rules made of it, and where it was removed.

    The fields are those of `foveate.curation._stored.Stored`. `step` is a rule's name, or `review.` and a round's, once
    that is closed. Without a size the photo was not there when the screening was made.
    """

    screening = models.ForeignKey(Screening, on_delete=models.CASCADE, related_name="samples")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=300)
    image_name = models.CharField(max_length=500)
    height = models.PositiveIntegerField(null=True)
    width = models.PositiveIntegerField(null=True)
    question = models.TextField()
    asked = models.TextField()
    answer = models.TextField(blank=True)
    trims = models.JSONField(default=list)
    flags = models.JSONField(default=list)
    first_in = models.PositiveSmallIntegerField(default=0)
    step = models.CharField(max_length=100, blank=True)
    why = models.TextField(blank=True)
    line = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["screening", "key"], name="one_sample_a_key")]
        indexes: ClassVar = [models.Index(fields=["screening", "step", "position"], name="samples_left")]

    @property
    def project(self) -> Screening:
        """What its photo is found by (`annotate.services.photos.Pictured`)."""
        return self.screening


class Mark(models.Model):
    """What one reviewer says of one sample in one round; `place` says whose list it belongs to, the first or second.

    Nobody is the reviewer of what came from a list that nobody's name stands on.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="marks")
    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="marks")
    place = models.PositiveSmallIntegerField()
    reviewer = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    flag = models.BooleanField()
    note = models.TextField(blank=True)
    made_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "sample", "place"], name="one_mark_a_place"),
            models.UniqueConstraint(fields=["turn", "sample", "reviewer"], name="one_mark_a_reviewer"),
            models.CheckConstraint(condition=models.Q(place__in=(1, 2)), name="two_marks_a_sample"),
        ]
