"""Pages of this app."""

from __future__ import annotations

from django.urls import path

from foveate.app.review.views import checks, gold, people

app_name = "review"
urlpatterns = [
    path("projects/<slug:slug>/checks/", checks.queue, name="queue"),
    path("projects/<slug:slug>/checks/limits/", checks.limits, name="limits"),
    path("projects/<slug:slug>/checks/inspection/", checks.inspect, name="inspect"),
    path("projects/<slug:slug>/checks/<uuid:pseudonym>/<int:number>/", checks.batch, name="batch"),
    path("projects/<slug:slug>/gold/", gold.gold, name="gold"),
    path("projects/<slug:slug>/annotators/<uuid:pseudonym>/", people.annotator, name="annotator"),
    path("projects/<slug:slug>/annotators/<uuid:pseudonym>/pause/", people.pause, name="pause"),
    path("projects/<slug:slug>/annotators/<uuid:pseudonym>/resume/", people.resume, name="resume"),
]
