"""Turns the GGUF file that dowse runs into a Hugging Face folder in float32.

An adapter fits the weights that it was trained on. The published GGUF holds
them in four bits, so training starts from these, dequantised, and not from the
original checkpoint.
"""

import json
from pathlib import Path

import gguf
import numpy as np
import torch
from safetensors.torch import save_file

SPECIAL = 3  # token type of special tokens

# Names of a layer's tensors in a GGUF file, and in a Hugging Face folder.
LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def field(reader: gguf.GGUFReader, name: str):
    """The value of a field of a GGUF file."""
    found = reader.fields.get(name)
    if found is None:
        raise SystemExit(f"the file has no field {name}")
    return found.contents()


def published_name(name: str) -> str:
    """The Hugging Face name of a tensor of a GGUF file."""
    whole = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
    if name in whole:
        return whole[name]
    block, layer, tensor, weight = name.split(".")
    if block != "blk" or weight != "weight" or tensor not in LAYER_NAMES:
        raise SystemExit(f"a tensor {name} is not expected in a Llama with tied embeddings")
    return f"model.layers.{layer}.{LAYER_NAMES[tensor]}.weight"


def unpermuted(weight: np.ndarray, heads: int) -> np.ndarray:
    """Rows of a query or key projection, halves of each head in place of pairs."""
    rows, columns = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def weights(reader: gguf.GGUFReader, config: dict) -> dict[str, torch.Tensor]:
    """All tensors in float32."""
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    found = {}
    for tensor in reader.tensors:
        values = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        kind = tensor.name.split(".")[-2]
        if kind in heads:
            values = unpermuted(values, heads[kind])
        found[published_name(tensor.name)] = torch.from_numpy(np.array(values))
    return found


def config_of(reader: gguf.GGUFReader) -> dict:
    """config.json."""
    heads = field(reader, "llama.attention.head_count")
    width = field(reader, "llama.embedding_length")
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": width,
        "intermediate_size": field(reader, "llama.feed_forward_length"),
        "num_hidden_layers": field(reader, "llama.block_count"), "num_attention_heads": heads,
        "num_key_value_heads": field(reader, "llama.attention.head_count_kv"), "head_dim": width // heads,
        "max_position_embeddings": field(reader, "llama.context_length"),
        "rms_norm_eps": field(reader, "llama.attention.layer_norm_rms_epsilon"),
        "rope_theta": field(reader, "llama.rope.freq_base"), "vocab_size": field(reader, "llama.vocab_size"),
        "attention_bias": False, "mlp_bias": False, "tie_word_embeddings": True, "torch_dtype": "float32",
        "bos_token_id": field(reader, "tokenizer.ggml.bos_token_id"),
        "eos_token_id": field(reader, "tokenizer.ggml.eos_token_id"),
    }


def tokenizer_of(reader: gguf.GGUFReader) -> dict:
    """tokenizer.json of a byte-level BPE that takes digits one by one."""
    if field(reader, "tokenizer.ggml.pre") != "smollm":
        raise SystemExit("only files with the pre-tokenizer smollm are expected")
    tokens = field(reader, "tokenizer.ggml.tokens")
    kinds = field(reader, "tokenizer.ggml.token_type")
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": i, "content": t, **flags} for i, t in enumerate(tokens) if kinds[i] == SPECIAL],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True},
                                                                byte_level]},
        "post_processor": None, "decoder": byte_level,
        "model": {
            "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
            "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
            "vocab": {t: i for i, t in enumerate(tokens)}, "merges": field(reader, "tokenizer.ggml.merges"),
        },
    }


def write_base(path: Path, folder: Path) -> None:
    """Writes the folder of a GGUF file."""
    reader = gguf.GGUFReader(path)
    if field(reader, "general.architecture") != "llama":
        raise SystemExit(f"{path} is not a Llama")
    folder.mkdir(parents=True, exist_ok=True)
    config, tokenizer = config_of(reader), tokenizer_of(reader)
    tokens = field(reader, "tokenizer.ggml.tokens")
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": config["max_position_embeddings"],
        "chat_template": field(reader, "tokenizer.chat_template"),
        "bos_token": tokens[config["bos_token_id"]], "eos_token": tokens[config["eos_token_id"]],
    }
    save_file(weights(reader, config), folder / "model.safetensors", metadata={"format": "pt"})
    for name, value in (("config", config), ("tokenizer", tokenizer), ("tokenizer_config", settings)):
        (folder / f"{name}.json").write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
