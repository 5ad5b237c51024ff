"""A reviewer's pages: what there is to review, and one sample at a time."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role, person_of, role_required
from foveate.app.annotate.services.access import not_found
from foveate.app.refused import RefusedError
from foveate.app.rounds import words
from foveate.app.rounds.marking import (
    LONGEST_NOTE,
    mark,
    mark_of,
    open_turns,
    samples_for,
    take_back,
    to_do,
    turn_of,
    way,
)
from foveate.app.rounds.models import Sample, Screening, Turn
from foveate.app.rounds.photos import photo_of
from foveate.curation._rounds import ROUNDS
from foveate.curation._screen import reasons
from foveate.curation._stored import Stored, restored


@require_safe
@role_required("annotator", "organiser")
def screenings(request: HttpRequest) -> HttpResponse:
    """Lists what a person has to review; to organisers all screenings too."""
    person = person_of(request)
    mine = []
    for turn in open_turns(person):
        left, total = to_do(person, turn).count(), samples_for(person, turn).count()
        mine.append(
            {"turn": turn, "title": words.TITLES[turn.name], "done": total - left, "left": left, "total": total}
        )
    values = {"mine": mine, "all": _all() if has_role(person, "organiser") else None}
    return render(request, "rounds/screenings.html", values)


def _all() -> list[tuple[Screening, str]]:
    found = Screening.objects.order_by("-made_at", "slug").prefetch_related("turns")
    rows = []
    for screening in found:
        now = next((turn for turn in screening.turns.all() if turn.state == "open"), None)
        rows.append((screening, str(words.TITLES[now.name]) if now else ""))
    return rows


@require_safe
@role_required("annotator", "organiser")
def begin(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Leads to the next sample that a person has not answered; says so where there is none."""
    person = person_of(request)
    turn = turn_of(person, slug, name)
    following = to_do(person, turn).first() if turn.state == "open" else None
    if following is not None:
        return redirect("rounds:review", slug, name, following.pk)
    first = samples_for(person, turn).first()
    total = samples_for(person, turn).count()
    values = {"turn": turn, "title": words.TITLES[turn.name], "first": first, "total": total, "trail": _trail()}
    return render(request, "rounds/through.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("annotator", "organiser")
def review(request: HttpRequest, slug: str, name: str, sample: int) -> HttpResponse:
    """Shows one sample with the round's question, and takes yes or no."""
    person = person_of(request)
    turn = turn_of(person, slug, name)
    if request.method == "POST":
        return _answered(request, person, turn, sample)
    found = samples_for(person, turn).select_related("screening").filter(pk=sample).first()
    if found is None:
        # Others have answered it meanwhile, or an earlier round has taken it out.
        get_object_or_404(Sample, pk=sample, screening=turn.screening_id)
        return redirect("rounds:begin", slug, name)
    place = way(person, turn, found)
    values = {
        "turn": turn,
        "sample": found,
        "title": words.TITLES[turn.name],
        "question": words.QUESTIONS[turn.name],
        "explained": words.EXPLAINED[turn.name],
        "with_answer": turn.name in words.WITH_ANSWER,
        "reasons": _reasons(found, turn),
        "mark": mark_of(person, turn, found),
        "way": place,
        "photo": photo_of(found),
        "ahead": _ahead(place.after),
        "longest": LONGEST_NOTE,
        "words": {name: str(sentence) for name, sentence in words.SCRIPT.items()},
        "trail": _trail(),
    }
    return render(request, "rounds/review.html", values)


def _answered(request: HttpRequest, person: User, turn: Turn, number: int) -> HttpResponse:
    said = request.POST.get("flag", "")
    address = reverse("rounds:review", args=[turn.screening.slug, turn.name, number])
    if said not in ("yes", "no", "back"):
        raise not_found()
    note = request.POST.get("note", "").replace("\0", "")
    try:
        if said == "back":
            take_back(person, turn, number)
            messages.info(request, _("Your answer is taken back."))
            return redirect(address)
        mark(person, turn, number, said == "yes", note)
    except RefusedError as refused:
        if refused.code != "two_answered":
            raise
        messages.info(request, f"{refused.message} {refused.remedy}")
        return redirect("rounds:begin", turn.screening.slug, turn.name)
    return redirect(_onward(person, turn, number))


def _onward(person: User, turn: Turn, number: int) -> str:
    """Returns where somebody goes on: with the next sample in order, at the end with what is left before it."""
    numbers = list(samples_for(person, turn).values_list("pk", flat=True))
    at = numbers.index(number) if number in numbers else -1
    if 0 <= at < len(numbers) - 1 and to_do(person, turn).exists():
        return reverse("rounds:review", args=[turn.screening.slug, turn.name, numbers[at + 1]])
    return reverse("rounds:begin", args=[turn.screening.slug, turn.name])


def _reasons(sample: Sample, turn: Turn) -> list[str]:
    pairs = {"trims": sample.trims, "flags": sample.flags}
    texts = (sample.key, sample.image_name, sample.question, sample.asked, sample.answer)
    row = Stored(*texts, **pairs, step="", why="", line="", first_in=sample.first_in)
    return reasons(restored(row), ROUNDS[turn.number])


def _ahead(number: int | None) -> str:
    """Returns the photo that comes next, which a browser may fetch while somebody looks at this one."""
    found = None if number is None else Sample.objects.select_related("screening").filter(pk=number).first()
    return "" if found is None else photo_of(found)


def _trail() -> list[tuple[str, str]]:
    return [(reverse("rounds:screenings"), _("Screening"))]
