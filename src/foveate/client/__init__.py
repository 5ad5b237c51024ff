"""A small client of a Foveate server's assistant: Python's own library only (`docs/ask-api.md`).

Example:
    >>> from foveate.client import Client
    >>> answer = Client("http://127.0.0.1:8321").ask("jar.jpg", "What is this?")  # doctest: +SKIP
    >>> print(answer.said)  # doctest: +SKIP
    >>> answer.picture("larger").save("larger.png")  # doctest: +SKIP
"""

from foveate.client._answers import Answer, Photo
from foveate.client._calls import ServerError
from foveate.client._client import Client
from foveate.client._values import Kept, Line, Method, Picture, Waiting

__all__ = ["Answer", "Client", "Kept", "Line", "Method", "Photo", "Picture", "ServerError", "Waiting"]
