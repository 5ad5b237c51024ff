"""The addresses of challenges and their phases."""

from __future__ import annotations

from django.urls import URLPattern, path

from foveate.app.challenges.views import pages

urlpatterns: list[URLPattern] = [
    path("", pages.index, name="index"),
    path("<slug:slug>/", pages.overview, name="overview"),
    path("<slug:slug>/data/", pages.data, name="data"),
    path("<slug:slug>/<slug:name>/questions/", pages.download_questions, name="questions"),
    path("<slug:slug>/<slug:name>/targets/", pages.download_targets, name="targets"),
    path("<slug:slug>/<slug:name>/starter-kit/", pages.download_kit, name="kit"),
]
