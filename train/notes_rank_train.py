"""Trains the reranker on people's notes; see notes_rank.py.

Schedule, log and checkpoints are those of answers/run.py. Arithmetic is float32.
"""

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

import data
import evidence
import notes_rank
from answers.run import Mastered, add_arguments
from evidence_train import held_out
from model import load_bert

AHEAD = 40  # steps whose lists are sorted by length together


class Trainer(Mastered):
    """The state of a run."""

    def __init__(self, args: argparse.Namespace):
        super().__init__(args)
        torch.manual_seed(args.seed)
        self.master, self.net = (notes_rank.adapted(args.base, args.rank) for _ in range(2))
        self.before = load_bert(args.base).requires_grad_(False)
        self.masters, self.working = (list(evidence.trained(net).values()) for net in (self.master, self.net))
        heads = [self.master.head_weight, self.master.head_bias]
        self.optimizer = torch.optim.AdamW([
            {"params": [p for p in self.masters if all(p is not h for h in heads)], "scale": 1.0},
            {"params": heads, "scale": 5.0}], lr=args.rate, weight_decay=0.01, foreach=True)
        self.random = random.Random(args.seed)
        self.scorer = notes_rank.Scorer(args.base)
        self.notes, self.held = self.read_notes()
        self.prose = notes_rank.prose(args.examples / "train.jsonl")
        self.held["prose"] = notes_rank.prose(args.examples / "heldout.jsonl")
        self.orders: dict[str, list[notes_rank.List]] = {"notes": [], "prose": []}
        self.drawn, self.waiting = 0, []
        self.pool = ThreadPoolExecutor(2)

    def read_notes(self) -> tuple[list[notes_rank.List], dict[str, list[notes_rank.List]]]:
        """Lists to learn from; and those to judge by, of whole parts and of single notes."""
        learn, held = [], {"parts": [], "notes": []}
        for path in sorted(self.args.lists.glob("*.jsonl")):
            for entry in notes_rank.notes(path):
                if path.stem in self.args.parts:
                    held["parts"].append(entry)
                elif held_out(f"{path.stem}/{entry.path}", self.args.seed):
                    held["notes"].append(entry)
                else:
                    learn.append(entry)
        return learn, held

    def opening(self) -> str:
        """What is trained, and on what."""
        held = ", ".join(f"{len(v)} of {k}" for k, v in self.held.items())
        return (f"{sum(p.numel() for p in self.masters) / 1e6:.2f} M trained weights, {len(self.notes)} lists "
                f"of notes, {len(self.prose)} of prose, held out {held}, from step {self.step}")

    def seen(self) -> str:
        """How much has been trained on."""
        return f"{self.tokens / 1e6:.2f} M tokens, {self.drawn} lists"

    def next_list(self) -> notes_rank.List:
        """The next list, each of a kind once before any comes again."""
        kind = "prose" if self.random.random() < self.args.prose else "notes"
        order = self.orders[kind]
        if not order:
            order += getattr(self, kind)
            self.random.shuffle(order)
        self.drawn += 1
        return notes_rank.drawn(order.pop(), self.args.candidates, self.random)

    def draw(self) -> list[tuple[notes_rank.List, list]]:
        """The lists of a step with their pairs, of similar length."""
        if not self.waiting:
            ready = [self.next_list() for _ in range(AHEAD * self.args.asks)]
            ready = [(entry, self.scorer.batch(entry, notes_rank.LIMIT)) for entry in ready]
            ready.sort(key=lambda r: max(len(ids) for ids, _ in r[1]))
            self.waiting = [ready[i:i + self.args.asks] for i in range(0, len(ready), self.args.asks)]
            self.random.shuffle(self.waiting)
        return self.waiting.pop()

    def task(self, one: tuple[notes_rank.List, list]) -> tuple[list[torch.Tensor], float]:
        """Gradients of the working weights for a list, and its loss."""
        entry, pairs = one
        padded = data.pad(pairs)
        with torch.inference_mode():
            before = self.before(*padded)[-1] if not entry.path else None
        before = before.clone() if before is not None else None
        loss = notes_rank.loss(self.net(*padded), entry, before) / self.args.asks
        return torch.autograd.grad(loss, self.working), loss.item()

    def train_step(self) -> None:
        """One step of the optimiser."""
        start = time.monotonic()
        lists = self.draw()
        loss = self.descend(self.pool.map(self.task, lists))
        self.tokens += sum(len(ids) for _, pairs in lists for ids, _ in pairs)
        self.loss = loss if self.step == 1 else 0.98 * self.loss + 0.02 * loss
        self.seconds += time.monotonic() - start

    def validate(self) -> None:
        """Logs how high what answers is ranked, of some held-out lists, before and now."""
        for name, held in self.held.items():
            some = held[::max(1, len(held) // self.args.validation)]
            ranks = np.mean(list(self.pool.map(self.judge, some)), axis=0)
            self.log(f"  valid at step {self.step}, {name}: {len(some)} lists, MRR of hybrid {ranks[0]:.4f}, "
                     f"reranked before {ranks[1]:.4f}, now {ranks[2]:.4f}; "
                     f"first five {ranks[3]:.3f}, {ranks[4]:.3f}, {ranks[5]:.3f}")

    def judge(self, entry: notes_rank.List) -> list[float]:
        """Reciprocal ranks of what answers by hybrid, before and now, and whether it is among the first five."""
        padded = data.pad(self.scorer.batch(entry, notes_rank.READ))
        with torch.inference_mode():  # counts for one thread
            scores = [torch.zeros(len(entry.passages)), self.before(*padded)[-1], self.net(*padded)[-1]]
        ranks = []
        for s in scores:
            order = (s + notes_rank.PRIOR * torch.tensor(entry.hybrid)).argsort(descending=True, stable=True).tolist()
            files = list(dict.fromkeys(entry.files[i] if entry.path else str(i) for i in order))
            wanted = [entry.path] if entry.path else [str(i) for i, g in enumerate(entry.gold) if g]
            ranks.append(min((files.index(f) for f in wanted if f in files), default=10**9))
        return [1 / (r + 1) for r in ranks] + [float(r < 5) for r in ranks]

    def state(self) -> dict:
        """What a checkpoint holds of the model."""
        model = {name: p.detach() for name, p in evidence.trained(self.master).items()}
        return {"model": model, "rank": self.args.rank, "drawn": self.drawn}

    def restore(self, saved: dict) -> None:
        """Takes back the adapter and the heads."""
        with torch.no_grad():
            for name, p in evidence.trained(self.master).items():
                p.copy_(saved["model"][name])
        self.drawn = saved.get("drawn", 0)


def main() -> None:
    """Reads the arguments and trains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of checkpoints/")
    parser.add_argument("--lists", type=Path, required=True, help="folder of PART.jsonl, from lab bench answers")
    parser.add_argument("--examples", type=Path, required=True, help="folder of the answerer's examples")
    parser.add_argument("--base", type=Path, required=True, help="the reranker as unpack.py writes it")
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=60, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=5e-4, help="top learning rate")
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--asks", type=int, default=8, help="lists a step")
    parser.add_argument("--candidates", type=int, default=8, help="of a list")
    parser.add_argument("--prose", type=float, default=0.35, help="share of the lists that are prose")
    parser.add_argument("--parts", nargs="*", default=["life2", "mail"], help="parts that are left out whole")
    parser.add_argument("--validation", type=int, default=100, help="held-out lists of each kind")
    parser.set_defaults(save_minutes=5, validate_minutes=15)
    Trainer(parser.parse_args()).start()


if __name__ == "__main__":
    main()
