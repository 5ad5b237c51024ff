"""The sentence encoder and EfficientNet-Lite2 written a second time, in PyTorch, as witnesses of our own graphs.

    python -m tests.reference.torch_witness

writes what they give into `torch_outputs.json`, for computers without PyTorch; made with PyTorch 2.13.0 on the CPU.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.datasets.photos import members
from foveate.sources.images import FileImage
from foveate.sources.pinned import fetch
from foveate.sources.weights import file_path

STORED = Path(__file__).with_name("torch_outputs.json")
SENTENCES = (
    "The new movie is awesome",
    "What do we use to keep the rain off?",
    "umbrella",
    "Where in the photo is the thing that people sit on when they read a newspaper, drink tea and talk?",
)
LITE2 = "efficientnet-lite2-9656183e.pth"
# Those whose outputs are stored; all are large enough.
PHOTOS = ("coffee.png", "chelsea.png", "astronaut.png", "motorcycle_left.png")


def middles() -> dict[str, NDArray[np.float32]]:
    """Returns the middle 260 x 260 pixels of four demo photos as the network takes them; nothing is resized."""
    found = {}
    for member, path in fetch([member for member in members() if member.name in PHOTOS]).items():
        pixels = FileImage(path).load()
        top, left = ((side - 260) // 2 for side in pixels.shape[:2])
        part = pixels[top : top + 260, left : left + 260].astype(np.float32)
        found[member.name] = np.ascontiguousarray(((part - 127) / 128).transpose(2, 0, 1)[None], dtype=np.float32)
    return found


def lite2_state() -> dict[str, Any]:
    """Returns the saved arrays as PyTorch reads them."""
    import torch

    return dict(torch.load(file_path("efficientnet_lite2", LITE2), weights_only=True, map_location="cpu"))


def lite2(photo: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the probabilities ``(1000,)`` of one photo ``(1, 3, 260, 260)``."""
    import torch
    from torch.nn import functional

    state = lite2_state()

    def layer(x: Any, kernel: str, norm: str, stride: int = 1, *, clip: bool = True, groups: int = 1) -> Any:
        weight = state[f"{kernel}.weight"]
        size = weight.shape[-1]
        # TensorFlow's SAME: what is needed for ceil(side / stride) windows, the odd pixel last.
        wanted = max((-(-x.shape[-1] // stride) - 1) * stride + size - x.shape[-1], 0)
        first = wanted // 2
        x = functional.pad(x, (first, wanted - first, first, wanted - first))
        x = functional.conv2d(x, weight, stride=stride, groups=groups)
        mean, variance, gain, bias = (state[f"{norm}.{p}"] for p in ("running_mean", "running_var", "weight", "bias"))
        x = functional.batch_norm(x, mean, variance, gain, bias, eps=1e-3)
        return functional.relu6(x) if clip else x

    # Kernel size and stride are those of the paper's table 1; three numbers of blocks grow by 1.2, see the builder.
    strides = [1] + [2, 1, 1] + [2, 1, 1] + [2, 1, 1, 1] + [1, 1, 1, 1] + [2, 1, 1, 1, 1] + [1]
    with torch.no_grad():
        x = layer(torch.from_numpy(photo), "_conv_stem", "_bn0", 2)
        for place, stride in enumerate(strides):
            name, taken = f"_blocks.{place}.", x
            if f"{name}_expand_conv.weight" in state:
                x = layer(x, f"{name}_expand_conv", f"{name}_bn0")
            x = layer(x, f"{name}_depthwise_conv", f"{name}_bn1", stride, groups=x.shape[1])
            x = layer(x, f"{name}_project_conv", f"{name}_bn2", clip=False)
            x = x + taken if x.shape == taken.shape else x
        x = layer(x, "_conv_head", "_bn1").mean(dim=(2, 3))
        logits = functional.linear(x, state["_fc.weight"], state["_fc.bias"])
        return np.asarray(functional.softmax(logits, dim=-1)[0].numpy())


def sentence(text: str) -> NDArray[np.float32]:
    """Returns the vector ``(384,)`` of one sentence."""
    import torch
    from tokenizers import Tokenizer
    from torch.nn import functional

    from foveate.formats.safetensors import read_safetensors

    tokenizer = Tokenizer.from_file(str(file_path("all_minilm_l6_v2", "tokenizer.json")))
    tokenizer.no_padding()
    numbers = read_safetensors(file_path("all_minilm_l6_v2", "model.safetensors"))
    state = {name: torch.from_numpy(array.copy()) for name, array in numbers.items()}
    ids = torch.tensor(tokenizer.encode(text).ids)

    def dense(x: Any, name: str) -> Any:
        return functional.linear(x, state[f"{name}.weight"], state[f"{name}.bias"])

    def norm(x: Any, name: str) -> Any:
        return functional.layer_norm(x, (384,), state[f"{name}.weight"], state[f"{name}.bias"], 1e-12)

    x = functional.embedding(ids, state["embeddings.word_embeddings.weight"])
    x = x + state["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + state["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for place in range(6):
        name = f"encoder.layer.{place}."
        heads = [
            dense(x, f"{name}attention.self.{part}").view(len(ids), 12, 32).transpose(0, 1)
            for part in ("query", "key", "value")
        ]
        mixed = functional.scaled_dot_product_attention(*heads).transpose(0, 1).reshape(len(ids), 384)
        x = norm(x + dense(mixed, f"{name}attention.output.dense"), f"{name}attention.output.LayerNorm")
        wide = functional.gelu(dense(x, f"{name}intermediate.dense"))
        x = norm(x + dense(wide, f"{name}output.dense"), f"{name}output.LayerNorm")
    return np.asarray(functional.normalize(x.mean(dim=0), dim=0).numpy())


def main() -> None:
    """Writes the outputs: whole vectors of the sentences, the ten highest probabilities of the photos."""
    photos = {name: lite2(photo) for name, photo in middles().items()}
    highest = {name: np.argsort(-chances)[:10].tolist() for name, chances in photos.items()}
    told = {
        "sentences": {text: [round(float(value), 6) for value in sentence(text)] for text in SENTENCES},
        "photos": {
            name: {str(place): round(float(photos[name][place]), 6) for place in places}
            for name, places in highest.items()
        },
    }
    STORED.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
