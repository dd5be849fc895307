"""Writes the logits and the GGUF files of the small decoders.

    go test ./models/modeltest -run Export -export DIR
    python decoders.py DIR    (transformers 5.23.0, torch 2.13.0, gguf 0.19.0)

DIR holds a Hugging Face folder for each model. Logits are those of transformers
in float32. The GGUF files follow the conventions of llama.cpp's converter, and
are checked by having transformers read them back.
"""

import json
import math
import pathlib
import sys

import gguf
import numpy as np
import torch
from safetensors.numpy import load_file
from transformers import AutoConfig, AutoModelForCausalLM

HERE = pathlib.Path(__file__).parent
PROMPT = [0, 17, 99, 3, 64, 17, 105, 42, 8, 91]
NAMES = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}
TYPES = {
    "llama": gguf.GGMLQuantizationType.F16, "qwen2": gguf.GGMLQuantizationType.F16,
    "qwen3": gguf.GGMLQuantizationType.Q8_0,
}


def logits(folder, **options):
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", **options)
    with torch.no_grad():
        return model(torch.tensor([PROMPT])).logits[0].float().numpy()


def permute(values, heads):
    """Puts the two rows of a rotated pair beside each other."""
    shape = values.shape
    return values.reshape(heads, 2, shape[0] // heads // 2, *shape[1:]).swapaxes(1, 2).reshape(shape)


def rename(name):
    stem, kind = name.rsplit(".", 1)
    if stem.startswith("model.layers."):
        _, _, layer, part = stem.split(".", 3)
        return f"blk.{layer}.{NAMES[part]}.{kind}"
    return f"{NAMES[stem]}.{kind}"


def rotary_factors(config, head):
    r = config["rope_scaling"]
    factors = []
    for i in range(head // 2):
        wavelength = 2 * math.pi * config["rope_theta"] ** (2 * i / head)
        ratio = r["original_max_position_embeddings"] / wavelength
        smooth = (ratio - r["low_freq_factor"]) / (r["high_freq_factor"] - r["low_freq_factor"])
        if ratio > r["high_freq_factor"]:
            factors.append(1)
        elif ratio < r["low_freq_factor"]:
            factors.append(r["factor"])
        else:
            factors.append(1 / ((1 - smooth) / r["factor"] + smooth))
    return np.array(factors, dtype=np.float32)


def add_tokenizer(w, folder):
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    tokens = sorted(vocabulary, key=vocabulary.get)
    special = {t["content"] for t in tokenizer["added_tokens"]}
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("gpt-2")
    w.add_token_list(tokens)
    w.add_token_types([gguf.TokenType.CONTROL if t in special else gguf.TokenType.NORMAL for t in tokens])
    w.add_token_merges(tokenizer["model"]["merges"])
    w.add_bos_token_id(0)
    w.add_eos_token_id(1)
    w.add_eot_token_id(2)
    w.add_chat_template(json.loads((folder / "tokenizer_config.json").read_text())["chat_template"])


def write(folder, path, architecture, kind):
    config = json.loads((folder / "config.json").read_text())
    head, heads, keys = config["head_dim"], config["num_attention_heads"], config["num_key_value_heads"]
    w = gguf.GGUFWriter(path, architecture)
    w.add_block_count(config["num_hidden_layers"])
    w.add_context_length(config["max_position_embeddings"])
    w.add_embedding_length(config["hidden_size"])
    w.add_feed_forward_length(config["intermediate_size"])
    w.add_head_count(heads)
    w.add_head_count_kv(keys)
    w.add_key_length(head)
    w.add_value_length(head)
    w.add_rope_freq_base(config["rope_theta"])
    w.add_layer_norm_rms_eps(config["rms_norm_eps"])
    w.add_vocab_size(config["vocab_size"])
    add_tokenizer(w, folder)
    for name, values in sorted(load_file(folder / "model.safetensors").items()):
        if architecture == "llama" and ".q_proj." in name:
            values = permute(values, heads)
        if architecture == "llama" and ".k_proj." in name:
            values = permute(values, keys)
        if values.ndim == 1:
            w.add_tensor(rename(name), values)
        else:
            w.add_tensor(rename(name), gguf.quantize(values, kind), raw_dtype=kind)
    if (config.get("rope_scaling") or {}).get("rope_type") == "llama3":
        w.add_tensor("rope_freqs.weight", rotary_factors(config, head))
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    expected = logits(folder)
    (HERE / f"{folder.name}.logits").write_bytes(expected.astype("<f4").tobytes())
    print(folder.name, expected.shape, float(np.abs(expected).max()))
    if folder.name in TYPES:
        path = HERE / f"{folder.name}.gguf"
        write(folder, path, folder.name, TYPES[folder.name])
        again = logits(HERE, gguf_file=path.name, config=AutoConfig.from_pretrained(folder))
        print("  read back:", float(np.abs(again - expected).max()))
