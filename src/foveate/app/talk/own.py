"""What is held of a person in cases and threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from foveate.app.accounts.models import User
from foveate.app.talk.models import CaseVersion, Look, Message, Thread


def held_about(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns a person's threads, the messages in these and those they wrote, the cases they wrote, and their looks."""
    mine = Message.objects.filter(thread__annotator=user) | Message.objects.filter(author=user)
    threads = Thread.objects.filter(annotator=user).order_by("pk")
    written = CaseVersion.objects.filter(made_by=user).order_by("pk")
    looks = Look.objects.filter(person=user).order_by("pk")
    return {
        "threads": threads.values("id", "project__slug", "assignment__task__key", "state", "changed_at").iterator(),
        "messages": mine.order_by("pk").values("thread_id", "by_organiser", "text", "sent_at").iterator(),
        "tricky_cases": written.values("case_id", "number", "title", "text", "made_at").iterator(),
        "looks_at_tricky_cases": looks.values("project__slug", "at").iterator(),
    }
