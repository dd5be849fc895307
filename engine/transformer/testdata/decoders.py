"""Writes the small decoders that decoderparity_test.go compares with.

    python decoders.py        (transformers 5.23.0, torch 2.13.0, safetensors; mixtures torch 2.6.0)

Weights are drawn from a fixed seed, rounded to bfloat16 and saved. Logits are
computed from the rounded weights in float32: of the last token, after every
layer by the final norm and the output matrix; and of every token at the end.
"""

import json
import pathlib

import torch
from safetensors.torch import save_file
from transformers import (
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    LlamaConfig,
    LlamaForCausalLM,
    MixtralConfig,
    MixtralForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
    Qwen3MoeConfig,
    Qwen3MoeForCausalLM,
)

HERE = pathlib.Path(__file__).parent
TEXTS = (1, 5, 19, 33)  # tokens of each
VOCABULARY = 48


def randomize(model: torch.nn.Module) -> None:
    """Draws all weights large enough for logits to differ, and rounds them."""
    for name, weight in model.named_parameters():
        spread = 0.5 if "embed" in name else 0.1 if weight.dim() == 1 else 0.3
        one_more = isinstance(model, Gemma3ForCausalLM)  # norms multiply with one more than their weight
        mean = 1.0 if "norm" in name and not one_more else 0.0
        if one_more and ("post_attention" in name or "post_feedforward" in name):  # what halves of layers add is small, as it is in real models
            mean = -0.6
        weight.data = (mean + spread * torch.randn(weight.shape)).bfloat16().float()
    model.tie_weights()
    model.eval()


def rounded(x: torch.Tensor) -> list[float]:
    return [round(v, 6) for v in x.tolist()]


def expected(model: torch.nn.Module, ids: list[int]) -> dict:
    out = model(input_ids=torch.tensor([ids]), output_hidden_states=True)
    *early, last = out.hidden_states[1:]  # the last one is normalised already
    layers = [model.lm_head(model.model.norm(h[0, -1])) for h in early]
    layers.append(model.lm_head(last[0, -1]))
    assert torch.allclose(out.logits[0, -1], layers[-1], atol=1e-6)
    largest = out.logits[0].max(dim=-1)
    return {"ids": ids, "layers": [rounded(x) for x in layers], "best": largest.indices.tolist(), "largest": rounded(largest.values)}


def published(model: torch.nn.Module) -> dict:
    """The weights by their names in published checkpoints, which have a tensor for each expert."""
    tensors = {}
    for name, weight in model.state_dict().items():
        at, _, part = name.partition("mlp.experts.")
        old = isinstance(model, MixtralForCausalLM)  # its names are older than those of the code
        mlp = at + ("block_sparse_moe." if old else "mlp.")
        if part == "gate_up_proj":
            for e, (gate, up) in enumerate(w.chunk(2) for w in weight):
                tensors[f"{mlp}experts.{e}.{'w1' if old else 'gate_proj'}.weight"] = gate
                tensors[f"{mlp}experts.{e}.{'w3' if old else 'up_proj'}.weight"] = up
        elif part == "down_proj":
            for e, down in enumerate(weight):
                tensors[f"{mlp}experts.{e}.{'w2' if old else 'down_proj'}.weight"] = down
        else:
            tensors[name.replace("mlp.gate.", "block_sparse_moe.gate.") if old else name] = weight
    return tensors


def write(name: str, model: torch.nn.Module) -> None:
    randomize(model)
    texts = [torch.randint(0, VOCABULARY, (n,)).tolist() for n in TEXTS]
    with torch.no_grad():
        rows = [expected(model, ids) for ids in texts]
    folder = HERE / "decoders" / name
    folder.mkdir(parents=True, exist_ok=True)
    tensors = published(model)
    if model.config.tie_word_embeddings:
        del tensors["lm_head.weight"]
    save_file({k: v.bfloat16().contiguous() for k, v in tensors.items()}, folder / "model.safetensors")
    (folder / "model.safetensors").chmod(0o644)
    config = model.config.to_dict() | {"architectures": [type(model).__name__]}
    (folder / "config.json").write_text(json.dumps(config, indent=1, sort_keys=True) + "\n")
    text = json.dumps(rows, separators=(",", ":"))
    (folder / "logits.json").write_text(text.replace(',{"ids', ',\n{"ids') + "\n")


def common() -> dict:
    return {"vocab_size": VOCABULARY, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 3,
            "max_position_embeddings": 64, "attn_implementation": "eager"}


if __name__ == "__main__":
    torch.manual_seed(21)
    torch.set_num_threads(1)
    scaling = {"rope_type": "llama3", "rope_theta": 500.0, "factor": 4.0, "low_freq_factor": 1.0,
               "high_freq_factor": 4.0, "original_max_position_embeddings": 16}
    write("llama", LlamaForCausalLM(LlamaConfig(
        **common(), num_attention_heads=4, num_key_value_heads=2, rope_parameters=scaling, tie_word_embeddings=False)))
    write("qwen2", Qwen2ForCausalLM(Qwen2Config(
        **common(), num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=True)))
    write("qwen3", Qwen3ForCausalLM(Qwen3Config(
        **common(), num_attention_heads=3, num_key_value_heads=1, head_dim=12, tie_word_embeddings=True)))
    write("mixtral", MixtralForCausalLM(MixtralConfig(
        **common(), num_attention_heads=4, num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2,
        sliding_window=20, tie_word_embeddings=False)))
    write("qwen3_moe", Qwen3MoeForCausalLM(Qwen3MoeConfig(
        **common(), num_attention_heads=3, num_key_value_heads=1, head_dim=12, moe_intermediate_size=20, num_experts=8,
        num_experts_per_tok=3, norm_topk_prob=True, mlp_only_layers=[1], tie_word_embeddings=False)))
    torch.manual_seed(23)  # what stands above keeps its numbers; transformers 4.57.1
    write("gemma3", Gemma3ForCausalLM(Gemma3TextConfig(
        **(common() | {"num_hidden_layers": 5}), num_attention_heads=3, num_key_value_heads=1, head_dim=12, query_pre_attn_scalar=9,
        sliding_window=8, layer_types=["sliding_attention", "sliding_attention", "full_attention", "sliding_attention", "sliding_attention"],
        _sliding_window_pattern=3, rope_theta=5000.0, rope_local_base_freq=300.0)))
