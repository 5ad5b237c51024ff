"""Pages of accounts."""

from __future__ import annotations

from django.urls import path

from foveate.app.accounts.setup import setup
from foveate.app.accounts.views import invitations, log, passwords, people, profile, signing, tokens

urlpatterns = [
    path("setup/<str:code>", setup, name="setup"),
    path("login/", signing.sign_in, name="login"),
    path("logout/", signing.SignOut.as_view(), name="logout"),
    path("password/", passwords.change, name="change_password"),
    path("password/new/", passwords.choose, name="new_password"),
    path("profile/", profile.profile, name="profile"),
    path("profile/data/", profile.data, name="own_data"),
    path("profile/leave/", profile.leave, name="leave"),
    path("tokens/", tokens.mine, name="tokens"),
    path("tokens/<int:token>/withdraw/", tokens.withdraw, name="withdraw_token"),
    path("invitations/", invitations.listed, name="invitations"),
    path("invitations/<int:invitation>/withdraw/", invitations.withdraw, name="withdraw_invitation"),
    path("join/", invitations.join, name="join"),
    path("join/accept/", invitations.accept, name="accept_invitation"),
    path("people/", people.listed, name="people"),
    path("people/<int:person>/", people.person, name="person"),
    path("people/<int:person>/roles/", people.roles, name="person_roles"),
    path("people/<int:person>/deactivate/", people.deactivate, name="deactivate_person"),
    path("people/<int:person>/reactivate/", people.reactivate, name="reactivate_person"),
    path("people/<int:person>/password-link/", people.password_link, name="password_link"),
    path("log/", log.listed, name="audit_log"),
    path("log.csv", log.as_csv, name="audit_csv"),
]
