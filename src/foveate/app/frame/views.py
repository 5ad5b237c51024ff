"""The first page, and whether the server is well."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Shows what there is to do."""
    return render(request, "frame/home.html")


def healthz(request: HttpRequest) -> JsonResponse:
    """Says whether the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})
