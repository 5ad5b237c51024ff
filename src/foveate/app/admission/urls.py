"""Pages of this app."""

from __future__ import annotations

from django.urls import path

from foveate.app.admission.views import applying, candidates, setting

app_name = "admission"
urlpatterns = [
    path("projects/<slug:slug>/admission/", applying.mine, name="mine"),
    path("projects/<slug:slug>/admission/apply/", applying.apply, name="apply"),
    path("projects/<slug:slug>/admission/go-on/", applying.go_on, name="go_on"),
    path("projects/<slug:slug>/admission/set-up/", setting.set_up, name="set_up"),
    path("projects/<slug:slug>/admission/open/", setting.set_open, name="open"),
    path("projects/<slug:slug>/admission/people/", candidates.people, name="people"),
    path("projects/<slug:slug>/admission/people/import/", candidates.import_table, name="import"),
    path("projects/<slug:slug>/admission/people/<int:pk>/", candidates.candidate, name="candidate"),
    path("projects/<slug:slug>/admission/people/<int:pk>/decide/", candidates.decide, name="decide"),
    path("projects/<slug:slug>/admission/people/<int:pk>/second-chance/", candidates.second_chance, name="again"),
]
