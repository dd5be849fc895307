"""Writes a checkpoint of notes_rank_train.py as a Hugging Face folder, and the reader for it.

The reader is an adapter of the reranker. So that it goes on saying what it said,
its adapter takes back what the reranker has learned: the difference is a sum of
two adapters, and the best adapter of some rank for it is cut from its singular
values.
"""

import argparse
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

import evidence
import notes_rank
from model import load_bert, published


def write_folder(net: torch.nn.Module, base: Path, out: Path) -> None:
    """Writes the weights as a published BERT with a head after each layer."""
    out.mkdir(parents=True, exist_ok=True)
    save_file(published(net), out / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((base / "config.json").read_text())
    config |= {"architectures": ["BertForSequenceClassification"], "num_labels": 1, "layer_heads": len(net.layers)}
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (out / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": notes_rank.READ}) + "\n")
    shutil.copyfile(base / "tokenizer.json", out / "tokenizer.json")


def rebased(before: Path, now: Path, reader: Path, rank: int) -> tuple[dict[str, torch.Tensor], float]:
    """The adapter that makes of the new reranker what the old adapter made of the old one; and how much it misses."""
    old = load_file(before / "model.safetensors")
    new = load_file(now / "model.safetensors")
    adapter = load_file(reader / "adapter_model.safetensors")
    out, missed, whole = {"spans.weight": adapter["spans.weight"]}, 0.0, 0.0
    for name in adapter:
        if not name.endswith("lora_A.weight"):
            continue
        stem = name.removesuffix(".lora_A.weight")
        weight = stem.removeprefix("base_model.model.") + ".weight"
        added = adapter[stem + ".lora_B.weight"].float() @ adapter[name].float()
        wanted = old[weight] + added - new[weight]
        u, s, v = torch.linalg.svd(wanted, full_matrices=False)
        root = s[:rank].sqrt()
        down, up = root[:, None] * v[:rank], u[:, :rank] * root
        missed += float(s[rank:].square().sum())
        whole += float(added.square().sum())
        out[name] = down.bfloat16().contiguous()
        out[stem + ".lora_B.weight"] = up.bfloat16().contiguous()
    return out, (missed / whole) ** 0.5


def main() -> None:
    """Exports one checkpoint, or fits the reader to the weights that dowse made of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="the reranker before, as unpack.py writes it")
    parser.add_argument("--checkpoint", type=Path, help="writes the reranker to --out")
    parser.add_argument("--reader", type=Path, help="folder of the reader's adapter; writes its new one to --out")
    parser.add_argument("--now", type=Path, help="the new reranker, as unpack.py writes it; for --reader")
    parser.add_argument("--rank", type=int, default=96, help="of the reader's new adapter")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.reader:
        tensors, missed = rebased(args.base, args.now, args.reader, args.rank)
        args.out.mkdir(parents=True, exist_ok=True)
        save_file(tensors, args.out / "adapter_model.safetensors", metadata={"format": "pt"})
        config = json.loads((args.reader / "adapter_config.json").read_text())
        config |= {"r": args.rank, "lora_alpha": args.rank}
        (args.out / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n")
        print(f"{args.out}: rank {args.rank}, misses {missed:.4f} of what the adapter adds")
        return
    saved = torch.load(args.checkpoint, weights_only=True)
    net = notes_rank.adapted(args.base, saved["rank"])
    with torch.no_grad():
        for name, p in evidence.trained(net).items():
            p.copy_(saved["model"][name])
    write_folder(notes_rank.merged(net, args.base), args.base, args.out)
    load_bert(args.out)
    print(f"{args.out}: step {saved['step']}, {saved['drawn']} lists, {saved['tokens'] / 1e6:.1f} million tokens")


if __name__ == "__main__":
    main()
