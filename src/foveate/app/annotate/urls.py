"""Pages of Annotate."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "annotate"
urlpatterns: list[URLPattern] = []
