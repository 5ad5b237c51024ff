"""The addresses of leaderboards."""

from __future__ import annotations

from django.urls import URLPattern, path

from foveate.app.challenges.views import board, board_slices

_BOARD = "<slug:slug>/<slug:phase>/leaderboard"
urlpatterns: list[URLPattern] = [
    path(f"{_BOARD}/", board.board, name="board"),
    path(f"{_BOARD}.csv", board.as_csv, name="board_csv"),
    path(f"{_BOARD}.json", board.as_json, name="board_json"),
    path(f"{_BOARD}/order/", board.order, name="board_order"),
    path(f"{_BOARD}/slices/", board_slices.board_slices, name="board_slices"),
    path(f"{_BOARD}/slices.json", board_slices.slices_json, name="board_slices_json"),
    path("<slug:slug>/<slug:phase>/teams/<int:team>/", board.team, name="board_team"),
]
