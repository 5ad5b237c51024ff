"""Pages of this app."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "admission"
urlpatterns: list[URLPattern] = []
