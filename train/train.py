"""Trains the cross-encoder, with a scoring head after every layer.

Each step reads eight questions, each with its answer and seven candidates that
dowse ranked near it. What is learned from a list is a distribution over its
candidates: what the teachers say (see teach.py), mixed with the answer.
Over each list it minimises:

  * the cross-entropy of the last layer's scores with that distribution;
  * the cross-entropy of scores + blend * hybrid score with it, blend being
    learned: what the model is used for is to add to dowse's ranking, not to
    replace it;
  * for earlier layers, with weights rising from 0.1 to 0.5, the cross-entropy
    with it mixed half and half with the last layer's own distribution, so that
    early scores foretell late ones.

Schedule, log and checkpoints are those of answers/run.py: --minutes is the
time of training that the schedule covers. A run that was killed goes on with
--resume; a finished run is trained further with --resume --extend, which begins
a new schedule with the old weights.

Arithmetic is bfloat16 with float32 master weights. Two threads work on
different lists and never wait for each other within a step.
"""

import argparse
import json
import math
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import data
import ranking
from answers.run import Run, add_arguments
from model import load_bert
from reader import Reader

LAYER_WEIGHTS = [0.1, 0.2, 0.3, 0.4, 0.5, 1.0]
VALIDATION_DEPTH = 20


def list_loss(scores: torch.Tensor, drawn: data.Drawn, blend: torch.Tensor, taught: float,
              weights: list[float]) -> torch.Tensor:
    """The loss of one list: scores [layers, candidates], the answer first.

    taught is the teachers' share, weights are those of the layers.
    """
    target = taught * F.softmax(torch.tensor(drawn.taught), dim=0)
    target[0] += 1 - taught
    last = F.log_softmax(scores[-1], dim=0)
    blended = F.log_softmax(scores[-1] + blend * torch.tensor(drawn.hybrid), dim=0)
    total = -0.5 * weights[-1] * (target * (last + blended)).sum()
    foretold = 0.5 * target + 0.5 * last.detach().exp()
    for weight, layer in zip(weights[:-1], scores[:-1], strict=True):
        total = total - weight * (foretold * F.log_softmax(layer, dim=0)).sum()
    return total


