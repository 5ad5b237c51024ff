"""Photos as programs send them: in a form, or in JSON as base64; both ways at one address."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, TypeVar

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Schema
from ninja.errors import ValidationError
from pydantic import ValidationError as NotValid

from foveate.app.refused import RefusedError, usual

S = TypeVar("S", bound=Schema)
_FORM = "multipart/form-data"
# A body is as large as a photo; made of lists and objects alone it would be read into forty times its size.
_MOST_PARTS = 10_000


def read(request: HttpRequest, shape: type[S]) -> tuple[S, UploadedFile[Any] | bytes | None]:
    """Returns what was sent, checked, and the photo with it, if there is one.

    Raises:
        ValidationError: Something is missing or is no value of its kind.
        RefusedError: It is neither a form nor JSON (415), is not whole (400), or its base64 is none (422).
    """
    if request.content_type == _FORM:
        values: Any = request.POST.dict()
        if file := request.FILES.get("photo"):
            return _checked(shape, {**values, "photo": ""}), file
        return _with_base64(shape, values)
    if request.content_type != "application/json":
        raise RefusedError(
            415,
            "not_a_form",
            _("A photo is sent as a form (multipart/form-data) or as JSON."),
            _("See the description of the API."),
        )
    try:
        body = request.read()
        if sum(map(body.count, (b"[", b"{", b","))) > _MOST_PARTS:
            raise usual(400)
        values = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise usual(400) from error
    if not isinstance(values, dict):
        raise usual(400)
    return _with_base64(shape, values)


def description(shape: type[Schema], example: dict[str, Any]) -> dict[str, Any]:
    """Returns what the description of the API says of the body, for `openapi_extra`."""
    told = shape.model_json_schema()
    form = {**told, "properties": {**told["properties"], "photo": {"type": "string", "format": "binary"}}}
    content = {"application/json": {"schema": told, "example": example}, _FORM: {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}


def _with_base64(shape: type[S], values: dict[str, Any]) -> tuple[S, bytes | None]:
    given = values.get("photo")
    return _checked(shape, values), _decoded(given) if isinstance(given, str) else None


def _checked(shape: type[S], values: dict[str, Any]) -> S:
    try:
        return shape.model_validate(values)
    except NotValid as error:
        raise ValidationError([{**one, "loc": ("body", *one["loc"])} for one in error.errors()]) from error


def _decoded(text: str) -> bytes:
    try:
        # Of a data URL, as browsers make it, what comes after the comma.
        return base64.b64decode(text.partition(",")[2] if text.startswith("data:") else text, validate=True)
    except (binascii.Error, ValueError) as error:
        said = _("The photo is not base64.")
        raise RefusedError(422, "not_base64", said, _("Encode the bytes of its file as base64 (RFC 4648).")) from error
