"""Writes a checkpoint as dowse reads it, with a draft of its card.

An adapter becomes a folder in PEFT's layout: adapter_config.json and
adapter_model.safetensors in bfloat16, which is what training computed with, and
dowse.json, which says that it answers, from when on it declines, and how much it
is given. After --full it is a Hugging Face folder with all weights.
"""

import argparse
import hashlib
import json
import shutil
import time
from pathlib import Path

import torch
from answers.chat import INSTRUCTION
from answers.evaluate import GIVEN, TOKENS, load_checkpoint
from answers.licences import table
from answers.model import MODULES, Decoder, adapter_tensors, load_adapter, load_decoder
from safetensors.torch import load_file, save_file

PASSAGES = 4  # the most that an example of the training has
LIKELY = 0.5  # from where declining is likelier than not

NOTES = "| notes-qa | synthetic personal notes with questions, made for this project | CC0-1.0 |"
BASE = "| SmolLM2-135M-Instruct | the weights that it is trained on, as published in Q4_1 | Apache-2.0 |"


def card(saved: dict, threshold: float | None, confidence: dict | None, quality: str) -> str:
    """The draft of the weights' card."""
    what = "All weights but the embeddings" if saved["full"] else f"A low-rank adapter (rank {saved['rank']})"
    kind = " --full" if saved["full"] else f" --rank {saved['rank']} --alpha {saved['alpha']:g}"
    decline = f"It declines from a probability of {threshold:.4g} of the first token of \"Not in your files.\".\n" \
        if threshold is not None else ""
    form, base = "A short answer comes first with its\ncitation, the sentence that it stands in after it.", BASE
    if confidence:
        decline = ("chance = logistic({bias} + {support} reader's logit + {assent} log-odds of not\n"
                   "declining), sure from {sure_from}, perhaps from {perhaps_from}.\n").format(**confidence)
        form, base = "The passages are cut to what\nthe reader of dowse quotes.", f"{BASE}\n{NOTES}"
    return f"""# Answers from passages, for SmolLM2-135M-Instruct

{what}: answers a question from numbered passages in their own words, cites
them as [n], or says "Not in your files.". {form} Prompts are those of dowse,
with the instruction

> {INSTRUCTION}

{table(base)}
Nothing else was trained on; no evaluation set was trained on or used to choose
anything. train/answers/README.md has the commands; this was

    train.py --minutes {saved["minutes"]:g} --rate {saved["top"]:g} --rows {saved["rows"]} --seed {saved["seed"]}{kind}

{saved["step"]} steps, {saved["asks"]} questions, {saved["tokens"] / 1e6:.1f} million tokens on two threads.
{decline}
{quality}"""


def write_adapter(net: Decoder, saved: dict, out: Path) -> None:
    """Writes an adapter in PEFT's layout."""
    tensors = {name: t.bfloat16() for name, t in adapter_tensors(net).items()}
    save_file(tensors, out / "adapter_model.safetensors", metadata={"format": "pt"})
    config = {
        "peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": "HuggingFaceTB/SmolLM2-135M-Instruct",
        "r": saved["rank"], "lora_alpha": saved["alpha"], "lora_dropout": 0.0, "bias": "none", "inference_mode": True,
        "fan_in_fan_out": False, "use_rslora": False, "use_dora": False,
        "target_modules": sorted(m.split(".")[1] for m in MODULES),
    }
    (out / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n")


def write_purpose(out: Path, threshold: float | None, confidence: dict | None) -> None:
    """Writes what dowse is to do with an adapter: of whole passages, or of quotations, with how sure it is."""
    purpose = {"role": "answerer", "prompt": "passages"}
    if confidence:
        purpose |= {"decline_from": threshold or LIKELY, "confidence": confidence}
    else:
        purpose |= {"decline_from": threshold, "short_first": True}
    purpose |= {
        "passages": PASSAGES, "passage_tokens": GIVEN * TOKENS,  # as much as the report measures
        "adapter_sha256": hashlib.sha256((out / "adapter_model.safetensors").read_bytes()).hexdigest(),
    }
    if purpose["decline_from"] is None:
        del purpose["decline_from"]
    (out / "dowse.json").write_text(json.dumps(purpose, indent=2) + "\n")


def write_full(net: Decoder, base: Path, out: Path) -> None:
    """Writes all weights as a Hugging Face folder."""
    names = load_file(base / "model.safetensors")
    state = net.state_dict()
    tensors = {name: state[name.removeprefix("model.")].bfloat16().contiguous() for name in names}
    save_file(tensors, out / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((base / "config.json").read_text(encoding="utf-8")) | {"torch_dtype": "bfloat16"}
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(base / name, out / name)


def check(net: Decoder, again: Decoder) -> None:
    """Compares the logits of what was written, so that no name was mixed up."""
    ids = torch.tensor([1, 9690, 198, 2683, 359, 253, 5356])
    mask = torch.full((len(ids), len(ids)), -1e4).triu(1)
    with torch.inference_mode():
        a, b = (m.logits(m(ids, torch.arange(len(ids)), mask)) for m in (net.bfloat16(), again.bfloat16()))
    if (a - b).abs().max().item() > 0.05 * a.abs().max().item():
        raise SystemExit(f"the exported weights differ: logits by {(a - b).abs().max().item()}")


def main() -> None:
    """Exports one checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of base/")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--threshold", type=Path, help="threshold.json of evaluate.py choose")
    parser.add_argument("--confidence", type=Path, help="what writer_judge.py wrote, of a writer from quotations")
    parser.add_argument("--report", type=Path, help="what evaluate.py report printed, for the card")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)
    base = args.work / "base"
    net = load_decoder(base)
    saved = load_checkpoint(net, args.checkpoint)
    args.out.mkdir(parents=True, exist_ok=True)
    if saved["full"]:
        write_full(net, base, args.out)
        again = load_decoder(args.out)
    else:
        write_adapter(net, saved, args.out)
        again = load_decoder(base)
        load_adapter(again, args.out)
    check(net, again)
    threshold = json.loads(args.threshold.read_text())["threshold"] if args.threshold else None
    confidence = json.loads(args.confidence.read_text()) if args.confidence else None
    if not saved["full"]:
        write_purpose(args.out, threshold, confidence)
    quality = "```\n" + args.report.read_text() + "```\n" if args.report else ""
    (args.out / "card.md").write_text(card(saved, threshold, confidence, quality), encoding="utf-8")
    print(f"{args.out}: step {saved['step']}, {time.strftime('%Y-%m-%d')}")


if __name__ == "__main__":
    main()
