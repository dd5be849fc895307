"""Writes a checkpoint of decoder_train.py as PEFT writes an adapter, with heads and a draft card.

adapter_config.json, adapter_model.safetensors and dowse.json, which says that it
reranks and what dowse's own scores are worth to it, are what
`dowse models add NAME BASE --adapter DIR` takes. Beside the adapter's matrices,
in bfloat16, which is what training computed with, stand heads.weight [layers,
width] and heads.bias [layers] in float32.
"""

import argparse
import hashlib
import json
import time
from pathlib import Path

import torch
from safetensors.torch import save_file

import decoder
from answers.model import MODULES
from export import SOURCES

LONGEST = 256  # tokens of a pair that evaluate.py reads


def adapter_config(base: str, rank: int, layers: range) -> dict:
    """adapter_config.json."""
    return {
        "peft_type": "LORA", "task_type": "SEQ_CLS", "base_model_name_or_path": base, "inference_mode": True,
        "r": rank, "lora_alpha": decoder.ALPHA * rank, "lora_dropout": 0.0, "bias": "none", "use_rslora": False,
        "use_dora": False, "fan_in_fan_out": False, "layers_to_transform": list(layers),
        "target_modules": [name.rsplit(".", 1)[1] for name in MODULES],
    }


def write_purpose(out: Path, blend: dict | None) -> None:
    """Writes what dowse is to do with the adapter."""
    purpose = {
        "role": "reranker", "prompt": "plain", "max_tokens": LONGEST,
        "adapter_sha256": hashlib.sha256((out / "adapter_model.safetensors").read_bytes()).hexdigest(),
    }
    if blend and blend["rule"] != "raw":
        raise SystemExit(f"dowse adds a weight times its own scores, the rule raw; the blend's is {blend['rule']}")
    if blend:
        purpose["prior"] = blend["weight"]
    (out / "dowse.json").write_text(json.dumps(purpose, indent=2) + "\n")


def card(saved: dict, layers: int, quality: str) -> str:
    """The draft of the adapter's card."""
    sources = SOURCES.replace("| all-MiniLM-L6-v2 |", "| SmolLM2-135M-Instruct |")
    return f"""# dowse reranker, {layers} layers

An adapter of rank {saved["rank"]} for SmolLM2-135M-Instruct, from layer {saved["first"]} on, with a head after every
layer that scores how well a passage answers a query. It was trained on the
four-bit weights that dowse's answerer runs. The last score is added to dowse's
hybrid score.

{sources}
Nothing else was trained on. The blend was chosen on questions of these folders
that were held out, and on notes and manuals of which nothing is trained on; no
evaluation set was trained on, nor chose a checkpoint or the blend; that teachers of
this kind help was first seen on samples of them.
train/README.md has the commands.

Seed {saved["seed"]}, {saved["step"]} steps, {saved["tokens"] / 1e6:.1f} million tokens, last schedule
{saved["minutes"]:.0f} minutes on two threads. The learned weight of dowse's hybrid score beside the last
layer's is {float(saved["blend"].exp()):.2f}.

{quality}
"""


def main() -> None:
    """Exports one checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="folder of the decoder")
    parser.add_argument("--name", default="HuggingFaceTB/SmolLM2-135M-Instruct", help="what the base is called")
    parser.add_argument("--blend", type=Path, help="blend.json of evaluate.py choose")
    parser.add_argument("--report", type=Path, help="what evaluate.py report printed, for the card")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    saved = torch.load(args.checkpoint, weights_only=False, map_location="cpu")
    net = decoder.load_checkpoint(args.checkpoint, args.base)
    args.out.mkdir(parents=True, exist_ok=True)
    weights = net.trained()
    tensors = {}
    for ours, theirs in decoder.published_names(net).items():
        kind = torch.float32 if theirs.startswith("heads.") else torch.bfloat16
        tensors[theirs] = weights[ours].detach().to(kind).contiguous()
        weights[ours].data.copy_(tensors[theirs])
    save_file(tensors, args.out / "adapter_model.safetensors", metadata={"format": "pt"})
    layers = len(net.head_bias)
    config = adapter_config(args.name, saved["rank"], range(saved["first"], layers))
    (args.out / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n")
    write_purpose(args.out, json.loads(args.blend.read_text()) if args.blend else None)
    quality = "```\n" + args.report.read_text() + "```" if args.report else ""
    (args.out / "card.md").write_text(card(saved, layers, quality))
    check(net, decoder.load_checkpoint(args.out, args.base))
    print(f"{args.out}: step {saved['step']}, {time.strftime('%Y-%m-%d')}")


def check(net: decoder.LayeredDecoder, again: decoder.LayeredDecoder) -> None:
    """Compares scores of what was written with those of the checkpoint, so that no name was mixed up."""
    prefix, passages = [3, 14, 15], [[92, 65, 35], [89], [79, 32, 38, 46]]
    with torch.inference_mode():
        difference = (net(prefix, passages) - again(prefix, passages)).abs().max().item()
    if difference > 1e-6:
        raise SystemExit(f"the exported weights score differently, by {difference}")


if __name__ == "__main__":
    main()
