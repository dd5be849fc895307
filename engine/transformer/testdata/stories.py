"""Writes stories.json, the story that stories_test.go compares with.

    python stories.py FOLDER        (transformers 5.23.0, torch 2.13.0)

FOLDER holds stories260K.bin, the weights of karpathy/tinyllamas in the format
of llama2.c. The reference implementation continues the token that starts a text
greedily, in float32.
"""

import json
import pathlib
import struct
import sys

import torch
from transformers import LlamaConfig, LlamaForCausalLM

HERE = pathlib.Path(__file__).parent
TOKENS, START = 180, 1


def halves(rows: torch.Tensor, head: int) -> torch.Tensor:
    """Rows 2i and 2i+1 of each head, which are rotated together, become i and i+head/2."""
    columns = rows.shape[1]
    return rows.view(-1, head // 2, 2, columns).transpose(1, 2).reshape(-1, columns)


def load(path: pathlib.Path) -> LlamaForCausalLM:
    """The model, from its file."""
    data = path.read_bytes()
    hidden, inner, layers, heads, kv, words, positions = struct.unpack_from("<7i", data)
    values = torch.frombuffer(bytearray(data[28:]), dtype=torch.float32)
    head, at = hidden // heads, 0

    def take(*shape: int) -> torch.Tensor:
        nonlocal at
        n = int(torch.tensor(shape).prod())
        at += n
        return values[at - n : at].view(*shape)

    keys = kv * head
    state = {"model.embed_tokens.weight": take(words, hidden)}
    for name, shape in {
        "input_layernorm": (hidden,),
        "self_attn.q_proj": (hidden, hidden),
        "self_attn.k_proj": (keys, hidden),
        "self_attn.v_proj": (keys, hidden),
        "self_attn.o_proj": (hidden, hidden),
        "post_attention_layernorm": (hidden,),
        "mlp.gate_proj": (inner, hidden),
        "mlp.down_proj": (hidden, inner),
        "mlp.up_proj": (inner, hidden),
    }.items():
        for layer in range(layers):
            weight = take(*shape)
            if name in ("self_attn.q_proj", "self_attn.k_proj"):
                weight = halves(weight, head)
            state[f"model.layers.{layer}.{name}.weight"] = weight
    state["model.norm.weight"] = take(hidden)
    state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=words, hidden_size=hidden, intermediate_size=inner, num_hidden_layers=layers,
            num_attention_heads=heads, num_key_value_heads=kv, max_position_embeddings=positions,
            rms_norm_eps=1e-5, tie_word_embeddings=True,
        )
    )
    model.load_state_dict(state)
    return model.eval()


def main() -> None:
    model = load(pathlib.Path(sys.argv[1]) / "stories260K.bin")
    story = [START]
    with torch.no_grad():
        for _ in range(TOKENS):
            story.append(int(model(torch.tensor([story])).logits[0, -1].argmax()))
    (HERE / "stories.json").write_text(json.dumps(story) + "\n")


if __name__ == "__main__":
    main()
