"""Trains the cross-encoder, with a scoring head after every layer.

Each step reads eight questions, each with its answer and seven candidates that
dowse ranked near it, and minimises, over each list:

  * the cross-entropy of the last layer's scores with the answer, mixed with
    what dowse's own scores say (SOFT);
  * the cross-entropy of scores + blend * hybrid score, blend being learned:
    what the model is used for is to add to dowse's ranking, not to replace it;
  * for earlier layers, with weights rising from 0.1 to 0.5, the cross-entropy
    with the answer mixed half and half with the last layer's distribution, so
    that early scores foretell late ones.

The schedule (warm-up, then cosine to zero) follows the clock, because the
machine is shared: --minutes is the time of training that it covers. A run that
was killed goes on with --resume; a finished run is trained further with
--resume --extend, which begins a new schedule with the old weights.

Arithmetic is bfloat16 with float32 master weights. Two threads work on
different lists and never wait for each other within a step.
"""

import argparse
import json
import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import data
import ranking
from model import CrossEncoder, load_bert

LISTS = 8  # a step
LISTS_A_TASK = 2  # what one thread works on at a time
ROWS = 8  # pairs of similar length that are padded together
LAYER_WEIGHTS = [0.1, 0.2, 0.3, 0.4, 0.5, 1.0]
SOFT, SOFT_SHARPNESS = 0.15, 15.0
HEAD_RATE = 10  # how much faster heads learn than the body
WARM_UP = 0.05  # of the schedule
VALIDATION_QUERIES, VALIDATION_DEPTH = 16, 20  # a collection


def scores_of(net: CrossEncoder, pairs: list) -> torch.Tensor:
    """Scores [layers, pairs], pairs of similar length computed together."""
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]))
    parts = [net(*data.pad([pairs[i] for i in order[at:at + ROWS]])) for at in range(0, len(order), ROWS)]
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(parts, dim=1)[:, back]


def list_loss(scores: torch.Tensor, hybrid: torch.Tensor, blend: torch.Tensor) -> torch.Tensor:
    """The loss of one list: scores [layers, candidates], the answer first."""
    truth = torch.zeros(scores.shape[1])
    truth[0] = 1
    last = F.log_softmax(scores[-1], dim=0)
    target = (1 - SOFT) * truth + SOFT * F.softmax(SOFT_SHARPNESS * hybrid, dim=0)
    blended = F.log_softmax(scores[-1] + blend * hybrid, dim=0)
    total = 0.5 * LAYER_WEIGHTS[-1] * (-(target * last).sum() - blended[0])
    foretold = 0.5 * truth + 0.5 * last.detach().exp()
    for weight, layer in zip(LAYER_WEIGHTS[:-1], scores[:-1], strict=True):
        total = total - weight * (foretold * F.log_softmax(layer, dim=0)).sum()
    return total


