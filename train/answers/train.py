"""Trains SmolLM2 to answer from passages, to cite, and to say when there is no answer.

What is trained is a low-rank adapter on every projection (Hu et al., LoRA,
2021), or with --full all weights but the embeddings. The loss is the
cross-entropy of the tokens of completions, those of a quoted sentence behind a
short answer counting less (chat.py).

Schedule, log and checkpoints are those of run.py: --minutes is the time of
training that the schedule covers. A run that was killed goes on with --resume; a
finished run is trained further with --resume --extend, which begins a new
schedule with the old weights.

Arithmetic is bfloat16 with float32 master weights of what is trained, or float32
throughout. Two threads work on different examples and never wait for each other within a step.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from answers import generate, measures
from answers.chat import Chat, Order, Row, read_examples, turned
from answers.model import adapt, load_adapter, load_decoder
from answers.run import Mastered, add_arguments

VALIDATION_TOKENS = 48  # of an answer


class Trainer(Mastered):
    """The state of a run, and what is done with it."""

    warm_up = 0.03
    first_rate = 0.05

    def __init__(self, args: argparse.Namespace):
        super().__init__(args)
        self.log_seconds = args.log_seconds
        self.chat = Chat(args.work / "base")
        self.examples = read_examples(args.work / "train.jsonl")
        self.held_out = read_examples(args.work / "heldout.jsonl")
        self.chat.check(self.held_out[:20])
        self.net = load_decoder(args.work / "base")
        if args.full:
            self.net.embed_tokens.weight.requires_grad_(False)  # rare words would only be half learned
        else:
            self.adapt()
        self.working = [p for p in self.net.parameters() if p.requires_grad]
        self.masters = [p.detach().clone() for p in self.working]
        if not args.float32:
            self.net.bfloat16()
        self.optimizer = torch.optim.AdamW([
            {"params": [m for m in self.masters if m.dim() > 1], "weight_decay": 0.01},
            {"params": [m for m in self.masters if m.dim() == 1], "weight_decay": 0.0},
        ], lr=args.rate, betas=(0.9, 0.98), foreach=True)
        self.order = Order(len(self.examples), args.seed)
        self.asks = 0
        self.pool = ThreadPoolExecutor(2)

    def adapt(self) -> None:
        """Adds an adapter: one that changes nothing yet, or the one to begin from."""
        if self.args.start is None:
            adapt(self.net, self.args.rank, self.args.alpha, self.args.seed)
            return
        rank, alpha = load_adapter(self.net, self.args.start)
        if (rank, alpha) != (self.args.rank, self.args.alpha):
            raise SystemExit(f"{self.args.start} has rank {rank} and alpha {alpha:g}: give --rank and --alpha")

    def opening(self) -> str:
        """What is trained, on what, and where training begins."""
        count = sum(m.numel() for m in self.masters)
        return (f"{count / 1e6:.2f} M trained weights, {len(self.examples)} examples, {len(self.held_out)} held out, "
                f"from step {self.step}")

    def seen(self) -> str:
        """How much has been trained on."""
        return f"{self.tokens / 1e6:.3f} M tokens, {self.asks} questions"

    def drawn(self) -> dict:
        """The next example."""
        i, best_last = self.order.next()
        return turned(self.examples[i]) if best_last else self.examples[i]

    def row_loss(self, row: Row) -> torch.Tensor:
        """The weighted sum of the losses of a row's tokens."""
        states = self.net(row.ids, row.positions, row.mask)[row.reads]
        return (F.cross_entropy(self.net.logits(states), row.targets, reduction="none") * row.weights).sum()

    def task(self, row: Row) -> tuple[list[torch.Tensor], float]:
        """Gradients of what is trained, and the loss."""
        loss = self.row_loss(row)
        return torch.autograd.grad(loss, self.working), loss.item()

    def train_step(self) -> None:
        """One step of the optimiser."""
        start = time.monotonic()
        drawn = [self.drawn() for _ in range(self.args.rows * self.args.together)]
        rows = [self.chat.row(drawn[i::self.args.rows]) for i in range(self.args.rows)]
        # The longest first, so that no thread is left with a long one alone.
        rows.sort(key=lambda row: -len(row.ids))
        weight = sum(float(row.weights.sum()) for row in rows)
        loss = self.descend(self.pool.map(self.task, rows), weight)
        self.tokens += sum(len(row.ids) for row in rows)
        self.asks += sum(len(e["asks"]) for e in drawn)
        self.loss = loss if self.step == 1 else 0.95 * self.loss + 0.05 * loss
        self.seconds += time.monotonic() - start

    def validate(self) -> None:
        """Logs loss and greedy answers on some held-out examples."""
        def loss_of(example: dict) -> tuple[float, float]:
            row = self.chat.row([example])
            with torch.inference_mode():  # counts for one thread
                return float(self.row_loss(row)), float(row.weights.sum())

        sums = np.array(list(self.pool.map(loss_of, spread(self.held_out, self.args.validation_rows)))).sum(axis=0)
        asked = [(e["passages"], ask) for e in self.held_out for ask in e["asks"]]
        asked = spread(asked, self.args.validation_answers)
        said = generate.answers(self.net, self.chat, [(p, a["question"]) for p, a in asked], VALIDATION_TOKENS)
        answerable = [bool(a["gold"]) for _, a in asked]
        declining = [s.declining for s in said]
        given = [(s, a) for s, (_, a) in zip(said, asked, strict=True) if a["gold"]]
        f1 = np.mean([measures.best_f1(measures.lead(s.text), a["answers"]) for s, a in given])
        cites = np.mean([set(measures.cited(s.text)[:1]) <= set(a["gold"]) and "[" in s.text for s, a in given])

        def declined(gold: bool) -> float:
            return float(np.mean([p >= 0.5 for p, a in zip(declining, answerable, strict=True) if a == gold]
                                 or [np.nan]))

        self.log(f"  valid at step {self.step}: loss {sums[0] / sums[1]:.4f}; {len(asked)} answers: F1 {f1:.3f}, "
                 f"first citation right {cites:.2f}, declined answerable {declined(True):.2f}, "
                 f"unanswerable {declined(False):.2f}, told apart {measures.ranked_right(declining, answerable):.3f}")

    def state(self) -> dict:
        """What a checkpoint holds of the weights, the examples and the arguments."""
        return {
            "masters": self.masters, "drawn": self.order.drawn, "asks": self.asks, "rows": self.args.rows,
            "top": self.args.rate, "full": self.args.full, "rank": self.args.rank, "alpha": self.args.alpha,
        }

    def restore(self, saved: dict) -> None:
        """Takes back weights and examples, if the weights are of the same kind."""
        if (saved["full"], saved["rank"], saved["alpha"]) != (self.args.full, self.args.rank, self.args.alpha):
            raise SystemExit(f"{self.args.resume} was trained with other --full, --rank or --alpha")
        with torch.no_grad():
            for master, old in zip(self.masters, saved["masters"], strict=True):
                master.copy_(old)
        self.order.drawn, self.asks = saved["drawn"], saved["asks"]


def spread(rows: list, count: int) -> list:
    """At most count of some rows, evenly spread."""
    return rows[::max(1, -(-len(rows) // count))][:count]


def main() -> None:
    """Reads the arguments and trains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of base/, the examples and checkpoints/")
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=180, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=4e-4, help="top learning rate; about 5e-5 with --full")
    parser.add_argument("--rows", type=int, default=8, help="rows of tokens a step")
    parser.add_argument("--together", type=int, default=1, help="examples in a row, of one to four questions each")
    parser.add_argument("--start", type=Path, help="folder of an adapter to begin from")
    parser.add_argument("--float32", action="store_true", help="for processors that do not know bfloat16")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--alpha", type=float, default=32)
    parser.add_argument("--full", action="store_true", help="train all weights but the embeddings, without an adapter")
    parser.add_argument("--log-seconds", type=float, default=60)
    parser.add_argument("--validation-rows", type=int, default=80, help="held-out examples for the loss")
    parser.add_argument("--validation-answers", type=int, default=40, help="held-out questions answered")
    Trainer(parser.parse_args()).start()


if __name__ == "__main__":
    main()
