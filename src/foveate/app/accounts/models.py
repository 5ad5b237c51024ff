"""People, how they come in, what they carry, and what was done."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person with an account.

    `pseudonym` is what exported files say instead of a name. A person who leaves is made nameless, not deleted, so that
    what was submitted stays (`deleted_at`).
    """

    THEMES: ClassVar = [
        ("auto", _("As the device says")),
        ("light", _("Light")),
        ("dark", _("Dark")),
        ("contrast", _("High contrast")),
    ]

    # One name as people write it, instead of Django's two.
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(_("display name"), max_length=100, blank=True)
    pseudonym = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    theme = models.CharField(_("appearance"), max_length=8, choices=THEMES, default="auto")
    timezone = models.CharField(_("time zone"), max_length=64, blank=True)
    deactivated_why = models.CharField(_("why it was deactivated"), max_length=200, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    @property
    def shown_name(self) -> str:
        """The name to show to others."""
        return self.display_name or self.username

    def get_full_name(self) -> str:
        """Returns the name to show to others."""
        return self.shown_name

    def get_short_name(self) -> str:
        """Returns the name to show to others."""
        return self.shown_name


class Invitation(models.Model):
    """A link by which a person makes an account with a role; only a hash of its code is kept."""

    digest = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=16)
    note = models.CharField(max_length=200, blank=True)
    project = models.ForeignKey("annotate.Project", null=True, blank=True, on_delete=models.CASCADE)
    challenge = models.ForeignKey("challenges.Challenge", null=True, blank=True, on_delete=models.CASCADE)
    # Nobody, where the command line made it.
    made_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="invitations")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    uses_left = models.PositiveIntegerField(default=1)
    withdrawn_at = models.DateTimeField(null=True, blank=True)


class ApiToken(models.Model):
    """A token that a program carries instead of a person's password; only a hash is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)


class AuditEvent(models.Model):
    """One thing that was done. Rows are only ever added: the database itself refuses to change or delete one."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    actor = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=64, db_index=True)
    about = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)
    address = models.GenericIPAddressField(null=True)
