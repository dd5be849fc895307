"""Dequantises a pack of a BERT into a Hugging Face folder: the weights that dowse runs.

What is trained on top of these learns to make up for their quantisation. The
layout is that of models/pack/layout.go, version 1.
"""

import argparse
import json
import struct
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

ALIGN = 64  # bytes, of each array within a block


class Block:
    """Reads the arrays of a block in their order."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, kind: type, *shape: int) -> np.ndarray:
        """The next array."""
        self.at = -(-self.at // ALIGN) * ALIGN
        count = int(np.prod(shape))
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found.reshape(shape)

    def floats(self, *shape: int) -> np.ndarray:
        """The next array of float32."""
        return self.take(np.float32, *shape)

    def linear(self, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
        """A projection as weights [outputs, inputs] and bias [outputs]."""
        weights, scale = self.take(np.int8, inputs, outputs), self.floats(outputs)
        bias = self.floats(outputs)
        self.take(np.int32, outputs)  # sums of columns
        return np.ascontiguousarray((weights * scale).T), bias


def named(prefix: str, *parts: np.ndarray) -> dict[str, np.ndarray]:
    """A weight and its bias."""
    return {f"{prefix}.{kind}": part.copy() for kind, part in zip(("weight", "bias"), parts, strict=True)}


def read_embeddings(block: Block, config: dict) -> dict[str, np.ndarray]:
    """The tables that a token's first state is summed from."""
    d, words = config["hidden"], config["vocabulary"]
    table, scale = block.take(np.int8, words, d), block.floats(words)
    prefix = "bert.embeddings."
    return {
        prefix + "word_embeddings.weight": table * scale[:, None],
        prefix + "position_embeddings.weight": block.floats(config["positions"], d).copy(),
        prefix + "token_type_embeddings.weight": block.floats(config["types"], d).copy(),
        **named(prefix + "LayerNorm", block.floats(d), block.floats(d)),
    }


def read_layer(block: Block, config: dict, number: int) -> dict[str, np.ndarray]:
    """One layer."""
    d, inner, prefix = config["hidden"], config["intermediate"], f"bert.encoder.layer.{number}."
    weight, bias = block.linear(d, 3 * d)
    out = {}
    for name, w, b in zip(("query", "key", "value"), np.split(weight, 3), np.split(bias, 3), strict=True):
        out |= named(f"{prefix}attention.self.{name}", w, b)
    out |= named(prefix + "attention.output.dense", *block.linear(d, d))
    out |= named(prefix + "attention.output.LayerNorm", block.floats(d), block.floats(d))
    out |= named(prefix + "intermediate.dense", *block.linear(d, inner))
    out |= named(prefix + "output.dense", *block.linear(inner, d))
    return out | named(prefix + "output.LayerNorm", block.floats(d), block.floats(d))


def main() -> None:
    """Writes config.json, tokenizer.json and model.safetensors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True, help="a model.pack with heads after each layer")
    parser.add_argument("--tokenizer", type=Path, required=True, help="a folder with all-MiniLM-L6-v2's tokenizer.json")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    data = args.pack.read_bytes()
    magic, version, length = struct.unpack_from("<8sII", data)
    if magic != b"dowsepak" or version != 1:
        raise SystemExit(f"{args.pack} is no pack of version 1")
    header = json.loads(data[32:32 + length])
    config = header["config"]
    blocks = {b["name"]: Block(data[b["offset"]:b["offset"] + b["length"]]) for b in header["blocks"]}
    tensors = read_embeddings(blocks["embeddings"], config)
    for number in range(config["layers"]):
        tensors |= read_layer(blocks[f"layer.{number}"], config, number)
    tensors["heads.weight"] = blocks["head"].floats(config["layers"], config["hidden"]).copy()
    tensors["heads.bias"] = blocks["head"].floats(config["layers"]).copy()
    args.out.mkdir(parents=True, exist_ok=True)
    tensors = {name: np.ascontiguousarray(t, np.float32) for name, t in tensors.items()}
    save_file(tensors, args.out / "model.safetensors")
    (args.out / "tokenizer.json").write_bytes((args.tokenizer / "tokenizer.json").read_bytes())
    (args.out / "config.json").write_text(json.dumps({
        "architectures": [config["architecture"]], "model_type": "bert", "hidden_size": config["hidden"],
        "num_hidden_layers": config["layers"], "num_attention_heads": config["heads"],
        "intermediate_size": config["intermediate"], "vocab_size": config["vocabulary"],
        "max_position_embeddings": config["positions"], "type_vocab_size": config["types"],
        "layer_norm_eps": config["epsilon"], "hidden_act": "gelu"}, indent=2) + "\n")


if __name__ == "__main__":
    main()
