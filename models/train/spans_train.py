"""Trains the reranker to point at answers: a low-rank adapter, and a head for spans.

The examples are those of the answerer (answers/prepare.py), questions with
numbered passages of which one, two or none answer, and how-to notes made of
some of them (spans_notes.py). The loss is the cross-entropy of where the answer
begins, and of where it ends; several right places share it.

Schedule, log, checkpoints and arithmetic are those of train.py.
"""

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

import spans
from answers.measures import ranked_right
from answers.run import Mastered, add_arguments
from sources import read_json_lines
from spans_notes import Notes

AHEAD = 40  # steps whose questions are sorted by length together


class Trainer(Mastered):
    """The state of a run."""

    def __init__(self, args: argparse.Namespace):
        super().__init__(args)
        torch.manual_seed(args.seed)
        self.master = spans.load(args.encoder, args.start, args.rank)
        self.net = spans.load(args.encoder, args.start, args.rank).bfloat16()
        self.masters, self.working = (list(net.trained().values()) for net in (self.master, self.net))
        self.optimizer = torch.optim.AdamW([
            {"params": [p for p in self.masters if p is not self.master.head], "scale": 1.0},
            {"params": [self.master.head], "scale": 5.0}], lr=args.rate, weight_decay=0.0, foreach=True)
        self.random = random.Random(args.seed)
        self.rows = list(read_json_lines(args.examples / "train.jsonl"))
        self.notes = Notes(args.examples / "train.jsonl", args.seed)
        self.examples, self.drawn, self.waiting = spans.Examples(args.encoder, args.seed), 0, []
        self.held = spans.Examples(args.encoder, args.seed).read_file(args.examples / "heldout.jsonl")
        self.pool = ThreadPoolExecutor(2)

    def opening(self) -> str:
        """What is trained, and on what."""
        count = sum(p.numel() for p in self.masters)
        return (f"{count / 1e6:.2f} M trained weights, {len(self.rows)} examples, {len(self.notes.commands)} commands, "
                f"from step {self.step}")

    def seen(self) -> str:
        """How much has been trained on."""
        return f"{self.tokens / 1e6:.2f} M tokens, {self.drawn} examples"

    def next_row(self) -> dict:
        """The next example."""
        if self.random.random() < self.args.notes:
            return self.notes.row()
        if self.drawn % len(self.rows) == 0:
            self.random.shuffle(self.rows)
        self.drawn += 1
        return self.rows[self.drawn % len(self.rows)]

    def draw(self) -> list[spans.Example]:
        """The questions of a step, of similar length."""
        if not self.waiting:
            ready: list[spans.Example] = []
            while len(ready) < AHEAD * self.args.asks:
                ready += [e for e in self.examples.read(self.next_row()) if bool(e.starts) == e.gold]
            ready.sort(key=spans.Example.longest)
            self.waiting = [ready[i:i + self.args.asks] for i in range(0, len(ready), self.args.asks)]
            self.random.shuffle(self.waiting)
        return self.waiting.pop()

    def task(self, examples: list[spans.Example]) -> tuple[list[torch.Tensor], float]:
        """Gradients of the working weights, and the loss."""
        found = spans.logits(self.net, examples)
        loss = sum(spans.loss(f, e) for f, e in zip(found, examples, strict=True)) / self.args.asks
        return torch.autograd.grad(loss, self.working), loss.item()

    def train_step(self) -> None:
        """One step of the optimiser."""
        start = time.monotonic()
        examples = self.draw()
        loss = self.descend(self.pool.map(self.task, [part for part in (examples[::2], examples[1::2]) if part]))
        self.tokens += sum(len(ids) for e in examples for ids, _ in e.rows)
        self.loss = loss if self.step == 1 else 0.98 * self.loss + 0.02 * loss
        self.seconds += time.monotonic() - start

    def validate(self) -> None:
        """Logs F1 of some held-out questions, and how well those without an answer are told apart."""
        held = self.held[::max(1, len(self.held) // self.args.validation)]
        judged = spans.judge(self.net, held)
        f1 = np.mean([j.f1 for j, e in zip(judged, held, strict=True) if e.gold])
        told = ranked_right([j.none for j in judged], [e.gold for e in held])
        self.log(f"  valid at step {self.step}: F1 of the answerable {f1:.3f}, told apart {told:.3f} on {len(held)}")

    def state(self) -> dict:
        """What a checkpoint holds of the model."""
        model = {name: p.detach() for name, p in self.master.trained().items()}
        return {"model": model, "rank": self.args.rank, "drawn": self.drawn}

    def restore(self, saved: dict) -> None:
        """Takes back the adapter and the head."""
        spans.restore(self.master, saved["model"])
        self.drawn = saved.get("drawn", 0)


def main() -> None:
    """Reads the arguments and trains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of checkpoints/")
    parser.add_argument("--examples", type=Path, required=True, help="folder of train.jsonl and heldout.jsonl")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--start", type=Path, required=True, help="the reranker's checkpoint")
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=60, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=7e-4, help="top learning rate")
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--asks", type=int, default=16, help="questions a step")
    parser.add_argument("--notes", type=float, default=0.2, help="share of the examples that are notes")
    parser.add_argument("--validation", type=int, default=300, help="held-out questions")
    parser.set_defaults(save_minutes=5, validate_minutes=10)
    Trainer(parser.parse_args()).start()


if __name__ == "__main__":
    main()
