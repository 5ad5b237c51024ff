"""The API's description as a page of ours, without a script: what the usual viewers draw, screen readers cannot use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

Schema = dict[str, Any]
# `openapi_extra` of an operation that sends a file.
_BINARY = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
A_FILE: Schema = {"responses": {200: {"description": "The file.", "content": _BINARY}}}


@dataclass(frozen=True)
class Value:
    """A parameter, or a field of an object: its name, what it is, and whether it must be there."""

    name: str
    kind: str
    text: str
    required: bool
    place: str = ""


@dataclass(frozen=True)
class Operation:
    """One call: what is sent, and what is answered by status."""

    method: str
    path: str
    summary: str
    text: str
    parameters: list[Value]
    body: str
    answers: list[tuple[str, str]] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        """The id of its heading."""
        return f"{self.method}-{self.path}".lower().replace("/", "-").replace("{", "").replace("}", "")


class Plain(DocsBase):
    """Draws the description by `frame/api.html`."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Returns the page."""
        schema = api.get_openapi_schema(path_params=kwargs)
        shapes = sorted(schema.get("components", {}).get("schemas", {}).items())
        context = {
            "info": schema["info"],
            "operations": list(operations(schema)),
            "shapes": [(name, shape.get("description", ""), fields(shape)) for name, shape in shapes],
            "source": self.get_openapi_url(api, kwargs),
        }
        return render(request, "frame/api.html", context)


def operations(schema: Schema) -> Iterator[Operation]:
    """Yields the calls in the order of their addresses."""
    for path, methods in sorted(schema["paths"].items()):
        for method, said in methods.items():
            yield Operation(
                method.upper(),
                path,
                said.get("summary", ""),
                said.get("description", ""),
                [_parameter(parameter) for parameter in said.get("parameters", [])],
                _content(said.get("requestBody", {})),
                [(status, _content(answer) or answer["description"]) for status, answer in said["responses"].items()],
            )


def fields(shape: Schema) -> list[Value]:
    """Returns the fields of an object; of anything else none."""
    required = shape.get("required", [])
    properties = shape.get("properties", {})
    return [Value(name, kind(said), said.get("description", ""), name in required) for name, said in properties.items()]


def kind(shape: Schema) -> str:
    """Returns what a value is, in few words: `array of Region`, `string or null`."""
    if "$ref" in shape:
        return str(shape["$ref"].rpartition("/")[2])
    for several in ("anyOf", "oneOf", "allOf"):
        if several in shape:
            return " or ".join(dict.fromkeys(kind(one) for one in shape[several]))
    if "enum" in shape or "const" in shape:
        return " or ".join(repr(value) for value in shape.get("enum", [shape.get("const")]))
    name = str(shape.get("type", "anything"))
    if name == "array":
        return f"array of {kind(shape.get('items', {}))}"
    return f"{name} ({shape['format']})" if "format" in shape else name


def _parameter(said: Schema) -> Value:
    text = said.get("description", "")
    return Value(said["name"], kind(said.get("schema", {})), text, said.get("required", False), said["in"])


def _content(said: Schema) -> str:
    return ", ".join(kind(body["schema"]) for body in said.get("content", {}).values() if "schema" in body)
