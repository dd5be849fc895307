"""Writes a checkpoint of spans_train.py as dowse reads it, with a draft of its card.

The threshold from which to decline is chosen on held-out questions: the one
with the largest difference between the shares of unanswerable and of
answerable questions that are declined, if no more than --worth of the latter
are.
"""

import argparse
import hashlib
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

import spans
from answers.licences import table
from answers.measures import threshold

NAMES = {
    "query_key_value": ["attention.self.query", "attention.self.key", "attention.self.value"],
    "attention_output": ["attention.output.dense"],
    "inner": ["intermediate.dense"],
    "output": ["output.dense"],
}


def tensors(net: spans.SpanNet, rank: int) -> dict[str, torch.Tensor]:
    """The adapter by the names of PEFT in bfloat16, and the head."""
    out = {"spans.weight": net.head.detach().float().contiguous()}
    for i, layer in enumerate(net.net.layers):
        for ours, theirs in NAMES.items():
            adapted = getattr(layer, ours)
            for j, name in enumerate(theirs):
                prefix = f"base_model.model.bert.encoder.layer.{i}.{name}"
                out[f"{prefix}.lora_A.weight"] = adapted.down.detach()[j * rank:(j + 1) * rank].bfloat16().contiguous()
                out[f"{prefix}.lora_B.weight"] = adapted.up.detach()[j].bfloat16().contiguous()
    return out


def card(saved: dict, chosen: float, quality: str) -> str:
    """The draft of the adapter's card."""
    base = "| dowse-rerank-6 | the weights that it is trained on; its card says of what they are made | CC-BY-SA-4.0 |"
    return f"""# dowse reader, 6 layers

An adapter of rank {saved["rank"]} for dowse-rerank-6, with a head that gives each token of a
passage a logit that the answer to a question begins with it, and one that it
ends with it. dowse --answer quotes the sentence around the best span. Licence of
the weights: CC-BY-SA-4.0, as the share-alike sources below ask.

{table(base)}
Nothing else was trained on, but for what dowse-rerank-6 was; no evaluation set
was trained on or used to choose anything. models/train/README.md has the
commands. From step 1,547 on a fifth of the examples were how-to notes made of the
tldr pages.

Seed {saved["seed"]}, {saved["step"]} steps of 16 questions, {saved["tokens"] / 1e6:.1f} million tokens, last
schedule {saved["minutes"]:.0f} minutes on two threads. It declines from a probability of
{chosen:.4g} that there is no answer.

{quality}"""


def main() -> None:
    """Exports one checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=Path, required=True, help="folder of heldout.jsonl")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--start", type=Path, required=True, help="the reranker's checkpoint")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--worth", type=float, default=0.08, help="share of answerable questions that may be declined")
    parser.add_argument("--report", type=Path, help="what was measured, for the card")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)
    saved = torch.load(args.checkpoint, weights_only=False, map_location="cpu")
    net = spans.load(args.encoder, args.start, saved["rank"])
    spans.restore(net, saved["model"])
    held = spans.Examples(args.encoder, saved["seed"]).read_file(args.examples / "heldout.jsonl")
    judged = spans.judge(net.bfloat16(), held)
    none = [1 / (1 + math.exp(-j.none)) for j in judged]
    gold = [e.gold for e in held]
    chosen = threshold(none, gold, args.worth)
    f1 = np.mean([j.f1 for j, g in zip(judged, gold, strict=True) if g])
    declined = np.array(none) >= chosen
    wrong, right = declined[gold].mean(), declined[~np.array(gold)].mean()
    report = (f"{len(held)} held-out questions: F1 of the answerable {f1:.3f}; from {chosen:.4g} on,\n"
              f"{wrong:.3f} of the answerable and {right:.3f} of the unanswerable are declined")
    print(report)
    args.out.mkdir(parents=True, exist_ok=True)
    net = spans.load(args.encoder, args.start, saved["rank"])
    spans.restore(net, saved["model"])
    save_file(tensors(net, saved["rank"]), args.out / "adapter_model.safetensors", metadata={"format": "pt"})
    config = {
        "peft_type": "LORA", "base_model_name_or_path": "dowse-rerank-6", "inference_mode": True, "r": saved["rank"],
        "lora_alpha": saved["rank"], "lora_dropout": 0.0, "bias": "none", "fan_in_fan_out": False,
        "use_rslora": False, "use_dora": False, "target_modules": ["query", "key", "value", "dense"],
    }
    (args.out / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n")
    purpose = {"role": "reader", "decline_from": chosen,
               "adapter_sha256": hashlib.sha256((args.out / "adapter_model.safetensors").read_bytes()).hexdigest()}
    (args.out / "dowse.json").write_text(json.dumps(purpose, indent=2) + "\n")
    quality = report + ".\n" + ("\n```\n" + args.report.read_text() + "```\n" if args.report else "")
    (args.out / "card.md").write_text(card(saved, chosen, quality), encoding="utf-8")
    print(f"{args.out}: step {saved['step']}, {time.strftime('%Y-%m-%d')}")


if __name__ == "__main__":
    main()
