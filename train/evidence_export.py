"""Writes a checkpoint of evidence_train.py as dowse reads it, with a draft of its card.

How likely an answer is right is a logistic regression over four figures of it,
fitted to held-out questions, about notes among the passages that a search finds
and about prose. Two thresholds on it follow from those about notes: from one an answer is sure, from a
lower one it is perhaps right. They are the least ones at which no more answers
than stated are wrong.
"""

import argparse
import hashlib
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

import evidence
import evidence_data
import followup_data
from answers.licences import table
from evidence_judge import Judged, judge, summary

READ = 5  # passages of a question
PROSE = 4  # one of so many held-out questions about prose is asked
MADE = 2  # one of so many made follow-ups is asked
STEPS = 60  # of Newton's method
SHRINK = 1e-3  # of the regression's weights


def fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The weights of a logistic regression."""
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - y) / len(y) + SHRINK * w
        hessian = (x * (p * (1 - p))[:, None]).T @ x / len(y) + SHRINK * np.eye(len(w))
        w -= np.linalg.solve(hessian, gradient)
    return w


def least(p: np.ndarray, allowed: list[tuple[np.ndarray, float]]) -> float:
    """The least threshold from which, of each population, no larger share than allowed is answered wrongly."""
    for t in np.unique(np.round(p, 3)):
        if all((wrong & (p >= t)).sum() <= share * population for wrong, population, share in allowed):
            return float(t)
    return 1.0


def thresholds(p: np.ndarray, judged: list[Judged], args: argparse.Namespace) -> tuple[float, float]:
    """From where answers are sure, and from where they are perhaps right."""
    answerable = np.array([j.answerable for j in judged])
    right = np.array([j.right for j in judged])
    populations = answerable.sum(), (~answerable).sum()

    def at(wrong: float, invented: float) -> float:
        return least(p, [(answerable & ~right, populations[0], wrong), (~answerable, populations[1], invented)])

    return at(args.wrong, args.invented), at(1.0, args.invented_perhaps)


def figures_of(judged: list[Judged]) -> tuple[np.ndarray, np.ndarray]:
    """What the regression goes by, and what was right."""
    x = np.array([[1.0, j.margin, j.shared, j.brief, j.words] for j in judged])
    return x, np.array([float(j.right) for j in judged])


def report(p: np.ndarray, judged: list[Judged], sure: float, perhaps: float) -> str:
    """What becomes of the questions."""
    lines = []
    for kind in ["all", *sorted({j.kind for j in judged})]:
        some = [i for i, j in enumerate(judged) if kind in ("all", j.kind)]
        yes, no = [i for i in some if judged[i].answerable], [i for i in some if not judged[i].answerable]
        is_sure, is_perhaps = p >= sure, (p >= perhaps) & (p < sure)
        right, shown = (np.array([getattr(j, name) for j in judged]) for name in ("right", "shown"))

        def of(which: list[int], test: np.ndarray) -> str:
            return f"{test[which].mean():.3f}" if which else "-"

        lines.append(f"{kind:11} {len(yes):4} answerable: sure and right {of(yes, is_sure & right)}, "
                     f"sure and wrong {of(yes, is_sure & ~right)}, perhaps right {of(yes, is_perhaps & right)}, "
                     f"perhaps wrong {of(yes, is_perhaps & ~right)}, "
                     f"evidence quoted {of(yes, (p >= perhaps) & shown)}; {len(no):4} others: "
                     f"sure {of(no, is_sure)}, perhaps {of(no, is_perhaps)}")
    return "\n".join(lines)


def choose(judged: list[Judged], more: list[Judged], args: argparse.Namespace) -> tuple[dict, str]:
    """The confidence that dowse.json has, fitted to what is judged and to more; and what becomes of the first."""
    weights = fit(*figures_of([*judged, *more]))
    p = 1 / (1 + np.exp(-figures_of(judged)[0] @ weights))
    sure, perhaps = thresholds(p, judged, args)
    figures = (f"{summary(judged)};\nchance = logistic({weights[0]:.3f} + {weights[1]:.3f} margin + "
               f"{weights[2]:.3f} shared + {weights[3]:.3f} brief + {weights[4]:.3f} words),\nsure from {sure:.3f}, "
               f"perhaps from {perhaps:.3f}:\n\n"
               f"```\n{report(p, judged, sure, perhaps)}\n```\n")
    names = "bias", "margin", "shared", "brief", "words"
    confidence = dict(zip(names, (round(float(w), 4) for w in weights), strict=True))
    return confidence | {"sure_from": sure, "perhaps_from": perhaps}, figures


def card(saved: dict, figures: str) -> str:
    """The draft of the adapter's card."""
    base = ("| dowse-rerank-6 | the weights that it is trained on; its card says of what | CC-BY-SA-4.0 |\n"
            "| notes-qa | synthetic personal notes with questions, made for this project | CC0-1.0 |")
    return f"""# dowse reader, 6 layers

An adapter of rank {saved["rank"]} for dowse-rerank-6, with three heads: logits of each token of a
passage that a short answer begins with it, that one ends with it, and that it is
evidence. dowse --answer quotes the pieces whose tokens are evidence. Licence of the
weights: CC-BY-SA-4.0, as the share-alike sources below ask.

{table(base)}
Nothing else was trained on, but for what dowse-rerank-6 was; no evaluation set was
trained on or used to choose anything. train/README.md has the commands.

Seed {saved["seed"]}, {saved["step"]} steps of 16 questions, {saved["tokens"] / 1e6:.1f} million tokens, last
schedule {saved["minutes"]:.0f} minutes on two threads.

{figures}"""


