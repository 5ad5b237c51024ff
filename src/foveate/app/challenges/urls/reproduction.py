"""The addresses of containers."""

from __future__ import annotations

from django.urls import URLPattern, path

from foveate.app.challenges.views import reproduction

urlpatterns: list[URLPattern] = [
    path("<slug:slug>/<slug:phase>/reproduce/", reproduction.reproduce, name="reproduce"),
    path("<slug:slug>/<slug:phase>/containers/", reproduction.containers, name="containers"),
    path("<slug:slug>/<slug:phase>/containers/<int:number>/log/", reproduction.container_log, name="container_log"),
]
