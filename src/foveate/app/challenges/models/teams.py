"""Teams of a challenge, who is in them, and how one comes in."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from foveate.app.accounts.models import User
from foveate.app.challenges.models.challenges import Challenge


class Team(models.Model):
    """A team of a challenge; `alias` is what others read while the challenge is anonymous."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=100)
    # Folded, so that two names that look alike are one.
    key = models.CharField(max_length=200)
    alias = models.CharField(max_length=40)
    made_at = models.DateTimeField()
    disqualified_at = models.DateTimeField(null=True)
    disqualified_why = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["challenge", "key"], name="one_team_a_name"),
            models.UniqueConstraint(fields=["challenge", "alias"], name="one_team_an_alias"),
        ]


class Participant(models.Model):
    """A person who takes part in a challenge (`joined_at`), or was invited to (`invited_at`).

    `rules_digest` is the SHA-256 of the rules that they accepted, whose text the loadings keep. From `freed_at` on a
    team that they were in before no longer keeps them from another.
    """

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="participants")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="participations")
    invited_at = models.DateTimeField(null=True)
    joined_at = models.DateTimeField(null=True)
    rules_at = models.DateTimeField(null=True)
    rules_digest = models.CharField(max_length=64, blank=True)
    freed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["challenge", "person"], name="takes_part_once"),
        ]


class Membership(models.Model):
    """A person in a team, until `left_at`. In a challenge a person is in one team at a time."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="team_memberships")
    captain = models.BooleanField(default=False)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["challenge", "person"], condition=models.Q(left_at__isnull=True), name="one_team_at_a_time"
            )
        ]


class TeamInvitation(models.Model):
    """A link into a team; only a hash of its code is kept."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    uses_left = models.PositiveIntegerField(default=1)
    withdrawn_at = models.DateTimeField(null=True)
