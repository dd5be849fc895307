"""Trains the embedder on questions about notes and prose; see embed.py.

Questions about notes are learned from alone; of prose the student also follows a teacher,
bge-small-en-v1.5 (MIT), which has its vocabulary. Whole parts of the notes are left out
to judge by, a twentieth of the notes of the others, and what prepare.py holds out of the
collections. Schedule, log and checkpoints are those of answers/run.py.
"""

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

import embed
import embed_data
from answers.run import Mastered, add_arguments
from embed_data import Asked, Source

BGE_PREFIX = "Represent this sentence for searching relevant passages: "
SHARPNESS = 40.0  # of the teacher's cosines in the softmax: they lie closer together than the student's


class Trainer(Mastered):
    """The state of a run."""

    def __init__(self, args: argparse.Namespace):
        super().__init__(args)
        torch.manual_seed(args.seed)
        self.random = random.Random(args.seed)
        self.master, self.net = (embed.encoder(args.base) for _ in range(2))
        self.teacher = embed.encoder(args.bge).bfloat16().requires_grad_(False) if args.bge else None
        if args.bfloat16:
            self.net = self.net.bfloat16()
        self.masters, self.working = ([p for p in net.parameters() if p.requires_grad] for net in (self.master, self.net))
        self.optimizer = torch.optim.AdamW(self.masters, lr=args.rate, weight_decay=0.01, foreach=True)
        self.encoding = embed_data.Encoding(args.base)
        self.held: dict[str, list[Asked]] = {}
        self.notes = self.read_notes()
        self.prose = self.read_prose()
        self.pool = ThreadPoolExecutor(2)

    def read_notes(self) -> list[Source]:
        """The parts of the notes that are learned from."""
        found = []
        for path in sorted(self.args.lists.glob("*.jsonl")):
            learn, held = embed_data.notes(path, self.args.parts, self.args.seed)
            kind = "whole parts" if path.stem in self.args.parts else "notes of parts"
            self.held.setdefault(kind, []).extend(held)
            if learn:
                found.append(Source(path.stem, learn, self.random))
        return found

    def read_prose(self) -> list[Source]:
        """The collections that are learned from."""
        found = []
        for path in sorted((self.args.sets / "lists").glob("*.jsonl")):
            learn, self.held[path.stem] = embed_data.collection(self.args.sets, path.stem)
            if learn:
                found.append(Source(path.stem, learn, self.random))
        return found

    def opening(self) -> str:
        """What is trained, and on what."""
        def counts(sources: list[Source]) -> str:
            return ", ".join(f"{len(s.questions)} {s.name}" for s in sources)
        held = ", ".join(f"{len(q)} {name}" for name, q in self.held.items())
        return (f"{sum(p.numel() for p in self.masters) / 1e6:.2f} M trained weights; notes: {counts(self.notes)}; "
                f"prose: {counts(self.prose)}; held out: {held}; from step {self.step}")

    def source(self) -> tuple[Source, bool]:
        """What the next batch is of, and whether that is prose."""
        prose = self.random.random() < self.args.prose
        sources = self.prose if prose else self.notes
        weights = [len(s.questions) ** embed_data.TEMPERATURE for s in sources]
        return self.random.choices(sources, weights)[0], prose

    def taught(self, questions: list[str], passages: list[str]) -> torch.Tensor:
        """The teacher's cosines [questions, passages]."""
        ids = [self.encoding.ids(BGE_PREFIX + q, embed_data.QUESTION + 12) for q in questions]
        ids += [self.encoding.ids(p, embed_data.PASSAGE) for p in passages]
        found = self.encoded(self.teacher, ids, first_token=True)
        return found[:len(questions)] @ found[len(questions):].T

    def encoded(self, net: torch.nn.Module, texts: list[list[int]], first_token: bool = False) -> torch.Tensor:
        """Vectors of texts without gradients, on two threads."""
        groups = embed.groups(texts)

        def one(group: list[int]) -> torch.Tensor:
            with torch.inference_mode():
                return embed.vectors(net, [texts[i] for i in group], first_token)

        out = torch.empty(len(texts), self.net.config["hidden_size"])
        for group, found in zip(groups, self.pool.map(one, groups), strict=True):
            out[group] = found.clone()
        return out

    def train_step(self) -> None:
        """One step of the optimiser: vectors by groups on two threads, the loss over all, gradients by groups."""
        start = time.monotonic()
        source, prose = self.source()
        batch, questions, passages = embed_data.batch(
            source.draw(self.args.questions), source, self.encoding, self.random)
        texts = batch.questions + batch.passages
        groups = embed.groups(texts)
        made = list(self.pool.map(lambda g: embed.vectors(self.net, [texts[i] for i in g]), groups))
        vectors = torch.empty(len(texts), made[0].shape[1])
        for group, found in zip(groups, made, strict=True):
            vectors[group] = found.detach()
        vectors.requires_grad_(True)
        cosines = vectors[:len(questions)] @ vectors[len(questions):].T
        loss = embed.ranking_loss(cosines, batch)
        if prose and self.teacher:
            loss = (1 - self.args.follow) * loss + self.args.follow * embed.following_loss(
                cosines, self.taught(questions, passages), SHARPNESS)
        slope, = torch.autograd.grad(loss, vectors)
        jobs = [(found, slope[group]) for group, found in zip(groups, made, strict=True)]
        self.descend(self.pool.map(lambda job: (torch.autograd.grad(job[0], self.working, job[1]), 0.0), jobs))
        self.tokens += sum(map(len, texts))
        self.loss = loss.item() if self.step == 1 else 0.98 * self.loss + 0.02 * loss.item()
        self.seconds += time.monotonic() - start

    def validate(self) -> None:
        """Logs how high what answers is ranked among all passages of some held-out questions."""
        for name, held in self.held.items():
            some = held[::max(1, len(held) // self.args.validation)]
            if some:
                ranks = self.judge(self.net, some)
                self.log(f"  valid at step {self.step}, {name}: {len(some)} questions, MRR {np.mean(1 / (ranks + 1)):.4f}, "
                         f"first five {np.mean(ranks < 5):.3f}")

    def judge(self, net: torch.nn.Module, asked: list[Asked]) -> np.ndarray:
        """The ranks, from 0, of the best answers by a network."""
        passages = list(dict.fromkeys(p for q in asked for p in [*q.answers, *q.others[:embed_data.HARD]]))
        place = {p: i for i, p in enumerate(passages)}
        ids = [self.encoding.ids(q.text, embed_data.QUESTION) for q in asked]
        ids += [self.encoding.ids(p, embed_data.READ) for p in passages]
        found = self.encoded(net, ids)
        cosines = found[:len(asked)] @ found[len(asked):].T
        best = torch.tensor([max(float(c[place[p]]) for p in q.answers) for q, c in zip(asked, cosines, strict=True)])
        return (cosines > best[:, None]).sum(1).numpy()

    def state(self) -> dict:
        """What a checkpoint holds of the model."""
        return {"model": {n: p.detach() for n, p in self.master.named_parameters()}}

    def restore(self, saved: dict) -> None:
        """Takes back the weights, and draws other questions than before."""
        self.master.load_state_dict(saved["model"])
        self.random.seed(f"{self.args.seed} {saved['step']}")


def main() -> None:
    """Reads the arguments and trains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of checkpoints/")
    parser.add_argument("--lists", type=Path, required=True, help="folder of PART.jsonl, from lab bench answers")
    parser.add_argument("--sets", type=Path, required=True, help="folder of sets/ and lists/, from prepare.py")
    parser.add_argument("--base", type=Path, required=True, help="folder of all-MiniLM-L6-v2, where training begins")
    parser.add_argument("--bge", type=Path, help="folder of bge-small-en-v1.5, the teacher; none without")
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=60, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=6e-5, help="top learning rate")
    parser.add_argument("--questions", type=int, default=32, help="questions a step")
    parser.add_argument("--prose", type=float, default=0.4, help="share of the batches that are prose")
    parser.add_argument("--follow", type=float, default=0.5, help="share of the teacher in the loss of prose")
    parser.add_argument("--bfloat16", action="store_true", help="compute in bfloat16")
    parser.add_argument("--parts", nargs="*", default=["life2", "mail"], help="parts that are left out whole")
    parser.add_argument("--validation", type=int, default=150, help="held-out questions of each kind")
    parser.set_defaults(save_minutes=5, validate_minutes=10)
    Trainer(parser.parse_args()).start()


if __name__ == "__main__":
    main()
