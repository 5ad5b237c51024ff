"""The one shape of the API's errors, in its answers and in its description."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema

from foveate.app.refused import RefusedError, answer, usual
from foveate.errors import FoveateError

# Of what is wrong with one request, so much is told.
_MOST_PROBLEMS = 50
_STATUSES: dict[type[Exception], int] = {Http404: 404, PermissionDenied: 403, RequestDataTooBig: 413}


class ErrorInside(Schema):
    """What went wrong.

    Attributes:
        code: A word for programs.
        message: A sentence for people.
        remedy: What they can do.
        details: What a program needs beside that.
        request_id: The number under which the server's log has it.
    """

    code: str
    message: str
    remedy: str
    details: dict[str, Any]
    request_id: str


class ErrorBody(Schema):
    """The body of every response with a status from 400 on."""

    error: ErrorInside


class FoveateAPI(NinjaAPI):
    """Ninja's API, with our errors in what it answers and in what it says of itself."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for kind in (RefusedError, FoveateError, HttpError, ValidationError, *_STATUSES):
            self.add_exception_handler(kind, _answered)
        self.add_exception_handler(Exception, _unforeseen)

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> OpenAPISchema:
        """Returns the description, where each operation says what its errors look like."""
        schema = super().get_openapi_schema(*args, **kwargs)
        components = schema.setdefault("components", {}).setdefault("schemas", {})
        error = ErrorBody.model_json_schema(ref_template="#/components/schemas/{model}")
        components.update(error.pop("$defs"), ErrorBody=error)
        refused = {
            "description": "Refused, with any status from 400 on.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
        }
        for methods in schema["paths"].values():
            for operation in methods.values():
                operation["responses"]["default"] = refused
        return schema


def _answered(request: HttpRequest, error: Any) -> HttpResponse:
    if isinstance(error, RefusedError):
        return answer(request, error)
    if isinstance(error, FoveateError):
        return answer(request, RefusedError.by(error))
    if isinstance(error, ValidationError):
        return answer(request, _not_valid(error))
    if isinstance(error, HttpError):
        return answer(request, usual(error.status_code))
    return answer(request, usual(next(status for kind, status in _STATUSES.items() if isinstance(error, kind))))


def _not_valid(error: ValidationError) -> RefusedError:
    """Says which fields are wrong, without repeating what was sent."""
    remedy = _("See the description of the API.")
    problems = [
        {"field": ".".join(str(part) for part in one["loc"][1:]), "problem": one["msg"], "remedy": remedy}
        for one in error.errors[:_MOST_PROBLEMS]
    ]
    message = "; ".join(": ".join(filter(None, (one["field"], one["problem"]))) for one in problems[:3])
    return RefusedError(422, "not_valid", f"{message}.", remedy, details={"problems": problems})


def _unforeseen(request: HttpRequest, error: Any) -> HttpResponse:
    # Django logs it and answers; what it answers is turned into our shape on the way out.
    raise error
