"""The addresses of challenges, part by part; each part's list stands in its own file."""

from foveate.app.challenges.urls import board, entries, organise, pages, reproduction, teams

app_name = "challenges"
urlpatterns = [
    *organise.FIRST,
    *pages.urlpatterns,
    *teams.urlpatterns,
    *entries.urlpatterns,
    *board.urlpatterns,
    *organise.urlpatterns,
    *reproduction.urlpatterns,
]
