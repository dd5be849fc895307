"""A Llama decoder with a low-rank adapter on every projection, written out.

    y = W x + (alpha / rank) B (A x)

Sequences are not padded and not causal in general: a row holds one list of
passages and several questions about it, each of which sees the passages and
itself (chat.py). So positions and what each token may see are given.
"""

import json
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

MODULES = ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
           "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"]


class Projection(nn.Module):
    """A projection without bias, with its adapter if it has one."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        self.down = self.up = None
        self.scale = 0.0

    def adapt(self, rank: int, scale: float) -> None:
        """Adds an adapter that changes nothing yet: B is zero."""
        outputs, inputs = self.weight.shape
        self.down = nn.Parameter(torch.empty(rank, inputs))
        nn.init.kaiming_uniform_(self.down, a=5 ** 0.5)
        self.up = nn.Parameter(torch.zeros(outputs, rank))
        self.scale = scale

    def merge(self) -> None:
        """Adds the adapter to the weights, and has none then."""
        with torch.no_grad():
            self.weight += self.scale * (self.up @ self.down)
        self.down = self.up = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps x [tokens, inputs] to [tokens, outputs]."""
        y = F.linear(x, self.weight)
        if self.down is not None:
            y = torch.addmm(y, F.linear(x, self.down), self.up.t(), alpha=self.scale)
        return y


class Norm(nn.Module):
    """Root-mean-square norm; its statistics are taken in float32."""

    def __init__(self, width: int, epsilon: float):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))
        self.epsilon = epsilon

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps x [tokens, width]."""
        wide = x.float()
        return self.weight * (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.epsilon)).to(x.dtype)


def rotated(x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Applies rotary positions to x [tokens, heads, head width]."""
    first, second = x.chunk(2, dim=-1)
    return x * turn[0] + torch.cat([-second, first], dim=-1) * turn[1]


