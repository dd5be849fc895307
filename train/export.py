"""Writes a checkpoint as a Hugging Face folder, with the heads and a draft card.

model.safetensors holds a BERT under its published names (bert.*) and
heads.weight [layers, width], heads.bias [layers] in float32: the score after
layer l is heads.weight[l] . h_l[CLS] + heads.bias[l].
"""

import argparse
import json
import shutil
import time
from pathlib import Path

import torch
from safetensors.torch import save_file

import data
from model import load_bert, published

TOKENS = 256  # of a pair, when dowse scores it

SOURCES = """\
| data | used | licence |
|---|---|---|
| all-MiniLM-L6-v2 | the weights that training starts from | Apache-2.0 |
| bge-small-en-v1.5, e5-small-v2 | teachers: their similarities are three quarters of what is learned of a list | MIT |
| MedQuAD | 5,000 questions with answers | CC BY 4.0 |
| SQuAD 2.0 dev, the articles outside the evaluation set | answerable questions | CC BY-SA 4.0 |
| QED (Natural Questions, Wikipedia) | questions with paragraphs | CC BY-SA 3.0 |
| PubMedQA | questions with abstracts; conclusions with the abstracts that back them | MIT |
| COVID-QA | questions with passages | Apache-2.0 |
| tldr-pages | 4,000 descriptions of commands with their pages | CC BY 4.0 |
| Rust book | headings with sections | MIT or Apache-2.0 |
| OWASP cheat sheets, redis-doc | headings with sections | CC BY-SA 4.0 |
| Prometheus docs | headings with sections | Apache-2.0 |
| Go's source tree | first sentences of doc comments with functions | BSD-3-Clause |
| Python's standard library | first sentences of docstrings with functions | PSF-2.0 |
| SQuAD 2, MedQuAD, COVID-QA and the documents above | sentences with the passages they were taken from | as above |
"""


def card(saved: dict, quality: str) -> str:
    """The draft of the weights' card."""
    return f"""# dowse reranker, 6 layers

A cross-encoder that scores how well a passage answers a query, after every one
of its layers. Its last score is added to dowse's hybrid score. Licence of the
weights: CC-BY-SA-4.0, as the share-alike sources below ask.

{SOURCES}
Nothing else was trained on. The blend was chosen on questions of these folders
that were held out, and on notes and manuals of which nothing is trained on. No
evaluation set was trained on, nor chose a checkpoint or the blend; that teachers
of this kind help was first seen on samples of them, and both that were tried
are used, with equal weights. train/README.md has the commands: the first
85 minutes (step 2,662) learned from the answers alone, the rest from teachers too.

Seed {saved["seed"]}, {saved["step"]} steps of 8 questions with 8 candidates each,
{saved["tokens"] / 1e6:.1f} million tokens, last schedule {saved["minutes"]:.0f} minutes on two threads.
The learned weight of dowse's hybrid score beside the last layer's is {float(saved["blend"].exp()):.2f}.

{quality}
"""


def main() -> None:
    """Exports one checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--blend", type=Path, help="blend.json of evaluate.py choose")
    parser.add_argument("--report", type=Path, help="what evaluate.py report printed, for the card")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    saved = torch.load(args.checkpoint, weights_only=False, map_location="cpu")
    net = load_bert(args.encoder)
    net.load_state_dict(saved["model"])
    args.out.mkdir(parents=True, exist_ok=True)
    save_file(published(net), args.out / "model.safetensors", metadata={"format": "pt"})
    config = dict(net.config)
    config.pop("_name_or_path", None)
    config |= {"architectures": ["BertForSequenceClassification"], "num_labels": 1, "layer_heads": len(net.layers)}
    if args.blend:
        config["blend"] = json.loads(args.blend.read_text())
    (args.out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (args.out / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": TOKENS}) + "\n")
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
        shutil.copyfile(args.encoder / name, args.out / name)
    quality = "```\n" + args.report.read_text() + "```" if args.report else ""
    (args.out / "card.md").write_text(card(saved, quality))
    check(net, args.out)
    print(f"{args.out}: step {saved['step']}, {time.strftime('%Y-%m-%d')}")


def check(net: torch.nn.Module, folder: Path) -> None:
    """Reads the folder again and compares scores, so that no name was mixed up."""
    again = load_bert(folder)
    pairs = [([101, 2054, 2003, 102, 7592, 2088, 102], 4), ([101, 2129, 102, 3231, 102], 3)]
    with torch.inference_mode():
        difference = (net(*data.pad(pairs)) - again(*data.pad(pairs))).abs().max().item()
    if difference > 1e-6:
        raise SystemExit(f"the exported weights score differently, by {difference}")


if __name__ == "__main__":
    main()
