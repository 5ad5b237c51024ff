"""Where the pages of asking lie, under `/ask/`."""

from __future__ import annotations

from django.urls import path

from foveate.app.ask.views import answers, asking, further, kept, pictures

app_name = "ask"
urlpatterns = [
    path("", asking.ask, name="ask"),
    path("methods/", asking.methods, name="methods"),
    path("photos/<str:key>/", asking.again, name="again"),
    path("photos/<str:key>/forget/", asking.forget, name="forget"),
    path("photos/<str:key>/picture", pictures.photo, name="photo"),
    path("answers/<str:ticket>/", answers.answer, name="answer"),
    path("answers/<str:ticket>/state", answers.state, name="state"),
    path("answers/<str:ticket>/keep/", kept.keep, name="keep"),
    path("answers/<str:ticket>/larger/", further.larger, name="larger"),
    path("answers/<str:ticket>/hide/<slug:what>/", further.hide, name="hide"),
    path("answers/<str:ticket>/text/", further.text, name="text"),
    path("answers/<str:ticket>/why/", further.why, name="why"),
    path("answers/<str:ticket>/picture/<slug:kind>", pictures.picture, name="picture"),
    path("kept/", kept.kept, name="kept"),
    path("kept/<uuid:number>/remove/", kept.remove, name="remove"),
]
