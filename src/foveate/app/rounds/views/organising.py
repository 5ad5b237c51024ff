"""An organiser's pages: the screenings, a new one, one with its funnel and rounds, and what is done to it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate.forms import NameFields
from foveate.app.annotate.services.access import not_found
from foveate.app.refused import RefusedError
from foveate.app.rounds import words
from foveate.app.rounds.closing import answered, assign, close, reopen
from foveate.app.rounds.differences import differences, pairs_of
from foveate.app.rounds.forms import NewScreeningForm, TwoReviewers
from foveate.app.rounds.left import left_in
from foveate.app.rounds.making import create
from foveate.app.rounds.models import Screening, Turn
from foveate.app.rounds.onward import make_project
from foveate.app.rounds.photos import thumb_of
from foveate.app.rounds.results import FILES, Result, result_of
from foveate.curation._agreement import Agreement, agreement
from foveate.errors import FoveateError

_PER_PAGE = 20
Trail = list[tuple[str, str]]


@dataclass(frozen=True)
class Round:
    """A round as the page of its screening shows it; of an open one only how far its reviewers are.

    Attributes:
        turn: The round.
        title: What it is called.
        total: How many samples it looks at; None while it waits.
        people: Of each list whose it is, and how many answers it has.
        agreement: How alike the two judged, once it is closed.
        can_reopen: Whether it is the one that was closed last.
    """

    turn: Turn
    title: str
    total: int | None
    people: list[tuple[User | None, int]]
    agreement: Agreement | None
    can_reopen: bool


def trail(screening: Screening | None = None) -> Trail:
    """Returns the way to a page below a screening."""
    steps = [(reverse("rounds:screenings"), _("Screening"))]
    return [*steps, (reverse("rounds:screening", args=[screening.slug]), screening.title)] if screening else steps


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def new(request: HttpRequest) -> HttpResponse:
    """Makes a screening."""
    form = NewScreeningForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            screening = create(form.plan(), person_of(request), request=request)
        except FoveateError as error:
            form.add_error("dataset", str(error))
        else:
            messages.success(request, _("The screening is made, and its rules have run. The first round is open."))
            return redirect("rounds:screening", screening.slug)
    values = {"form": form, "trail": trail()}
    return render(request, "rounds/new.html", values, status=422 if form.errors else 200)


@require_safe
@role_required("organiser")
def screening(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows a screening: its funnel, its rounds, and what can be taken home."""
    found = get_object_or_404(Screening.objects.select_related("made_by"), slug=slug)
    result = result_of(found)
    values = {
        "screening": found,
        "result": result,
        "paper": any(step.published.before is not None for step in result.steps),
        "rounds": _rounds(found, result),
        "files": FILES,
        "lists": (1, 2),
        "trail": trail(),
    }
    return render(request, "rounds/screening.html", values)


def _rounds(screening: Screening, result: Result) -> list[Round]:
    turns = list(screening.turns.select_related("screening", "first", "second").order_by("number"))
    last = max((turn.number for turn in turns if turn.state == "closed"), default=None)
    rounds = []
    for turn in turns:
        first, second = answered(turn) if turn.state != "waiting" else (0, 0)
        total = left_in(turn).count() if turn.state != "waiting" else None
        people = [(turn.first, first), (turn.second, second)]
        its = result.reviews.get(turn.name, ())
        alike = agreement(*its) if len(its) == 2 else None
        rounds.append(Round(turn, str(words.TITLES[turn.name]), total, people, alike, turn.number == last))
    return rounds


@require_POST
@role_required("organiser")
def change(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Closes a round, or opens it again."""
    turn = _turn(slug, name)
    act = request.POST.get("act", "")
    if act not in ("close", "reopen"):
        raise not_found()
    try:
        if act == "close":
            close(turn, unfinished="unfinished" in request.POST, request=request)
            messages.success(request, _("The round is closed. What either reviewer flagged is taken out."))
        else:
            reopen(turn, request=request)
            messages.success(request, _("The round is open again. What it had taken out is looked at again."))
    except RefusedError as refused:
        messages.error(request, f"{refused.message} {refused.remedy}")
    return redirect("rounds:screening", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def people(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Names the reviewers of a round."""
    turn = _turn(slug, name)
    form = TwoReviewers(request.POST or None, initial={"first": turn.first, "second": turn.second})
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            assign(turn, values["first"], values["second"], request=request)
        except RefusedError as refused:
            form.add_error(None, f"{refused.message} {refused.remedy}")
        else:
            messages.success(request, _("The reviewers are named."))
            return redirect("rounds:screening", slug)
    values = {"turn": turn, "title": words.TITLES[turn.name], "form": form, "trail": trail(turn.screening)}
    return render(request, "rounds/people.html", values, status=422 if form.errors else 200)


@require_safe
@role_required("organiser")
def compared(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Shows the two reviewers' answers side by side where they differ, of a round that is closed."""
    turn = _turn(slug, name)
    if turn.state != "closed":
        said = _("The round is not closed. Until then nobody sees what the reviewers say, so that each judges alone.")
        raise RefusedError(409, "round_not_closed", said, _("Close it first."))
    flagged = request.GET.get("which") == "flagged"
    page = Paginator(differences(turn, flagged=flagged), _PER_PAGE).get_page(request.GET.get("page"))
    values = {
        "turn": turn,
        "title": words.TITLES[turn.name],
        "question": words.QUESTIONS[turn.name],
        "flagged": flagged,
        "with_answer": turn.name in words.WITH_ANSWER,
        "page_obj": page,
        "pairs": [(pair, thumb_of(pair.sample)) for pair in pairs_of(turn, list(page.object_list))],
        "trail": trail(turn.screening),
    }
    return render(request, "rounds/compared.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def onward(request: HttpRequest, slug: str) -> HttpResponse:
    """Makes a project of what is left."""
    found = get_object_or_404(Screening, slug=slug)
    begin = {"title": found.title, "slug": found.slug}
    form = NameFields(request.POST if request.method == "POST" else None, initial=begin)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            project = make_project(found, values["slug"], values["title"], person_of(request), request=request)
        except FoveateError as error:
            form.add_error(None, str(error))
        else:
            done = _("The project is made, with %(n)d tasks. Look at its settings, then open it.")
            messages.success(request, done % {"n": project.tasks.count()})
            return redirect("annotate:project", project.slug)
    left = found.samples.filter(step="")
    values = {
        "screening": found,
        "form": form,
        "kept": left.count(),
        "without": left.filter(height=None).count(),
        "unfinished": found.turns.exclude(state="closed").count(),
        "trail": trail(found),
    }
    return render(request, "rounds/onward.html", values, status=422 if form.errors else 200)


def _turn(slug: str, name: str) -> Turn:
    return get_object_or_404(
        Turn.objects.select_related("screening", "first", "second"), screening__slug=slug, name=name
    )