def main() -> None:
    """Exports one checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=Path, nargs="+", required=True, help="lists of parts that were left out")
    parser.add_argument("--prose", type=Path, required=True, help="the answerer's heldout.jsonl")
    parser.add_argument("--talks", type=Path, help="followups.jsonl, where follow-ups were learned")
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--bfloat16", action="store_true", help="judge in bfloat16")
    parser.add_argument("--wrong", type=float, default=0.15, help="share of the answerable that may be wrong, and sure")
    parser.add_argument("--invented", type=float, default=0.15, help="share of the others that may be answered surely")
    parser.add_argument("--invented-perhaps", type=float, default=0.4, help="share of them that may be answered")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)
    saved = torch.load(args.checkpoint, weights_only=True, map_location="cpu")
    net = evidence.load(args.base, args.start, saved["rank"])
    with torch.no_grad():
        for name, p in net.trained().items():
            p.copy_(saved["model"][name].bfloat16().float() if p is not net.head else saved["model"][name])
    args.out.mkdir(parents=True, exist_ok=True)
    save_file(evidence.published(net), args.out / "adapter_model.safetensors", metadata={"format": "pt"})
    if args.bfloat16:
        net = net.bfloat16()
    encoding, examples = evidence.Encoding(args.base), []
    for path in args.lists:
        for q in evidence_data.notes(path, path.stem):
            q.passages = q.passages[:READ]
            examples.append(encoding.example(q))
    judged = judge(net, examples)
    prose = judge(net, [encoding.example(q) for q in evidence_data.prose(args.prose)[::PROSE]])
    confidence, figures = choose(judged, prose, args)
    follow_ups = None
    if args.talks:
        rng = random.Random(saved["seed"])
        talks, made = followup_data.held_out(args.lists, args.talks, rng)
        made = rng.sample(made, len(made) // MADE)
        for q in [*talks, *made]:
            q.passages = q.passages[:READ]
        real, made = (judge(net, [encoding.example(q) for q in some]) for some in (talks, made))
        follow_ups, told = choose(real + made, [], args)
        figures += f"\nFollow-ups, of conversations and made: {told}\nOf conversations alone: {summary(real)}.\n"
    print(figures)
    (args.out / "adapter_config.json").write_text(json.dumps({
        "peft_type": "LORA", "base_model_name_or_path": "dowse-rerank-6", "inference_mode": True, "r": saved["rank"],
        "lora_alpha": saved["rank"], "lora_dropout": 0.0, "bias": "none", "fan_in_fan_out": False,
        "use_rslora": False, "use_dora": False, "target_modules": ["query", "key", "value", "dense"]}, indent=2) + "\n")
    purpose = {"role": "reader", "max_tokens": evidence.LIMIT, "confidence": confidence}
    if follow_ups:
        purpose["follow_ups"] = follow_ups
    purpose |= {"adapter_sha256": hashlib.sha256((args.out / "adapter_model.safetensors").read_bytes()).hexdigest()}
    (args.out / "dowse.json").write_text(json.dumps(purpose, indent=2) + "\n")
    (args.out / "card.md").write_text(card(saved, figures), encoding="utf-8")
    print(f"{args.out}: step {saved['step']}, {time.strftime('%Y-%m-%d')}")


if __name__ == "__main__":
    main()
