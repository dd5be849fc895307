"""Writes a checkpoint of embed_train.py as a folder of sentence-transformers, and a draft of its card.

--share mixes what was learned with what the model knew before: weights lie that share of the
way from the base to the checkpoint (Wortsman et al., Robust fine-tuning of zero-shot models,
2022).
"""

import argparse
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file

import embed
from export import SOURCES
from model import CrossEncoder, published

CARD = """# {name}

A bi-encoder for search in a person's own files: all-MiniLM-L6-v2 (Apache-2.0), whose layers went on learning
from questions about notes and prose. 6 layers, 384 numbers, texts of up to 256 tokens, English.

Trained with `train/embed_train.py` of dowse: {steps} steps, {tokens:.1f} M tokens, seed {seed}; {share:.0%} of what
was learned is kept. Questions of prose also followed bge-small-en-v1.5 (MIT).

{sources}
"""


def mixed(base: CrossEncoder, learned: dict[str, torch.Tensor], share: float) -> CrossEncoder:
    """The base with a share of the way to what was learned."""
    with torch.no_grad():
        for name, p in base.named_parameters():
            p.copy_(p + share * (learned[name] - p))
    return base


def main() -> None:
    """Writes the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="folder of all-MiniLM-L6-v2, where training began")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1.0, help="of the way from the base to the checkpoint")
    parser.add_argument("--name", default="dowse-embed-6")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    saved = torch.load(args.checkpoint, weights_only=True)
    net = mixed(embed.encoder(args.base), saved["model"], args.share)
    shutil.copytree(args.base, args.out, dirs_exist_ok=True, ignore=shutil.ignore_patterns("README.md", "data_config.json"))
    tensors = {name.removeprefix("bert."): t for name, t in published(net).items() if not name.startswith("heads.")}
    save_file(tensors, args.out / "model.safetensors", metadata={"format": "pt"})
    (args.out / "card.md").write_text(CARD.format(
        name=args.name, steps=saved["step"], tokens=saved["tokens"] / 1e6, seed=saved["seed"], share=args.share,
        sources=SOURCES), encoding="utf-8")


if __name__ == "__main__":
    main()
