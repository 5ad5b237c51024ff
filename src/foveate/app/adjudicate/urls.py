"""Pages of this app."""

from __future__ import annotations

from django.urls import path

from foveate.app.adjudicate.views import agreement, decide, queue

app_name = "adjudicate"
urlpatterns = [
    path("projects/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("projects/<slug:slug>/agreement/compare/", agreement.compare, name="compare"),
    path("projects/<slug:slug>/adjudicate/", queue.queue, name="queue"),
    path("projects/<slug:slug>/adjudicate/<int:pk>/", decide.decide, name="decide"),
    path("projects/<slug:slug>/adjudicate/<int:pk>/picture.png", decide.picture, name="picture"),
]
