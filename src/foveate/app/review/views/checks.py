"""An organiser's pages of flags: the queue, a batch, what is drawn for inspection, and the limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate.models import Project, Submission
from foveate.app.annotate.views._pages import organisers_trail
from foveate.app.refused import RefusedError
from foveate.app.review import words
from foveate.app.review.forms import ChecksForm, DecisionForm
from foveate.app.review.models import Checks, Look
from foveate.app.review.services import flagged, looks, measure
from foveate.app.review.services.flagged import Entry, settings_of

_PER_PAGE = 30
_INSPECTED = 5


@require_safe
@role_required("organiser")
def queue(request: HttpRequest, slug: str) -> HttpResponse:
    """Lists the batches that have flags, the newest first."""
    project = get_object_or_404(Project, slug=slug)
    left = measure.bring_up(project, measure.PATIENCE)
    rule, settled, who = request.GET.get("rule", ""), request.GET.get("looked") == "yes", _who(request)
    works, looked = flagged.work_of(project), flagged.looked_at(project)
    found, counts = flagged.queue(project, works, looked, rule=rule, annotator=who.pk if who else None, settled=settled)
    page = Paginator(found, _PER_PAGE).get_page(request.GET.get("page"))
    people = User.objects.in_bulk({entry.annotator for entry in page})
    times = _times([entry.submissions[-1] for entry in page])
    rows = [_row(entry, people, times, settled) for entry in page]
    chosen = {"rule": rule, "who": str(who.pseudonym) if who else "", "looked": "yes" if settled else ""}
    values = {
        "project": project,
        "page_obj": page,
        "rows": rows,
        "counts": [(name, label, counts[name]) for name, label in words.RULES.items()],
        "chosen": chosen,
        "query": urlencode({name: value for name, value in chosen.items() if value}),
        "people": User.objects.filter(pk__in=list(works)).order_by("username"),
        "inspect": len(flagged.to_inspect(project, works, looked)),
        "left": left,
        "trail": organisers_trail(project),
    }
    return render(request, "review/queue.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def batch(request: HttpRequest, slug: str, pseudonym: UUID, number: int) -> HttpResponse:
    """Shows a batch with why it is flagged, and takes what the organiser says of it."""
    project = get_object_or_404(Project, slug=slug)
    person = get_object_or_404(User, pseudonym=pseudonym)
    measure.bring_up(project, measure.PATIENCE)
    work = flagged.work_of(project, person.pk).get(person.pk)
    settings, looked = settings_of(project), flagged.looked_at(project, person.pk)
    found = flagged.entries(work, settings, looked) if work else []
    if not 0 < number <= len(found):
        raise Http404
    entry = found[number - 1]
    if request.method == "POST" and _decided(request, project, list(entry.submissions)):
        return redirect(_next(project, request.GET.urlencode()))
    meant = {entry.submissions[n - entry.batch.first] for flag in entry.open for n in flag.which}
    undecided = {number for number in meant if any(flag.rule not in looked.get(number, ()) for flag in entry.open)}
    values = {
        "project": project,
        "person": person,
        "entry": entry,
        "settings": settings,
        "flags": [(words.told(flag, entry.batch.size), flag in entry.open) for flag in entry.batch.flags],
        "rules": [flag.rule for flag in entry.open],
        "cards": _cards(entry.submissions, undecided or meant),
        "verdicts": _verdicts(),
        "before": number - 1,
        "after": number + 1 if number < len(found) else 0,
        "query": request.GET.urlencode(),
        "trail": [*organisers_trail(project), (reverse("review:queue", args=[slug]), _("Checks"))],
    }
    return render(request, "review/batch.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def inspect(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows what was drawn for inspection by hand, a few at a time, and takes what the organiser says of it."""
    project = get_object_or_404(Project, slug=slug)
    left = measure.bring_up(project, measure.PATIENCE)
    drawn = flagged.to_inspect(project, flagged.work_of(project), flagged.looked_at(project))
    if request.method == "POST" and _decided(request, project, drawn):
        return redirect("review:inspect", slug)
    values = {
        "project": project,
        "count": len(drawn),
        "cards": _cards(drawn[:_INSPECTED], set(drawn)),
        "settings": settings_of(project),
        "verdicts": _verdicts(),
        "left": left,
        "trail": [*organisers_trail(project), (reverse("review:queue", args=[slug]), _("Checks"))],
    }
    return render(request, "review/inspect.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def limits(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows and changes the limits of a project's checks."""
    project = get_object_or_404(Project, slug=slug)
    now = settings_of(project).model_dump()
    form = ChecksForm(request.POST if request.method == "POST" else None, initial=now)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            given = form.settings().model_dump()
            Checks.objects.update_or_create(project=project, defaults={"settings": given})
            changed: dict[str, Any] = {
                name: {"was": now[name], "now": value} for name, value in given.items() if value != now[name]
            }
            note(request, "project.checks_set", project.slug, **changed)
        messages.success(request, _("The limits are saved. Flags are those of the new limits."))
        return redirect("review:queue", slug)
    values = {
        "project": project,
        "form": form,
        "trail": [*organisers_trail(project), (reverse("review:queue", args=[slug]), _("Checks"))],
    }
    return render(request, "review/limits.html", values, status=422 if form.errors else 200)


def _who(request: HttpRequest) -> User | None:
    try:
        return User.objects.filter(pseudonym=UUID(request.GET.get("who", ""))).first()
    except ValueError:
        return None


def _times(numbers: Sequence[int]) -> dict[int, Any]:
    return dict(Submission.objects.filter(pk__in=numbers).values_list("pk", "sent_at"))


def _row(entry: Entry, people: dict[int, User], times: dict[int, Any], settled: bool) -> dict[str, Any]:
    flags = entry.settled if settled else entry.open
    return {
        "person": people[entry.annotator],
        "batch": entry.batch,
        "sent": times.get(entry.submissions[-1]),
        "flags": [words.told(flag, entry.batch.size) for flag in flags],
    }


def _cards(numbers: Sequence[int], meant: set[int]) -> list[dict[str, Any]]:
    sent = Submission.objects.select_related("assignment__task__project", "assignment__annotator", "measured")
    found = sent.in_bulk(list(numbers))
    standing = Look.objects.filter(submission__in=numbers, stands=True).select_related("decided_by")
    said = {look.submission_id: look for look in standing}
    return [{"sent": found[n], "meant": n in meant, "look": said.get(n)} for n in numbers if n in found]


def _verdicts() -> list[tuple[str, Any, Any, str]]:
    keys = {"fine": "f", "redo": "r", "aside": "s"}
    return [(name, word, words.VERDICTS_EXPLAINED[name], keys[name]) for name, word in words.VERDICTS.items()]


def _decided(request: HttpRequest, project: Project, shown: list[int]) -> bool:
    form = DecisionForm(request.POST, shown=shown)
    if not form.is_valid():
        messages.error(request, _("Choose at least one submission, and what is to be done with it."))
        return False
    values = form.cleaned_data
    decision = looks.Decision(values["submissions"], values["verdict"], values["word"], values["rules"])
    try:
        n = looks.decide(project, decision, person_of(request), request)
    except RefusedError as error:
        messages.error(request, error.message)
        return False
    done = ngettext("%(n)d submission: %(what)s", "%(n)d submissions: %(what)s", n)
    messages.success(request, done % {"n": n, "what": words.VERDICTS[decision.verdict]})
    return True


def _next(project: Project, query: str) -> str:
    """Returns the address of the queue as it was filtered: what was looked at is gone from it."""
    address = reverse("review:queue", args=[project.slug])
    return f"{address}?{query}" if query else address
