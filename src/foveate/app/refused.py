"""What is answered to somebody who cannot have what they asked for: one shape for programs, one page for people."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from foveate.app.frame.errors import Words, problem
from foveate.app.logs import REQUEST_ID
from foveate.errors import FoveateError, InputError, UsageError

API = "/api/"


class RefusedError(Exception):
    """A request that is understood and refused; raised by views and by the API alike.

    Args:
        status: The HTTP status, from 400 on.
        code: A word for programs: `draft_conflict`.
        message: A sentence for people.
        remedy: What they can do, a full sentence.
        details: What a program needs beside that.
        wait: After how many seconds it may be tried again.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        remedy: str = "",
        details: dict[str, Any] | None = None,
        wait: float | None = None,
    ) -> None:
        super().__init__(status, code)
        self.status, self.code, self.message, self.remedy = status, code, message, remedy
        self.details, self.wait = details or {}, wait

    @classmethod
    def by(cls, error: FoveateError) -> RefusedError:
        """Returns the refusal that one of our own errors means: 422 what was sent, else 503."""
        sent = isinstance(error, InputError | UsageError)
        return cls(422 if sent else 503, "not_valid" if sent else "unavailable", error.fault, error.remedy)


def usual(status: int) -> RefusedError:
    """Returns the refusal for a status of which nothing more is known."""
    said = {
        400: ("bad_request", _("The request cannot be understood."), _("Look at its parameters and its body.")),
        401: ("not_signed_in", _("Nobody is signed in."), _("Sign in, or send a token: Authorization: Bearer …")),
        403: ("not_allowed", _("You may not do this."), _("Sign in as somebody who may, or reload the page.")),
        404: ("not_found", _("There is nothing here."), _("Look at the address, or begin at the first page.")),
        405: ("method_not_allowed", _("This address does not take that method."), _("Look at the API's description.")),
        413: ("too_large", _("The request brings more than may be sent."), _("Send less at a time.")),
        429: ("too_many", _("That was too often."), _("Wait a little, then try again.")),
        500: ("fault", _("Something went wrong on the server."), _("Try again; tell the admin the number below.")),
        503: ("unavailable", _("The server cannot do this now."), _("Try again in a little while.")),
    }
    if status in said:
        code, message, remedy = said[status]
        return RefusedError(status, code, message, remedy)
    phrase = HTTPStatus(status).phrase
    return RefusedError(status, phrase.lower().replace(" ", "_"), f"{phrase}.")


def answer(request: HttpRequest, refused: RefusedError) -> HttpResponse:
    """Returns the response: JSON below `/api/`, a page elsewhere."""
    error = {
        "code": refused.code,
        "message": refused.message,
        "remedy": refused.remedy,
        "details": refused.details,
        "request_id": REQUEST_ID.get(),
    }
    response: HttpResponse
    if request.path.startswith(API):
        response = JsonResponse({"error": error}, status=refused.status)
    else:
        known = refused.message != usual(refused.status).message
        response = problem(request, refused.status, Words(refused.message, refused.remedy) if known else None)
    if refused.wait is not None:
        response.headers["Retry-After"] = str(max(1, round(refused.wait + 0.5)))
    return response
