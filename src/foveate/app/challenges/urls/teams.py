"""The addresses of taking part and of teams."""

from __future__ import annotations

from django.urls import URLPattern, path

from foveate.app.challenges.views import joining, links_into, organise_teams, teams

urlpatterns: list[URLPattern] = [
    path("<slug:slug>/join/", joining.join, name="join"),
    path("<slug:slug>/team/", teams.team, name="team"),
    path("<slug:slug>/team/act/", teams.team_act, name="team_act"),
    path("<slug:slug>/team/join/", links_into.join_team, name="join_team"),
    path("<slug:slug>/organise/teams/", organise_teams.teams, name="teams"),
    path("<slug:slug>/organise/teams/<int:team>/", organise_teams.one_team, name="one_team"),
    path("<slug:slug>/organise/teams/<int:team>/act/", organise_teams.judge, name="judge_team"),
    path("<slug:slug>/organise/invitations/", organise_teams.invite, name="invite"),
    path(
        "<slug:slug>/organise/invitations/<int:invitation>/withdraw/",
        organise_teams.withdraw_invitation,
        name="withdraw_invitation",
    ),
]
