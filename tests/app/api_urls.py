"""The server's addresses, with an API beside them whose operations fail in every way that there is."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from ninja import Schema
from ninja.errors import HttpError

from foveate.app.api_auth import AUTH
from foveate.app.api_errors import FoveateAPI
from foveate.app.limits import ApiThrottle, limited
from foveate.app.refused import RefusedError
from foveate.app.urls import urlpatterns as real
from foveate.errors import InputError, UnavailableError

SECRET_WORDS = "what does my prescription say"
throttle = ApiThrottle()
api = FoveateAPI(urls_namespace="tests", auth=AUTH, throttle=throttle)


class Body(Schema):
    """Something to send."""

    count: int


@api.post("/fail/{how}", response=dict[str, Any], summary="Fail")
def fail(request: HttpRequest, how: str, body: Body) -> dict[str, Any]:
    failures: dict[str, Exception] = {
        "conflict": RefusedError(409, "draft_conflict", "It was saved elsewhere.", "Choose.", {"version": 3}),
        "input": InputError("a.csv, line 7", "it has 2 columns, 3 are needed", "Fix the file."),
        "unavailable": UnavailableError("the index", "it does not answer", "Try again."),
        "absent": Http404(SECRET_WORDS),
        "denied": PermissionDenied(SECRET_WORDS),
        "teapot": HttpError(418, "short and stout"),
        "fault": RuntimeError(SECRET_WORDS),
    }
    if how in failures:
        raise failures[how]
    return {"count": body.count}


@api.get("/who", response=dict[str, Any], summary="Who asks")
def who(request: HttpRequest) -> dict[str, Any]:
    return {"name": request.auth.username}  # type: ignore[attr-defined]


@limited("2/60")
def form(request: HttpRequest) -> HttpResponse:
    return HttpResponse("taken")


def broken(request: HttpRequest, code: str) -> HttpResponse:
    raise RuntimeError(SECRET_WORDS)


urlpatterns = [
    path("api/tests/", api.urls),
    path("form/", form),
    path("broken/<str:code>", broken),
    *real,
]
