"""Pages of accounts."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from foveate.app.accounts.setup import setup

urlpatterns = [
    path("setup/<str:code>", setup, name="setup"),
    path("login/", LoginView.as_view(template_name="accounts/login.html"), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
]
