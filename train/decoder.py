"""A decoder as a reranker: an adapter on its projections, a head after every layer.

Layer l scores a passage by heads.weight[l] . norm(h_l) + heads.bias[l], h_l
being the state of the last token of "query: ...\\npassage: ..." after the layer
and norm the model's final norm, whichever the layer.

A decoder's query does not see the passage, so what the candidates of a list
begin with is computed once for all of them. The tokens of a list are the rows
of one product, and nothing is padded. Of the last layer, only rows that are
scored go through more than its keys and values.

answers/model.py has the decoder itself, which the answerer shares.
"""

import json
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

import data
from answers.model import Decoder, Layer, load_decoder, rotated

ALPHA = 2  # of an adapter, in multiples of its rank
LONGEST = 1024  # tokens that the mask has room for
HIDDEN = -1e4  # added to the scores of what a token may not see


class LayeredDecoder(nn.Module):
    """A decoder with heads; what is trained are adapter and heads."""

    def __init__(self, net: Decoder):
        super().__init__()
        self.net = net.requires_grad_(False)
        count, width = net.config["num_hidden_layers"], net.config["hidden_size"]
        self.head_weight = nn.Parameter(torch.zeros(count, width))
        self.head_bias = nn.Parameter(torch.zeros(count))
        self.register_buffer("later", torch.full((LONGEST, LONGEST), HIDDEN).triu(1), persistent=False)

    def adapt(self, rank: int, first: int) -> None:
        """Adds an adapter to the layers from first on; those before it are the base's."""
        for layer in self.net.layers[first:]:
            for block in (layer.self_attn, layer.mlp):
                for projection in block.values():
                    projection.adapt(rank, ALPHA)

    def computing(self) -> "LayeredDecoder":
        """The model in bfloat16, but for the heads."""
        self.net.bfloat16()
        self.later = self.later.bfloat16()
        return self

    def trained(self) -> dict[str, nn.Parameter]:
        """What is trained, by name."""
        return {name: p for name, p in self.named_parameters() if p.requires_grad}

    def forward(self, prefix: list[int], passages: list[list[int]]) -> torch.Tensor:
        """Returns scores [layers, passages] in float32 of passages that follow a prefix."""
        return torch.einsum("lnd,ld->ln", self.states(prefix, passages), self.head_weight) + self.head_bias[:, None]

    def states(self, prefix: list[int], passages: list[list[int]]) -> torch.Tensor:
        """What the heads read, [layers, passages, width] in float32: the normed states of the passages' last tokens."""
        lengths = [len(prefix), *map(len, passages)]
        positions = [*range(lengths[0])]
        for length in lengths[1:]:
            positions += range(lengths[0], lengths[0] + length)
        x = self.net.embed_tokens(torch.tensor([*prefix, *(token for passage in passages for token in passage)]))
        turn = self.net.turn(torch.tensor(positions), x.dtype)
        last = torch.tensor(lengths).cumsum(0)[1:] - 1
        states = []
        for layer in self.net.layers[:-1]:
            x = self.advance(layer, x, turn, lengths, None)
            states.append(x[last])
        states.append(self.advance(self.net.layers[-1], x, turn, lengths, last))
        return self.net.norm(torch.stack(states).float()).float()

    def advance(self, layer: Layer, x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor], lengths: list[int],
                last: torch.Tensor | None) -> torch.Tensor:
        """Brings x [tokens, width] through a layer, or with last, the last tokens of the passages alone."""
        attention, rows = layer.self_attn, lengths
        y = layer.input_layernorm(x)
        key = rotated(attention["k_proj"](y).view(-1, layer.groups, layer.size), turn)
        value = attention["v_proj"](y).view(-1, layer.groups, layer.size)
        if last is not None:
            x, y, turn, rows = x[last], y[last], (turn[0][last], turn[1][last]), [0] + [1] * len(last)
        query = rotated(attention["q_proj"](y).view(-1, layer.heads, layer.size), turn) * layer.size ** -0.5
        x = x + attention["o_proj"](self.attend(query, key, value, rows, lengths))
        y = layer.post_attention_layernorm(x)
        return x + layer.mlp["down_proj"](F.silu(layer.mlp["gate_proj"](y)) * layer.mlp["up_proj"](y))

    def attend(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, rows: list[int],
               lengths: list[int]) -> torch.Tensor:
        """Mixes values for the last rows[i] tokens of each sequence; all but the first one see the first one too.

        query is [rows, heads, size], key and value are [tokens, groups, size].
        """
        _, groups, size = key.shape
        # Heads that share keys are rows of one product.
        queries = query.unflatten(1, (groups, -1)).permute(1, 2, 0, 3).split(rows, dim=2)
        keys, values = (x.transpose(0, 1).split(lengths, dim=1) for x in (key, value))
        mixed = []
        for i, (q, k, v) in enumerate(zip(queries, keys, values, strict=True)):
            share, count = q.shape[1:3]
            if count == 0:
                continue
            if i > 0:
                k, v = torch.cat([keys[0], k], dim=1), torch.cat([values[0], v], dim=1)
            scores = torch.bmm(q.reshape(groups, share * count, size), k.transpose(1, 2))
            seen = k.shape[1]
            scores = scores.view(groups, share, count, seen) + self.later[seen - count:seen, :seen]
            chances = torch.softmax(scores, dim=-1).view(groups, share * count, seen)
            out = torch.bmm(chances, v).view(groups, share, count, size)
            mixed.append(out.permute(2, 0, 1, 3).reshape(count, -1))
        return torch.cat(mixed)


