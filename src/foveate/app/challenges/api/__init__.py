"""The API of challenges, part by part; each part's router stands in its own file."""

from ninja import Router

from foveate.app.challenges.api import board, entries, pages, teams

router = Router(tags=["challenges"])
for part in (pages, teams, entries, board):
    router.add_router("", part.router)
