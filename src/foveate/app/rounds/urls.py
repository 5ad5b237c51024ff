"""Pages of screenings."""

from __future__ import annotations

from django.urls import path

from foveate.app.rounds import photos
from foveate.app.rounds.views import files, organising, reviewing

app_name = "rounds"
urlpatterns = [
    path("screenings/", reviewing.screenings, name="screenings"),
    path("screenings/new/", organising.new, name="new"),
    path("screenings/photos/<int:sample>/<slug:version>/<slug:rendering>", photos.photo, name="photo"),
    path("screenings/<slug:slug>/", organising.screening, name="screening"),
    path("screenings/<slug:slug>/files/<str:name>", files.file, name="file"),
    path("screenings/<slug:slug>/project/", organising.onward, name="onward"),
    path("screenings/<slug:slug>/<slug:name>/", reviewing.begin, name="begin"),
    path("screenings/<slug:slug>/<slug:name>/<int:sample>/", reviewing.review, name="review"),
    path("screenings/<slug:slug>/<slug:name>/change/", organising.change, name="change"),
    path("screenings/<slug:slug>/<slug:name>/people/", organising.people, name="people"),
    path("screenings/<slug:slug>/<slug:name>/compared/", organising.compared, name="compared"),
    path("screenings/<slug:slug>/<slug:name>/take/", files.take_list, name="take_list"),
    path("screenings/<slug:slug>/<slug:name>/list<int:place>.csv", files.list_file, name="list"),
]
