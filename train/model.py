"""BERT as a cross-encoder with a scoring head after every layer.

Layer l scores a (query, passage) pair by heads.weight[l] . h_l[CLS] +
heads.bias[l], h_l being the layer's output. The last layer's score is the
model's; those before it tell early which passages cannot win.

The forward pass is written out rather than taken from a library for one
reason: of the last layer only the [CLS] row is read, so all but keys and
values of the other rows is left out, a seventh of the work.
"""

import json
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

EPSILON = 1e-12


class Layer(nn.Module):
    """One post-norm transformer layer, attention and feed-forward."""

    def __init__(self, width: int, inner: int, heads: int):
        super().__init__()
        self.heads = heads
        self.query_key_value = nn.Linear(width, 3 * width)
        self.attention_output = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, EPSILON)
        self.inner = nn.Linear(width, inner)
        self.output = nn.Linear(inner, width)
        self.output_norm = nn.LayerNorm(width, EPSILON)

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor | None, first_only: bool) -> torch.Tensor:
        """Maps hidden [batch, tokens, width]; first_only computes row 0 alone."""
        batch, _, width = hidden.shape
        rows = hidden[:, :1] if first_only else hidden
        if first_only:
            weight, bias = self.query_key_value.weight, self.query_key_value.bias
            query = F.linear(rows, weight[:width], bias[:width])
            key, value = F.linear(hidden, weight[width:], bias[width:]).chunk(2, dim=-1)
        else:
            query, key, value = self.query_key_value(hidden).chunk(3, dim=-1)

        def split(x: torch.Tensor) -> torch.Tensor:
            return x.view(batch, -1, self.heads, width // self.heads).transpose(1, 2)

        # Not scaled_dot_product_attention: its backward pass takes half of a
        # whole training step on a processor, these products a tenth.
        scores = split(query) @ split(key).transpose(2, 3) * (width // self.heads) ** -0.5
        mixed = torch.softmax(scores if mask is None else scores + mask, dim=-1) @ split(value)
        mixed = mixed.transpose(1, 2).reshape(batch, -1, width)
        rows = self.attention_norm(rows + self.attention_output(mixed))
        return self.output_norm(rows + self.output(F.gelu(self.inner(rows))))


class CrossEncoder(nn.Module):
    """Scores pairs after every layer."""

    def __init__(self, config: dict):
        super().__init__()
        width = config["hidden_size"]
        self.config = config
        self.word = nn.Embedding(config["vocab_size"], width)
        self.position = nn.Embedding(config["max_position_embeddings"], width)
        self.segment = nn.Embedding(config["type_vocab_size"], width)
        self.norm = nn.LayerNorm(width, EPSILON)
        count = config["num_hidden_layers"]
        self.layers = nn.ModuleList(
            Layer(width, config["intermediate_size"], config["num_attention_heads"]) for _ in range(count))
        self.head_weight = nn.Parameter(torch.randn(count, width) * 0.02)
        self.head_bias = nn.Parameter(torch.zeros(count))

    def embed(self, ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """The input of the first layer."""
        positions = torch.arange(ids.shape[1])
        return self.norm(self.word(ids) + self.position(positions) + self.segment(segments))

    def forward(self, ids: torch.Tensor, segments: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Returns scores [layers, batch] in float32.

        ids and segments are [batch, tokens], padded behind lengths.
        """
        hidden = self.embed(ids, segments)
        mask = padding_mask(lengths, ids.shape[1], hidden.dtype)
        states = []
        for i, layer in enumerate(self.layers):
            hidden = layer(hidden, mask, first_only=i == len(self.layers) - 1)
            states.append(hidden[:, 0].float())
        return torch.einsum("lbd,ld->lb", torch.stack(states), self.head_weight.float()) + self.head_bias[:, None]

    def states(self, ids: torch.Tensor) -> torch.Tensor:
        """The last layer's states [batch, tokens, width] of unpadded texts of one segment: a bi-encoder's."""
        hidden = self.embed(ids, torch.zeros_like(ids))
        for layer in self.layers:
            hidden = layer(hidden, None, first_only=False)
        return hidden


def padding_mask(lengths: torch.Tensor, tokens: int, dtype: torch.dtype) -> torch.Tensor | None:
    """The additive attention mask, None where nothing is padded."""
    if bool((lengths == tokens).all()):
        return None
    outside = torch.arange(tokens)[None] >= lengths[:, None]
    return torch.zeros(outside.shape, dtype=dtype).masked_fill_(outside, -1e4)[:, None, None]


# A layer's parameters here, and the names a published BERT has for them.
LAYER_NAMES = {
    "attention_output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "output": "output.dense",
    "output_norm": "output.LayerNorm",
}
EMBEDDING_NAMES = {
    "word.weight": "word_embeddings.weight",
    "position.weight": "position_embeddings.weight",
    "segment.weight": "token_type_embeddings.weight",
    "norm.weight": "LayerNorm.weight",
    "norm.bias": "LayerNorm.bias",
}


def load_bert(folder: Path) -> CrossEncoder:
    """Reads a published BERT folder; heads begin random unless the file has them."""
    config = json.loads((folder / "config.json").read_text())
    tensors = {name.removeprefix("bert."): t for name, t in load_file(folder / "model.safetensors").items()}
    model = CrossEncoder(config)
    state = {ours: tensors["embeddings." + theirs] for ours, theirs in EMBEDDING_NAMES.items()}
    for i in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{i}."
        for part in ("weight", "bias"):
            three = [tensors[f"{prefix}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            state[f"layers.{i}.query_key_value.{part}"] = torch.cat(three)
            for ours, theirs in LAYER_NAMES.items():
                state[f"layers.{i}.{ours}.{part}"] = tensors[f"{prefix}{theirs}.{part}"]
    state["head_weight"] = tensors.get("heads.weight", model.head_weight.detach())
    state["head_bias"] = tensors.get("heads.bias", model.head_bias.detach())
    model.load_state_dict(state)
    return model


def published(model: CrossEncoder) -> dict[str, torch.Tensor]:
    """The tensors of a model under their published names, in float32."""
    ours = {name: t.detach().float() for name, t in model.state_dict().items()}
    out = {"bert.embeddings." + theirs: ours[name].clone() for name, theirs in EMBEDDING_NAMES.items()}
    for i in range(len(model.layers)):
        prefix = f"bert.encoder.layer.{i}."
        for part in ("weight", "bias"):
            three = ours[f"layers.{i}.query_key_value.{part}"].chunk(3)
            for name, tensor in zip(("query", "key", "value"), three, strict=True):
                out[f"{prefix}attention.self.{name}.{part}"] = tensor.clone()
            for name, theirs in LAYER_NAMES.items():
                out[f"{prefix}{theirs}.{part}"] = ours[f"layers.{i}.{name}.{part}"].clone()
    out["heads.weight"], out["heads.bias"] = ours["head_weight"].clone(), ours["head_bias"].clone()
    return out