class Trainer:
    """The state of a run, and what is done with it."""

    def __init__(self, args: argparse.Namespace):
        self.args = args
        torch.manual_seed(args.seed)
        self.master = load_bert(args.encoder)
        self.working = load_bert(args.encoder).bfloat16()
        self.blend = torch.nn.Parameter(torch.tensor(math.log(10.0)))  # its logarithm
        for net in (self.master, self.working):
            net.word.weight.requires_grad_(False)  # rare words would only be half learned
        heads = [self.master.head_weight, self.master.head_bias, self.blend]
        body = [p for p in self.master.parameters() if p.requires_grad and all(p is not h for h in heads)]
        self.optimizer = torch.optim.AdamW([
            {"params": [p for p in body if p.dim() > 1], "scale": 1.0, "weight_decay": 0.01},
            {"params": [p for p in body if p.dim() == 1], "scale": 1.0, "weight_decay": 0.0},
            {"params": heads, "scale": HEAD_RATE, "weight_decay": 0.0},
        ], lr=args.rate, foreach=True)
        sets, tokenizer = data.load_sets(args.work, args.encoder)
        self.sets, self.pairs = sets, data.Pairs(tokenizer)
        self.order = data.Order(sets, args.seed)
        self.step, self.tokens, self.seconds, self.loss = 0, 0, 0.0, 0.0
        self.pool = ThreadPoolExecutor(2)

    def log(self, text: str) -> None:
        """Writes one line with the time."""
        with open(self.args.log, "a", encoding="utf-8") as out:
            out.write(time.strftime("%H:%M:%S ") + text + "\n")

    def publish(self) -> None:
        """Copies the master weights into the ones that are computed with."""
        with torch.no_grad():
            for ours, theirs in zip(self.working.parameters(), self.master.parameters(), strict=True):
                if ours.requires_grad:
                    ours.copy_(theirs)

    def rate(self) -> float:
        """The share of the top learning rate that is due now."""
        done = self.seconds / (60 * self.args.minutes)
        if done < WARM_UP:
            return max(done / WARM_UP, 0.01)
        return max(0.0, 0.5 * (1 + math.cos(math.pi * (done - WARM_UP) / (1 - WARM_UP))))

    def task(self, lists: list[data.Drawn]) -> tuple[list[torch.Tensor], torch.Tensor, float, int]:
        """Gradients of the working weights and of the blend, loss, tokens."""
        pairs = []
        for drawn in lists:
            ids = self.pairs.query(drawn.query)
            pairs += [self.pairs.pair(ids, passage, drawn.limit) for passage in drawn.passages]
        scores = scores_of(self.working, pairs)
        blend = self.blend.detach().exp().requires_grad_(True)
        loss = torch.zeros(())
        at = 0
        for drawn in lists:
            part = scores[:, at:at + len(drawn.passages)]
            loss = loss + list_loss(part, torch.tensor(drawn.hybrid), blend) / LISTS
            at += len(drawn.passages)
        weights = [p for p in self.working.parameters() if p.requires_grad]
        *gradients, of_blend = torch.autograd.grad(loss, [*weights, blend])
        return gradients, of_blend * blend.detach(), loss.item(), sum(len(ids) for ids, _ in pairs)

    def train_step(self) -> None:
        """One step of the optimiser."""
        start = time.monotonic()
        lists = [self.order.next() for _ in range(LISTS)]
        lists.sort(key=data.Drawn.size)
        tasks = [lists[i:i + LISTS_A_TASK] for i in range(0, LISTS, LISTS_A_TASK)]
        masters = [p for p in self.master.parameters() if p.requires_grad]
        sums = [torch.zeros_like(p) for p in masters]
        of_blend, loss = torch.zeros(()), 0.0
        # The longest first, so that no thread is left with a long one alone.
        for gradients, blend, part, tokens in self.pool.map(self.task, reversed(tasks)):
            for total, gradient in zip(sums, gradients, strict=True):
                total += gradient
            of_blend, loss, self.tokens = of_blend + blend, loss + part, self.tokens + tokens
        for p, gradient in zip(masters, sums, strict=True):
            p.grad = gradient
        self.blend.grad = of_blend
        torch.nn.utils.clip_grad_norm_(masters, 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = self.args.rate * self.rate() * group["scale"]
        self.optimizer.step()
        self.publish()
        self.step += 1
        self.loss = loss if self.step == 1 else 0.98 * self.loss + 0.02 * loss
        self.seconds += time.monotonic() - start

    def validate(self) -> None:
        """Logs nDCG@10 of hybrid, reranker and blend on some held-out questions."""
        gains, blend = [], float(self.blend.detach().exp())

        def one(job: tuple) -> tuple[float, float, float]:
            chosen, entry = job
            documents = entry.documents[:VALIDATION_DEPTH]
            query = self.pairs.query(entry.query)
            pairs = [self.pairs.pair(query, chosen.passages[d], 256) for d in documents]
            with torch.inference_mode():  # counts for one thread
                scores = scores_of(self.working, pairs)[-1].numpy()
            hybrid = np.array(entry.scores[:VALIDATION_DEPTH])
            truth = {entry.positive: 1}
            alone = ranking.rerank(documents, scores, hybrid, "raw", 0.0)
            both = ranking.rerank(documents, scores, hybrid, "raw", blend)
            return tuple(ranking.ndcg10(d, truth) for d in (documents, alone, both))

        for chosen in self.sets:
            stride = max(1, len(chosen.held_out) // VALIDATION_QUERIES)
            jobs = [(chosen, entry) for entry in chosen.held_out[::stride][:VALIDATION_QUERIES]]
            hybrid, alone, both = np.mean(list(self.pool.map(one, jobs)), axis=0)
            gains.append(both - hybrid)
            self.log(f"  valid {chosen.name:12} hybrid {hybrid:.4f} reranker {alone:.4f} "
                     f"blend {both:.4f} {both - hybrid:+.4f}")
        self.log(f"  valid mean gain {np.mean(gains):+.4f} at step {self.step}, blend {blend:.2f}")

    def save(self, name: str) -> None:
        """Writes a checkpoint; a kill never leaves half of one."""
        path = self.args.work / "checkpoints" / name
        path.parent.mkdir(exist_ok=True)
        torch.save({
            "model": self.master.state_dict(), "optimizer": self.optimizer.state_dict(), "blend": self.blend.detach(),
            "order": self.order.state(), "step": self.step, "tokens": self.tokens, "seconds": self.seconds,
            "loss": self.loss, "seed": self.args.seed, "minutes": self.args.minutes,
        }, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    def load(self, path: Path, extend: bool) -> None:
        """Goes on from a checkpoint, with a new schedule if it is to be extended."""
        saved = torch.load(path, weights_only=False)
        self.master.load_state_dict(saved["model"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.blend.data.copy_(saved["blend"])
        self.order.restore(saved["order"])
        self.step, self.tokens, self.loss = saved["step"], saved["tokens"], saved["loss"]
        self.seconds = 0.0 if extend else saved["seconds"]

    def run(self) -> None:
        """Trains to the end of the schedule."""
        counts = {s.name: (len(s.training), len(s.held_out)) for s in self.sets}
        self.log(f"seed {self.args.seed}, {self.args.minutes} minutes, rate {self.args.rate}, from step {self.step}; "
                 f"lists trained on and held out: {json.dumps(counts)}")
        self.publish()
        logged = saved = checked = time.monotonic()
        tokens = self.tokens
        while self.seconds < 60 * self.args.minutes:
            self.train_step()
            now = time.monotonic()
            if now - logged > 60:
                self.log(f"step {self.step} loss {self.loss:.4f} rate {self.args.rate * self.rate():.2e} "
                         f"{(self.tokens - tokens) / (now - logged):.0f} tokens/s, {self.tokens / 1e6:.2f} M tokens, "
                         f"{self.seconds / 60:.1f} min")
                logged, tokens = now, self.tokens
            if now - saved > 60 * self.args.save_minutes:
                self.save("last.pt")
                saved = now
            if now - checked > 60 * self.args.validate_minutes:
                self.save(f"step{self.step}.pt")
                self.validate()
                checked = logged = time.monotonic()
                tokens = self.tokens
        self.save("last.pt")
        self.save("final.pt")
        self.validate()
        self.log("done")


def main() -> None:
    """Reads the arguments and trains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of sets/, lists/ and checkpoints/")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=90, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=1e-4, help="top learning rate")
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--save-minutes", type=float, default=10)
    parser.add_argument("--validate-minutes", type=float, default=20)
    parser.add_argument("--resume", type=Path, help="a checkpoint to go on from")
    parser.add_argument("--extend", action="store_true", help="begin a new schedule with the checkpoint's weights")
    args = parser.parse_args()
    torch.set_num_threads(1)
    trainer = Trainer(args)
    if args.resume:
        trainer.load(args.resume, args.extend)
    trainer.run()


if __name__ == "__main__":
    main()
