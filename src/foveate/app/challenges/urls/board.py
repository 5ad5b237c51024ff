"""The addresses of leaderboards."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
