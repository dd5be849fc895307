"""Trains the reranker to mark evidence: a low-rank adapter, and heads for spans and for evidence.

It learns from notes with questions, among the passages that dowse finds for
them, from the answerer's examples, which are prose, and from paragraphs with
questions that they only seem to answer. Whole parts of the
notes are left out to judge by, and a twentieth of the notes of the others.

Schedule, log and checkpoints are those of answers/run.py. Arithmetic is float32
by default; --bfloat16 is several times faster where the processor knows it.
"""

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

import evidence
import evidence_data
import followup_data
from answers.run import Mastered, add_arguments
from evidence_judge import judge, summary

AHEAD = 40  # steps whose questions are sorted by length together
OUT = 0.05  # of the notes of a part are left out


def held_out(group: str, seed: int) -> bool:
    """Whether a note is left out: a function of its name and the seed."""
    return random.Random(f"{seed} {group}").random() < OUT


class Trainer(Mastered):
    """The state of a run."""

    def __init__(self, args: argparse.Namespace):
        super().__init__(args)
        torch.manual_seed(args.seed)
        self.master = evidence.load(args.base, args.start, args.rank)
        self.net = evidence.load(args.base, args.start, args.rank)
        if args.bfloat16:
            self.net = self.net.bfloat16()
        self.masters, self.working = (list(net.trained().values()) for net in (self.master, self.net))
        self.optimizer = torch.optim.AdamW([
            {"params": [p for p in self.masters if p is not self.master.head], "scale": 1.0},
            {"params": [self.master.head], "scale": 5.0}], lr=args.rate, weight_decay=0.01, foreach=True)
        self.random = random.Random(args.seed)
        self.encoding = evidence.Encoding(args.base)
        self.notes, self.held = self.read_notes()
        self.prose = evidence_data.prose(args.examples / "train.jsonl") if args.prose else []
        self.held["prose"] = evidence_data.prose(args.examples / "heldout.jsonl") if args.prose else []
        articles = {q.group for q in self.held["prose"]}
        self.paragraphs = evidence_data.paragraphs(args.squad2, articles) if args.squad2 else []
        self.real, self.held["followups"], self.made = self.read_followups()
        self.orders: dict[str, list[evidence_data.Question]] = {"notes": [], "prose": [], "paragraphs": [], "real": []}
        self.drawn, self.waiting = 0, []
        self.pool = ThreadPoolExecutor(2)

    def read_notes(self) -> tuple[list[evidence_data.Question], dict[str, list[evidence_data.Question]]]:
        """Questions to learn from; and those to judge by, of whole parts and of single notes."""
        learn, held = [], {"parts": [], "notes": []}
        for path in sorted(self.args.lists.glob("*.jsonl")):
            for q in evidence_data.notes(path, path.stem):
                if followup_data.of_talk(q):
                    continue
                if path.stem in self.args.parts:
                    held["parts"].append(q)
                elif held_out(q.group, self.args.seed):
                    held["notes"].append(q)
                elif q.answered() or not q.answerable:  # a question whose evidence was not found teaches nothing
                    learn.append(q)
        return learn, held

    def read_followups(self) -> tuple[list[evidence_data.Question], list[evidence_data.Question], followup_data.Made]:
        """Follow-ups of conversations to learn from, some to judge by, and those that are made."""
        if not self.args.followups:
            return [], [], None
        real, held = followup_data.real(self.args.lists, self.args.talks)
        secret = followup_data.held_out_groups(self.args.talks)
        about = [q for q in self.notes if q.group not in secret]
        return real, held, followup_data.Made(about, followup_data.quotes_of(self.args.lists), self.random)

    def next_followup(self) -> evidence_data.Question:
        """The next follow-up."""
        if self.random.random() > followup_data.REAL:
            return self.made.next()
        if not self.orders["real"]:
            self.orders["real"] = self.random.sample(self.real, len(self.real))
        return self.orders["real"].pop()

    def opening(self) -> str:
        """What is trained, and on what."""
        count = sum(p.numel() for p in self.masters)
        held = ", ".join(f"{len(v)} of {k}" for k, v in self.held.items())
        return (f"{count / 1e6:.2f} M trained weights, {len(self.notes)} questions about notes, {len(self.prose)} "
                f"about prose, {len(self.paragraphs)} about paragraphs, {len(self.real)} follow-ups of conversations, "
                f"held out {held} ({' '.join(self.args.parts)}), from step {self.step}")

    def seen(self) -> str:
        """How much has been trained on."""
        return f"{self.tokens / 1e6:.2f} M tokens, {self.drawn} questions"

    def next_question(self) -> evidence_data.Question:
        """The next question, each of a kind once before any comes again."""
        shares = {"prose": self.args.prose, "paragraphs": self.args.impossible if self.paragraphs else 0.0,
                  "followups": self.args.followups}
        kind = self.random.choices([*shares, "notes"], [*shares.values(), 1 - sum(shares.values())])[0]
        self.drawn += 1
        if kind == "followups":
            return evidence_data.drawn(self.next_followup(), self.args.passages, self.random)
        order = self.orders[kind]
        if not order:
            order += evidence_data.balanced(self.notes, self.random) if kind == "notes" else getattr(self, kind)
            self.random.shuffle(order)
        return evidence_data.drawn(order.pop(), self.args.passages, self.random)

    def draw(self) -> list[evidence.Example]:
        """The questions of a step, of similar length."""
        if not self.waiting:
            ready = [self.encoding.example(self.next_question()) for _ in range(AHEAD * self.args.asks)]
            ready.sort(key=evidence.Example.longest)
            self.waiting = [ready[i:i + self.args.asks] for i in range(0, len(ready), self.args.asks)]
            self.random.shuffle(self.waiting)
        return self.waiting.pop()

    def task(self, examples: list[evidence.Example]) -> tuple[list[torch.Tensor], float]:
        """Gradients of the working weights, and the loss."""
        found = evidence.read(self.net, examples)
        loss = sum(evidence.loss(f, e) for f, e in zip(found, examples, strict=True)) / self.args.asks
        return torch.autograd.grad(loss, self.working), loss.item()

    def train_step(self) -> None:
        """One step of the optimiser."""
        start = time.monotonic()
        examples = self.draw()
        # A few questions at a time, so that what a layer computes stays in the processor's cache.
        parts = [examples[i:i + self.args.together] for i in range(0, len(examples), self.args.together)]
        loss = self.descend(self.pool.map(self.task, parts))
        self.tokens += sum(len(r.ids) for e in examples for r in e.rows)
        self.loss = loss if self.step == 1 else 0.98 * self.loss + 0.02 * loss
        self.seconds += time.monotonic() - start

    def validate(self) -> None:
        """Logs how good the answers to some held-out questions are."""
        for name, held in self.held.items():
            if not held:
                continue
            some = held[::max(1, len(held) // self.args.validation)]
            judged = judge(self.net, [self.encoding.example(q) for q in some])
            self.log(f"  valid at step {self.step}, {name}: {summary(judged)}")

    def state(self) -> dict:
        """What a checkpoint holds of the model."""
        model = {name: p.detach() for name, p in self.master.trained().items()}
        return {"model": model, "rank": self.args.rank, "drawn": self.drawn}

    def restore(self, saved: dict) -> None:
        """Takes back the adapter and the heads."""
        with torch.no_grad():
            for name, p in self.master.trained().items():
                p.copy_(saved["model"][name])
        self.drawn = saved.get("drawn", 0)


def main() -> None:
    """Reads the arguments and trains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of checkpoints/")
    parser.add_argument("--lists", type=Path, required=True, help="folder of PART.jsonl, from lab bench answers")
    parser.add_argument("--examples", type=Path, help="folder of the answerer's train.jsonl, for --prose")
    parser.add_argument("--base", type=Path, required=True, help="the reranker as unpack.py writes it")
    parser.add_argument("--start", type=Path, required=True, help="folder of the adapter to go on from")
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=60, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=7e-4, help="top learning rate")
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--asks", type=int, default=16, help="questions a step")
    parser.add_argument("--together", type=int, default=2, help="questions that a thread reads at once")
    parser.add_argument("--passages", type=int, default=3, help="of a question")
    parser.add_argument("--prose", type=float, default=0.2, help="share of the questions that are about prose")
    parser.add_argument("--squad2", type=Path, help="answers.json of SQuAD 2.0, for --impossible")
    parser.add_argument("--impossible", type=float, default=0.25, help="share of the questions that are about those")
    parser.add_argument("--talks", type=Path, help="followups.jsonl of the notes with questions, for --followups")
    parser.add_argument("--followups", type=float, default=0.0, help="share of the questions that are follow-ups")
    parser.add_argument("--parts", nargs="*", default=["life2", "mail"], help="parts that are left out whole")
    parser.add_argument("--validation", type=int, default=150, help="held-out questions of each kind")
    parser.add_argument("--bfloat16", action="store_true")
    parser.set_defaults(save_minutes=5, validate_minutes=15)
    Trainer(parser.parse_args()).start()


if __name__ == "__main__":
    main()
