"""What people keep of what they asked: the photo without anything else of its file, the question, and the reply."""

from __future__ import annotations

import uuid

from django.db import models

from foveate.app.accounts.models import User


class Kept(models.Model):
    """A photo, a question and its reply that a person asked to keep; theirs alone, and gone with them.

    `photo` is the name of a file below `media/ask`; its row is removed with it and it with its row. `reply` is what the
    API gave, version 1.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="kept_answers")
    photo = models.CharField(max_length=100, unique=True)
    question = models.TextField()
    reply = models.JSONField()
    kept_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["person", "kept_at"], name="kept_of_a_person"),)
