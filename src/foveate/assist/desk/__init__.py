"""A desk at which many people ask few processes: fair turns, warm methods, photos in memory for a while."""

from foveate.assist.desk.desk import Desk
from foveate.assist.desk.more_works import DrawMap, FindPrivate
from foveate.assist.desk.reading import PhotoReader
from foveate.assist.desk.settings import DeskSettings
from foveate.assist.desk.states import Done, Failed, FullError, GoneError, Request, State, Waiting, Working
from foveate.assist.desk.works import AskWork, ReadText, Work

__all__ = [
    "AskWork",
    "Desk",
    "DeskSettings",
    "Done",
    "DrawMap",
    "Failed",
    "FindPrivate",
    "FullError",
    "GoneError",
    "PhotoReader",
    "ReadText",
    "Request",
    "State",
    "Waiting",
    "Work",
    "Working",
]
