"""The addresses of uploads and entries."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