class DecoderReader:
    """A decoder with its tokenizer, as reader.Reader is for encoders; the pairs are those of dowse's plain prompt."""

    opening = "passage: "

    def __init__(self, net: LayeredDecoder, tokenizer: Tokenizer):
        self.net, self.tokenizer = net, tokenizer

    @property
    def layers(self) -> int:
        """How many layers score."""
        return len(self.net.head_bias)

    def prefix(self, query: str, limit: int) -> list[int]:
        """The tokens that the pairs of a query begin with; a query takes half of the limit at most."""
        found = self.tokenizer.encode(query, add_special_tokens=False)
        most = min(limit // 2, data.MAX_QUERY)
        if len(found.ids) > most:
            query = query[:found.offsets[most - 1][1]]
        return self.tokenizer.encode(f"query: {query}\n", add_special_tokens=False).ids

    def pairs(self, query: str, passages: list[list[int]], limit: int) -> tuple[list[int], list[list[int]]]:
        """What the pairs of a query begin with, and what is read of each passage after it."""
        prefix = self.prefix(query, limit)
        return prefix, [passage[:limit - len(prefix)] for passage in passages]

    def scores(self, lists: list[tuple[str, list[list[int]], int]]) -> tuple[list[torch.Tensor], int]:
        """Scores [layers, passages] of each (query, passages, tokens of a pair), and the tokens read."""
        out, tokens = [], 0
        for query, passages, limit in lists:
            prefix, cut = self.pairs(query, passages, limit)
            out.append(self.net(prefix, cut))
            tokens += len(prefix) + sum(map(len, cut))
        return out, tokens


def load_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a base, for which no text is a special token."""
    settings = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    return data.limited(Tokenizer.from_str(json.dumps(settings | {"added_tokens": []})))


def load_base(folder: Path, rank: int, first: int) -> LayeredDecoder:
    """A base in float32 with a new adapter and heads."""
    net = LayeredDecoder(load_decoder(folder))
    net.adapt(rank, first)
    return net


def load_checkpoint(path: Path, base: Path) -> LayeredDecoder:
    """Reads a checkpoint of decoder_train.py, or a folder of decoder_export.py, in float32."""
    if path.is_dir():
        config = json.loads((path / "adapter_config.json").read_text(encoding="utf-8"))
        tensors = load_file(path / "adapter_model.safetensors")
        net = load_base(base, config["r"], min(config["layers_to_transform"]))
        weights = {ours: tensors[theirs] for ours, theirs in published_names(net).items()}
    else:
        saved = torch.load(path, weights_only=False, map_location="cpu")
        net = load_base(base, saved["rank"], saved["first"])
        weights = {name.replace("/", "."): w for name, w in saved["model"].items()}
    with torch.no_grad():
        for name, p in net.trained().items():
            p.copy_(weights[name])
    return net


def published_names(net: LayeredDecoder) -> dict[str, str]:
    """What is trained, and its names in an adapter's file as PEFT writes it."""
    names = {"head_weight": "heads.weight", "head_bias": "heads.bias"}
    for name in net.trained():
        if name not in names:
            module, half = name.rsplit(".", 1)
            letter = {"down": "A", "up": "B"}[half]
            names[name] = f"base_model.model.model.{module.removeprefix('net.')}.lora_{letter}.weight"
    return names
