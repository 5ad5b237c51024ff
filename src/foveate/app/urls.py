"""Where everything lies."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from foveate.app.accounts.views.signing import admin_sign_in
from foveate.app.api import api
from foveate.app.challenges.metrics import metrics
from foveate.app.frame import style, themes, views
from foveate.app.health import healthz

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
    path("theme/", themes.choose, name="theme"),
    path("style/", style.style, name="style"),
    path("style/<int:status>/", style.style_error, name="style-error"),
    path("accounts/", include("foveate.app.accounts.urls")),
    path("annotate/", include("foveate.app.annotate.urls")),
    path("annotate/", include("foveate.app.admission.urls")),
    path("annotate/", include("foveate.app.review.urls")),
    path("annotate/", include("foveate.app.adjudicate.urls")),
    path("annotate/", include("foveate.app.rounds.urls")),
    path("annotate/", include("foveate.app.talk.urls")),
    path("challenges/", include("foveate.app.challenges.urls")),
    path("ask/", include("foveate.app.ask.urls")),
    path("api/v1/", api.urls),
    path("admin/login/", admin_sign_in),
    path("admin/", admin.site.urls),
]

handler400 = "foveate.app.frame.errors.bad_request"
handler403 = "foveate.app.frame.errors.forbidden"
handler404 = "foveate.app.frame.errors.not_found"
handler500 = "foveate.app.frame.errors.server_error"
