"""Pages of tricky cases and of threads."""

from __future__ import annotations

from django.urls import path

from foveate.app.talk.views import cases, threads

app_name = "talk"
urlpatterns = [
    path("projects/<slug:slug>/cases/", cases.cases, name="cases"),
    path("projects/<slug:slug>/cases/write/", cases.write_case, name="write_case"),
    path("projects/<slug:slug>/cases/<int:case>/", cases.case, name="case"),
    path("projects/<slug:slug>/cases/<int:case>/write/", cases.write_case, name="change_case"),
    path("projects/<slug:slug>/cases/<int:case>/move/", cases.move_case, name="move_case"),
    path("projects/<slug:slug>/cases/<int:case>/<int:number>.png", cases.picture, name="case_picture"),
    path("projects/<slug:slug>/questions/", threads.questions, name="project_questions"),
    path("projects/<slug:slug>/questions/ask/", threads.ask, name="ask"),
    path("projects/<slug:slug>/questions/to/<uuid:pseudonym>/", threads.write_to, name="write_to"),
    path("questions/", threads.questions, name="questions"),
    path("questions/about/<int:assignment>/", threads.write_about, name="write_about"),
    path("questions/<int:thread>/", threads.thread, name="thread"),
]
