"""Pages of this app."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "rounds"
urlpatterns: list[URLPattern] = []
