"""The page of the API's description says all that the description says."""

from __future__ import annotations

import pytest
from django.test import Client

from foveate.app.api import api
from foveate.app.api_docs import fields, kind


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"type": "string", "format": "uuid"}, "string (uuid)"),
        ({"$ref": "#/components/schemas/Region"}, "Region"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Region"}}, "array of Region"),
        ({"anyOf": [{"type": "number"}, {"type": "null"}, {"type": "number"}]}, "number or null"),
        ({"enum": ["box", "polygon"]}, "'box' or 'polygon'"),
        ({"const": 1}, "1"),
        ({}, "anything"),
    ],
)
def test_what_a_value_is_is_said_in_few_words(shape: dict[str, object], words: str) -> None:
    assert kind(shape) == words


def test_fields_say_whether_they_must_be_there() -> None:
    shape = {"properties": {"a": {"type": "string"}, "b": {"type": "null"}}, "required": ["a"]}
    assert [(value.name, value.required) for value in fields(shape)] == [("a", True), ("b", False)]


@pytest.mark.django_db
def test_every_call_and_every_shape_is_on_the_page(client: Client) -> None:
    schema = api.get_openapi_schema()
    page = client.get("/api/v1/docs").content.decode()
    assert "<script" not in page
    for path, methods in schema["paths"].items():
        for method, said in methods.items():
            assert f"<code>{method.upper()} {path}</code></h2>" in page
            assert all(f"<dt>{status}</dt>" in page for status in said["responses"])
    for name in schema["components"]["schemas"]:
        assert f'id="shape-{name}"' in page
