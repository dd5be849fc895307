"""A run of training: its schedule, its log and its checkpoints.

The schedule (warm-up, then cosine to zero) follows the clock, because the
machine is shared: --minutes is the time of training that it covers. A run that
was killed goes on with --resume; a finished run is trained further with
--resume --extend, which begins a new schedule with the old weights.
"""

import argparse
import math
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

import torch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that every run has, but for the length of its schedule and its rate."""
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--save-minutes", type=float, default=10)
    parser.add_argument("--validate-minutes", type=float, default=20)
    parser.add_argument("--resume", type=Path, help="a checkpoint to go on from")
    parser.add_argument("--extend", action="store_true", help="begin a new schedule with the checkpoint's weights")


class Run(ABC):
    """The loop of training; what is trained, and how, a subclass says.

    A subclass sets optimizer, and in train_step counts step and tokens, adds
    to seconds the time that was spent and follows the loss.
    """

    warm_up = 0.05  # of the schedule
    first_rate = 0.01  # the least share of the top learning rate while it rises
    log_seconds = 60.0  # between two lines of the log
    optimizer: torch.optim.Optimizer

    def __init__(self, args: argparse.Namespace):
        self.args = args
        self.step, self.tokens, self.seconds, self.loss = 0, 0, 0.0, 0.0

    @abstractmethod
    def opening(self) -> str:
        """What the first line of the log says of what is trained, and on what."""

    @abstractmethod
    def publish(self) -> None:
        """Copies the master weights into the ones that are computed with."""

    @abstractmethod
    def train_step(self) -> None:
        """One step of the optimiser."""

    @abstractmethod
    def validate(self) -> None:
        """Logs how good the model is by now."""

    @abstractmethod
    def state(self) -> dict:
        """What a checkpoint holds beside the optimiser and the counts."""

    @abstractmethod
    def restore(self, saved: dict) -> None:
        """Takes back from a checkpoint what state says."""

    def seen(self) -> str:
        """How much has been trained on."""
        return f"{self.tokens / 1e6:.2f} M tokens"

    def log(self, text: str) -> None:
        """Writes one line with the time."""
        with open(self.args.log, "a", encoding="utf-8") as out:
            out.write(time.strftime("%H:%M:%S ") + text + "\n")

    def rate(self) -> float:
        """The share of the top learning rate that is due now."""
        done = self.seconds / (60 * self.args.minutes)
        if done < self.warm_up:
            return max(done / self.warm_up, self.first_rate)
        return 0.5 * (1 + math.cos(math.pi * min(1.0, (done - self.warm_up) / (1 - self.warm_up))))

    def save(self, name: str) -> None:
        """Writes a checkpoint; a kill never leaves half of one."""
        path = self.args.work / "checkpoints" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        torch.save({
            "optimizer": self.optimizer.state_dict(), "step": self.step, "tokens": self.tokens, "seconds": self.seconds,
            "loss": self.loss, "seed": self.args.seed, "minutes": self.args.minutes, **self.state(),
        }, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    def load(self, path: Path, extend: bool) -> None:
        """Goes on from a checkpoint, with a new schedule if it is to be extended."""
        saved = torch.load(path, weights_only=True)
        self.restore(saved)
        self.optimizer.load_state_dict(saved["optimizer"])
        self.step, self.tokens, self.loss = saved["step"], saved["tokens"], saved["loss"]
        self.seconds = 0.0 if extend else saved["seconds"]

    def start(self) -> None:
        """Runs from the beginning, or from the checkpoint that the arguments name."""
        torch.set_num_threads(1)
        if self.args.resume:
            self.load(self.args.resume, self.args.extend)
        self.run()

    def run(self) -> None:
        """Trains to the end of the schedule."""
        self.log(f"seed {self.args.seed}, {self.args.minutes} minutes, rate {self.args.rate}, {self.opening()}")
        self.publish()
        logged = saved = checked = time.monotonic()
        tokens = self.tokens
        while self.seconds < 60 * self.args.minutes:
            self.train_step()
            now = time.monotonic()
            if now - logged > self.log_seconds:
                self.log(f"step {self.step} loss {self.loss:.4f} rate {self.args.rate * self.rate():.2e} "
                         f"{(self.tokens - tokens) / (now - logged):.0f} tokens/s, {self.seen()}, "
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


class Mastered(Run):
    """A run that computes with bfloat16 copies (working) of float32 weights (masters).

    Groups of the optimiser may have a scale of the learning rate.
    """

    masters: list[torch.Tensor]
    working: list[torch.Tensor]

    def publish(self) -> None:
        """Copies the master weights into the ones that are computed with."""
        with torch.no_grad():
            for ours, master in zip(self.working, self.masters, strict=True):
                ours.copy_(master)

    def descend(self, parts: Iterable[tuple[list[torch.Tensor], float]], weight: float = 1.0) -> float:
        """One step down the sum of some gradients over weight; returns the sum of their losses over weight."""
        sums, total = [torch.zeros_like(m) for m in self.masters], 0.0
        for gradients, loss in parts:
            torch._foreach_add_(sums, [g.float() for g in gradients])
            total += loss
        torch._foreach_div_(sums, weight)
        for master, gradient in zip(self.masters, sums, strict=True):
            master.grad = gradient
        torch.nn.utils.clip_grad_norm_(self.masters, 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = self.args.rate * self.rate() * group.get("scale", 1.0)
        self.optimizer.step()
        self.publish()
        self.step += 1
        return total / weight
