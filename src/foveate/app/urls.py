"""Where everything lies."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from foveate.app.api import api
from foveate.app.frame import views
from foveate.app.health import healthz

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("accounts/", include("foveate.app.accounts.urls")),
    path("annotate/", include("foveate.app.annotate.urls")),
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
]
