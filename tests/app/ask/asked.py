"""What tests of the assistant's server share: photos as files, and calls of its API."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
import PIL.Image
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

API = "/api/v1/ask"
# The tests' own method: the upper left quarter, with an answer, a score and a map; no weights.
QUICK = "slow_corner"
NAME = "my letter to Oma.jpg"
SIZE_HW = (60, 90)


def noise(size_hw: tuple[int, int] = SIZE_HW, seed: int = 7) -> Any:
    """Returns pixels of which no two are alike."""
    return np.random.default_rng(seed).integers(0, 256, (*size_hw, 3), dtype=np.uint8)


def file_of(pixels: Any, form: str = "PNG", **more: Any) -> bytes:
    out = io.BytesIO()
    PIL.Image.fromarray(pixels).save(out, form, **more)
    return out.getvalue()


def with_place(pixels: Any) -> bytes:
    """Returns a JPEG that lies on its side, and tells where it was taken, with what, and of what it was a part."""
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "SECRETCAMERA"
    exif.get_ifd(0x8825)[2] = (47.0, 4.0, 0.0)
    return file_of(pixels, "JPEG", exif=exif.tobytes(), comment=b"SECRETCOMMENT", quality=95)


def opened(content: bytes) -> Any:
    """Returns the pixels of a file, as another reader than ours has them."""
    return np.asarray(PIL.Image.open(io.BytesIO(content)).convert("RGB"))


def bring(client: Client, content: bytes | None = None, name: str = NAME) -> dict[str, Any]:
    """Sends a photo as a form; returns what is told of it."""
    response = client.post(f"{API}/photos", {"photo": SimpleUploadedFile(name, content or file_of(noise()))})
    assert response.status_code == 201, response.content
    told: dict[str, Any] = response.json()
    return told


def ask(client: Client, key: str, question: str = "What is it?", **more: Any) -> Any:
    """Asks about a photo that was sent, as JSON; returns the response."""
    body = {"question": question, "key": key, "grounder": QUICK, "wait": 20, **more}
    return client.post(API, body, content_type="application/json")


def answered(client: Client, question: str = "What is it?", **more: Any) -> dict[str, Any]:
    """Returns the reply to a question about a new photo."""
    response = ask(client, bring(client)["key"], question, **more)
    assert response.status_code == 200, response.content
    told: dict[str, Any] = response.json()
    return told


def as_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
