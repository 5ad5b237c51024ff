"""The addresses of challenges and their phases."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
