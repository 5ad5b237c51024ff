"""Pages of Annotate."""

from __future__ import annotations

from django.urls import URLPattern, path

from foveate.app.annotate import draw, photos

app_name = "annotate"
# The version in a photo's address makes it the address of this very photo, whatever has its task's number later.
urlpatterns: list[URLPattern] = [
    path("work/<int:assignment>/", draw.work, name="work"),
    path("photos/<int:task>/<slug:version>/<slug:rendering>", photos.photo, name="photo"),
    path("photos/<int:task>/<slug:version>/tiles/<int:level>/<int:column>_<int:row>", photos.tile, name="tile"),
]