class Layer(nn.Module):
    """One pre-norm layer: grouped-query attention and a gated feed-forward."""

    def __init__(self, config: dict):
        super().__init__()
        width, inner = config["hidden_size"], config["intermediate_size"]
        self.heads, self.groups, self.size = (
            config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"])
        self.input_layernorm = Norm(width, config["rms_norm_eps"])
        self.post_attention_layernorm = Norm(width, config["rms_norm_eps"])
        self.self_attn = nn.ModuleDict({
            "q_proj": Projection(width, self.heads * self.size), "k_proj": Projection(width, self.groups * self.size),
            "v_proj": Projection(width, self.groups * self.size), "o_proj": Projection(self.heads * self.size, width)})
        self.mlp = nn.ModuleDict({"gate_proj": Projection(width, inner), "up_proj": Projection(width, inner),
                                  "down_proj": Projection(inner, width)})

    def attend(self, x: torch.Tensor, turn: tuple, mask: torch.Tensor, kept: list | None) -> torch.Tensor:
        """Attention of x [tokens, width] to itself and to what was kept of earlier tokens."""
        count = len(x)
        query = rotated(self.self_attn["q_proj"](x).view(count, self.heads, self.size), turn)
        key = rotated(self.self_attn["k_proj"](x).view(count, self.groups, self.size), turn)
        value = self.self_attn["v_proj"](x).view(count, self.groups, self.size)
        if kept is not None:
            if kept:
                key, value = torch.cat([kept[0], key]), torch.cat([kept[1], value])
            kept[:] = key, value
        # Heads that share keys are rows of one product.
        share = self.heads // self.groups
        query = query.view(count, self.groups, share, self.size).permute(1, 2, 0, 3).reshape(
            self.groups, share * count, self.size)
        scores = torch.bmm(query * self.size ** -0.5, key.permute(1, 2, 0))
        scores = scores.view(self.groups, share, count, -1) + mask
        mixed = torch.bmm(torch.softmax(scores, dim=-1).view(self.groups, share * count, -1), value.transpose(0, 1))
        mixed = mixed.view(self.groups, share, count, self.size).permute(2, 0, 1, 3).reshape(count, -1)
        return self.self_attn["o_proj"](mixed)

    def forward(self, x: torch.Tensor, turn: tuple, mask: torch.Tensor, kept: list | None = None) -> torch.Tensor:
        """Maps x [tokens, width]."""
        x = x + self.attend(self.input_layernorm(x), turn, mask, kept)
        y = self.post_attention_layernorm(x)
        return x + self.mlp["down_proj"](F.silu(self.mlp["gate_proj"](y)) * self.mlp["up_proj"](y))


class Decoder(nn.Module):
    """Llama with tied embeddings."""

    def __init__(self, config: dict):
        super().__init__()
        self.config = config
        self.embed_tokens = nn.Embedding(config["vocab_size"], config["hidden_size"])
        self.layers = nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))
        self.norm = Norm(config["hidden_size"], config["rms_norm_eps"])

    def projections(self) -> dict[str, Projection]:
        """All projections of layers by their published names."""
        return {f"model.layers.{i}.{name}": layer.get_submodule(name)
                for i, layer in enumerate(self.layers) for name in MODULES}

    def turn(self, positions: torch.Tensor, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
        """Cosines and sines [tokens, 1, head width] of positions."""
        size = self.config["head_dim"]
        steps = self.config["rope_theta"] ** -(torch.arange(0, size, 2).float() / size)
        angles = (positions[:, None].float() * steps)[:, None].repeat(1, 1, 2)
        return angles.cos().to(dtype), angles.sin().to(dtype)

    def forward(self, ids: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor,
                kept: list | None = None) -> torch.Tensor:
        """Last states [tokens, width], normalised, of one row.

        mask [tokens, kept and new tokens] is added to scores. kept is a list
        of a list for each layer, and receives keys and values.
        """
        x = self.embed_tokens(ids)
        turn, mask = self.turn(positions, x.dtype), mask.to(x.dtype)
        for i, layer in enumerate(self.layers):
            x = layer(x, turn, mask, kept[i] if kept is not None else None)
        return self.norm(x)

    def logits(self, states: torch.Tensor) -> torch.Tensor:
        """Logits [tokens, vocabulary] in float32."""
        return F.linear(states, self.embed_tokens.weight).float()


def load_decoder(folder: Path) -> Decoder:
    """Reads a Hugging Face folder in float32."""
    with torch.device("meta"):  # weights are not made up first
        model = Decoder(json.loads((folder / "config.json").read_text(encoding="utf-8")))
    tensors = load_file(folder / "model.safetensors")
    model.load_state_dict({name.removeprefix("model."): t.float() for name, t in tensors.items()}, assign=True)
    return model


def adapt(model: Decoder, rank: int, alpha: float, seed: int) -> None:
    """Adds an adapter to all projections; all other weights stay as they are."""
    torch.manual_seed(seed)
    for p in model.parameters():
        p.requires_grad_(False)
    for projection in model.projections().values():
        projection.adapt(rank, alpha / rank)


def adapter_tensors(model: Decoder) -> dict[str, torch.Tensor]:
    """The adapter by the names of PEFT, in float32."""
    out = {}
    for name, projection in model.projections().items():
        out[f"base_model.model.{name}.lora_A.weight"] = projection.down.detach().float().contiguous()
        out[f"base_model.model.{name}.lora_B.weight"] = projection.up.detach().float().contiguous()
    return out


def load_adapter(model: Decoder, folder: Path) -> tuple[int, float]:
    """Adds an adapter that PEFT or export.py wrote; its rank and its alpha."""
    config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
    adapt(model, config["r"], config["lora_alpha"], 0)
    tensors = load_file(folder / "adapter_model.safetensors")
    for name, projection in model.projections().items():
        with torch.no_grad():
            projection.down.copy_(tensors[f"base_model.model.{name}.lora_A.weight"])
            projection.up.copy_(tensors[f"base_model.model.{name}.lora_B.weight"])
    return config["r"], config["lora_alpha"]
