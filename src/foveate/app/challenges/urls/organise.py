"""The addresses of the organiser."""

from __future__ import annotations

from django.urls import URLPattern, path

from foveate.app.challenges.views import organise

# `challenges/load/` comes before `challenges/SLUG/`, and no challenge is called so.
FIRST: list[URLPattern] = [
    path("load/", organise.load, name="load"),
    path("load/<slug:token>/", organise.look, name="look"),
]
urlpatterns: list[URLPattern] = [
    path("<slug:slug>/organise/", organise.organise, name="organise"),
    path("<slug:slug>/organise/people/", organise.people, name="people"),
    path("<slug:slug>/organise/load/", organise.reload, name="reload"),
]
