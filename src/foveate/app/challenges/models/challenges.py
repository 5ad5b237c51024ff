"""A challenge as it was last loaded from its folder, its phases, and the rows of its boards that are no team's."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from foveate.app.accounts.models import User


class Challenge(models.Model):
    """A challenge that was loaded from a folder. `said` is all of its definition as JSON, for pages and archives."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    folder = models.CharField(max_length=1000)
    said = models.JSONField()
    published = models.BooleanField(default=False)
    organisers: models.ManyToManyField[User, models.Model] = models.ManyToManyField(
        User, blank=True, related_name="challenges"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    loaded_at = models.DateTimeField()


class Loaded(models.Model):
    """One loading of a challenge's folder, kept: what it said, and who loaded it."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="loadings")
    said = models.JSONField()
    at = models.DateTimeField()
    # Nobody, where the command line did it.
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")


class Phase(models.Model):
    """A phase of a challenge.

    `said` is its definition as JSON (`foveate.challenges.definition.Phase`); what the database decides by stands in
    columns. `pack` names the folder of its questions and targets in the media folder, `fingerprint` what is in it; once
    `frozen_at` is set neither changes any more. `version` grows with every change that a leaderboard shows. A phase
    that a later folder no longer has is `removed`, with its entries kept.
    """

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="phases")
    name = models.SlugField(max_length=60)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    said = models.JSONField()
    start = models.DateTimeField(null=True)
    end = models.DateTimeField(null=True)
    pack = models.CharField(max_length=200, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    frozen_at = models.DateTimeField(null=True)
    removed = models.BooleanField(default=False)
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["challenge", "name"], name="one_phase_a_name")]


class ReferenceRow(models.Model):
    """A row of a leaderboard that is no team's: a paper's values, or predictions that were scored here.

    `scores` is as of an entry; None until its job has ended. `source` says where the values are from.
    """

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="references")
    name = models.CharField(max_length=200)
    source = models.CharField(max_length=1000, blank=True)
    published = models.BooleanField(default=False)
    said = models.JSONField()
    scores = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["phase", "name"], name="one_reference_a_name")]
