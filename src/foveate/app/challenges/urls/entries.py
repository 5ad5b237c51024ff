"""The addresses of uploads and entries."""

from __future__ import annotations

from django.urls import URLPattern, path

from foveate.app.challenges.views import entering, entries

_ENTRY = "<slug:slug>/<slug:phase>/entries/<int:number>/"
urlpatterns: list[URLPattern] = [
    path("<slug:slug>/entries/", entries.entries, name="entries"),
    path("<slug:slug>/<slug:phase>/enter/", entering.enter, name="enter"),
    path(_ENTRY, entries.entry, name="entry"),
    path(_ENTRY + "file/", entries.file, name="entry_file"),
    path(_ENTRY + "act/", entering.act, name="entry_act"),
    path(_ENTRY + "describe/", entering.describe, name="describe"),
]