class Trainer(Run):
    """The state of a run, and what is done with it."""

    lists_a_task = 2  # what one thread works on at a time
    validation_queries = 16  # of a collection
    head_rate = 10  # how much faster heads learn than the body

    def __init__(self, args: argparse.Namespace):
        super().__init__(args)
        torch.manual_seed(args.seed)
        self.build()
        self.blend = torch.nn.Parameter(torch.tensor(math.log(10.0)))  # its logarithm
        heads = [self.master.head_weight, self.master.head_bias, self.blend]
        body = [p for p in self.master.parameters() if p.requires_grad and all(p is not h for h in heads)]
        self.optimizer = torch.optim.AdamW([
            {"params": [p for p in body if p.dim() > 1], "scale": 1.0, "weight_decay": 0.01},
            {"params": [p for p in body if p.dim() == 1], "scale": 1.0, "weight_decay": 0.0},
            {"params": heads, "scale": self.head_rate, "weight_decay": 0.0},
        ], lr=args.rate, foreach=True)
        self.sets = data.load_sets(args.work, self.reader.tokenizer, self.reader.opening)
        self.order = data.Order(self.sets, args.seed)
        self.pool = ThreadPoolExecutor(2)

    def build(self) -> None:
        """Makes the master weights, a reader that computes with copies of them, and the weights of its layers."""
        self.master, working = load_bert(self.args.encoder), load_bert(self.args.encoder).bfloat16()
        for net in (self.master, working):
            net.word.weight.requires_grad_(False)  # rare words would only be half learned
        self.reader = Reader(working, data.load_tokenizer(self.args.encoder))
        self.layer_weights = LAYER_WEIGHTS

    def opening(self) -> str:
        """Where training begins, and its lists."""
        counts = {s.name: (len(s.training), len(s.held_out)) for s in self.sets}
        return f"from step {self.step}; lists trained on and held out: {json.dumps(counts)}"

    def publish(self) -> None:
        """Copies the master weights into the ones that are computed with."""
        with torch.no_grad():
            for ours, theirs in zip(trained(self.reader.net), trained(self.master), strict=True):
                ours.copy_(theirs)

    def task(self, lists: list[data.Drawn]) -> tuple[list[torch.Tensor], torch.Tensor, float, int]:
        """Gradients of the working weights and of the blend, loss, tokens."""
        scores, tokens = self.reader.scores([(drawn.query, drawn.passages, drawn.limit) for drawn in lists])
        blend = self.blend.detach().exp().requires_grad_(True)
        loss = torch.zeros(())
        for drawn, part in zip(lists, scores, strict=True):
            loss = loss + list_loss(part, drawn, blend, self.args.taught, self.layer_weights) / self.args.lists
        *gradients, of_blend = torch.autograd.grad(loss, [*trained(self.reader.net), blend])
        return gradients, of_blend * blend.detach(), loss.item(), tokens

    def train_step(self) -> None:
        """One step of the optimiser."""
        start = time.monotonic()
        lists = [self.order.next() for _ in range(self.args.lists)]
        lists.sort(key=data.Drawn.size)
        tasks = [lists[i:i + self.lists_a_task] for i in range(0, len(lists), self.lists_a_task)]
        masters = trained(self.master)
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
            with torch.inference_mode():  # counts for one thread
                found, _ = self.reader.scores([(entry.query, [chosen.passages[d] for d in documents], 256)])
            scores = found[0][-1].numpy()
            hybrid = np.array(entry.scores[:VALIDATION_DEPTH])
            truth = {entry.positive: 1}
            alone = ranking.rerank(documents, scores, hybrid, "raw", 0.0)
            both = ranking.rerank(documents, scores, hybrid, "raw", blend)
            return tuple(ranking.ndcg10(d, truth) for d in (documents, alone, both))

        for chosen in self.sets:
            stride = max(1, len(chosen.held_out) // self.validation_queries)
            jobs = [(chosen, entry) for entry in chosen.held_out[::stride][:self.validation_queries]]
            hybrid, alone, both = np.mean(list(self.pool.map(one, jobs)), axis=0)
            gains.append(both - hybrid)
            self.log(f"  valid {chosen.name:12} hybrid {hybrid:.4f} reranker {alone:.4f} "
                     f"blend {both:.4f} {both - hybrid:+.4f}")
        self.log(f"  valid mean gain {np.mean(gains):+.4f} at step {self.step}, blend {blend:.2f}")

    def state(self) -> dict:
        """What a checkpoint holds of the model and its lists."""
        return {"model": self.master.state_dict(), "blend": self.blend.detach(), "order": self.order.state()}

    def restore(self, saved: dict) -> None:
        """Takes back model and lists."""
        self.master.load_state_dict(saved["model"])
        self.blend.data.copy_(saved["blend"])
        self.order.restore(saved["order"])


def trained(net: torch.nn.Module) -> list[torch.nn.Parameter]:
    """The weights of a model that are trained."""
    return [p for p in net.parameters() if p.requires_grad]


def arguments(description: str) -> argparse.ArgumentParser:
    """The arguments of a run, but for the model's."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of sets/, lists/ and checkpoints/")
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=90, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=1e-4, help="top learning rate")
    parser.add_argument("--taught", type=float, default=0.75,
                        help="share of the teachers in what is learned; the rest is the answer's")
    parser.add_argument("--lists", type=int, default=8, help="questions a step")
    return parser


def main() -> None:
    """Reads the arguments and trains."""
    parser = arguments(__doc__)
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    Trainer(parser.parse_args()).start()


if __name__ == "__main__":
    main()
