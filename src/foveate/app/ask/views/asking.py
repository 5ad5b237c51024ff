"""Bringing a photo and asking about it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from foveate.app.ask.forms import AskForm, QuestionForm
from foveate.app.ask.services import asking, photos
from foveate.app.ask.services import methods as offered
from foveate.app.ask.views._gate import SeeOther, asks, common, keep_style, language, style_of
from foveate.app.refused import RefusedError
from foveate.assist.desk import FullError
from foveate.errors import FoveateError, InputError


@require_http_methods(["GET", "HEAD", "POST"])
@asks
def ask(request: HttpRequest) -> HttpResponse:
    """Shows the form, and takes a photo with a question."""
    if request.method != "POST":
        form = AskForm(initial={"style": style_of(request)})
        return render(request, "ask/ask.html", {"form": form, **_sends(), **common()})
    form = AskForm(request.POST, request.FILES)
    if form.is_valid():
        _begin_session(request)
        values = form.cleaned_data
        try:
            brought = photos.bring(request, values["photo"], values["photo"].name or "", language=language())
            ticket = asking.submit(request, brought.key, values["question"], values["grounder"])
        except (RefusedError, FoveateError) as error:
            _refuse(form, error)
        else:
            return _asked(request, ticket, form, (*brought.notes, *brought.advice))
    return _refused(request, "ask/ask.html", form, _sends())


@require_http_methods(["GET", "HEAD", "POST"])
@asks
def again(request: HttpRequest, key: str) -> HttpResponse:
    """Shows a photo that is here with the form to ask about it, and takes the question."""
    photo = photos.own(request, key)
    values = {"key": key, "photo": photo}
    if request.method != "POST":
        form = QuestionForm(initial={"style": style_of(request), "question": ""})
        return render(request, "ask/again.html", {"form": form, **values, **common()})
    form = QuestionForm(request.POST)
    if form.is_valid():
        try:
            ticket = asking.submit(request, key, form.cleaned_data["question"], form.cleaned_data["grounder"])
        except (RefusedError, FoveateError) as error:
            _refuse(form, error)
        else:
            return _asked(request, ticket, form, ())
    return _refused(request, "ask/again.html", form, values)


@require_POST
@asks
def forget(request: HttpRequest, key: str) -> HttpResponse:
    """Forgets a photo and all that was asked about it."""
    photos.forget(request, key)
    return SeeOther(f"{reverse('ask:ask')}?forgotten=1")


@require_safe
@asks
def methods(request: HttpRequest) -> HttpResponse:
    """Shows every method with its card; those that are not offered are there for who opens them."""
    every = offered.methods()
    missing = [each for each in every if each.missing]
    return render(request, "ask/methods.html", {"methods": every, "missing": missing, **common()})


def _sends() -> dict[str, Any]:
    return {"sends": [each for each in offered.methods() if each.card.sends_to and not each.missing]}


def _begin_session(request: HttpRequest) -> None:
    # Who is nobody in particular has turns and photos of their own by it, and not those of their network.
    if not request.user.is_authenticated and not request.session.session_key:
        request.session.create()


def _asked(request: HttpRequest, ticket: str, form: QuestionForm, advice: tuple[str, ...]) -> HttpResponse:
    address = reverse("ask:answer", args=[ticket])
    response: HttpResponse = SeeOther(address)
    if _is_script(request):
        response = JsonResponse({"answer": address, "state": reverse("ask:state", args=[ticket]), "advice": advice})
    # A form that does not ask how leaves it as it is.
    if "style" in form.data:
        keep_style(request, response, form.cleaned_data["style"])
    return response


def _refuse(form: QuestionForm, error: RefusedError | FoveateError) -> None:
    """Puts what was refused beside the field that it is about, with what to do."""
    if isinstance(error, FullError):
        error = asking.busy(error)
    if isinstance(error, RefusedError):
        if error.code == "not_found":
            raise error
        fields = {"too_large": "file", "no_method": "grounder", "method_missing": "grounder"}
        name, said, form.status = fields.get(error.code), f"{error.message} {error.remedy}", error.status
    else:
        name, said, form.status = ("file" if isinstance(error, InputError) else "question"), str(error), 422
    form.add_error(name if name in form.fields else None, said.strip())


def _refused(request: HttpRequest, template: str, form: QuestionForm, values: dict[str, Any]) -> HttpResponse:
    status = form.status
    if _is_script(request):
        errors = {name: [str(each) for each in errors] for name, errors in form.errors.items()}
        return JsonResponse({"errors": errors}, status=status)
    return render(request, template, {"form": form, **values, **common()}, status=status)


def _is_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")
