"""Teaches a decoder to write as it did before inputs were left out (ActiveFlow, self-distillation).

The teacher is the model as it is, the student begins as a copy. Behind a prompt of a few
tokens the student leaves out --level of what goes into each projection, and the loss is the
divergence of its words from the teacher's. The embeddings stay. Perplexity is that of the
second halves of held-out rows, behind a prompt that is read whole. Schedule, log and
checkpoints are those of run.py.

  distill.py --work W --log W/distill.log --minutes 30
  distill.py --work W --log W/distill.log --resume W/checkpoints/final.pt --judge
  distill.py --work W --log W/distill.log --resume W/checkpoints/final.pt --export W/student

W/base is the Hugging Face folder of the weights that dowse runs; W/texts.jsonl and
W/heldout.jsonl are those of distill_texts.py.
"""

import argparse
import json
import math
import random
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
import torch.nn.functional as F
from answers.model import Decoder, load_decoder
from answers.regress import Fit
from answers.run import Mastered, add_arguments
from answers.sparse import Gate, make_sparse
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

HELD_OUT = 24  # rows that perplexity is measured on
CALIBRATION = 8  # rows that thresholds are set on, and corrections
LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7)


class Trainer(Mastered):
    """The state of a run, and what is done with it."""

    warm_up = 0.05

    def __init__(self, args: argparse.Namespace):
        super().__init__(args)
        self.rng = random.Random(args.seed)
        self.held_out = self.rows(args.work / "heldout.jsonl")[:HELD_OUT]
        self.rows_left = self.rows(args.work / "texts.jsonl")
        self.teacher = load_decoder(args.work / "base").bfloat16()
        self.students = [load_decoder(args.work / "base") for _ in range(2)]  # one for each thread, of the same weights
        for student in self.students:
            student.embed_tokens.weight.requires_grad_(False)
        self.gates = [make_sparse(s.bfloat16()) for s in self.students]
        self.shared = [[p for p in s.parameters() if p.requires_grad] for s in self.students]
        for theirs, ours in zip(self.shared[1], self.shared[0], strict=True):
            theirs.data = ours.data
        self.working = self.shared[0]
        self.masters = [p.detach().float().clone() for p in self.working]
        self.optimizer = torch.optim.AdamW(self.masters, lr=args.rate, betas=(0.9, 0.98), weight_decay=0.0, foreach=True)
        self.pool = ThreadPoolExecutor(2)

    def rows(self, path: Path) -> list[list[int]]:
        """The texts of a file as rows of --length tokens; short ones are joined."""
        tokenizer = Tokenizer.from_file(str(self.args.work / "base" / "tokenizer.json"))
        tokenizer.no_truncation()
        texts = [json.loads(line)["text"] for line in open(path, encoding="utf-8")]
        self.rng.shuffle(texts)
        rows, row = [], []
        for text in texts:
            row += tokenizer.encode(text + "\n\n", add_special_tokens=False).ids
            while len(row) >= self.args.length:
                rows.append(row[:self.args.length])
                row = row[self.args.length:]
        return rows

    def opening(self) -> str:
        """What is trained, on what, and where training begins."""
        return (f"level {self.args.level}, {sum(m.numel() for m in self.masters) / 1e6:.1f} M trained weights, "
                f"{len(self.rows_left)} rows of {self.args.length} tokens, {HELD_OUT} held out, from step {self.step}")

    def set_gates(self, level: float, learns: bool, after: int) -> None:
        """Tells all gates how much to leave out, and from which token of a row on."""
        for gates in self.gates:
            for gate in gates:
                gate.level, gate.learns, gate.after = level, learns, after

    def states(self, model: Decoder, row: list[int], after: int) -> torch.Tensor:
        """States of a row behind a prompt of some tokens, that of its last token aside."""
        ids = torch.tensor(row)
        count = len(row)
        mask = torch.full((count, count), float("-inf")).triu(1)
        return model(ids, torch.arange(count), mask)[after:-1]

    def task(self, job: tuple[int, list[int]]) -> tuple[list[torch.Tensor], float]:
        """Gradients of one row, and its loss."""
        which, row = job
        with torch.no_grad():
            wanted = F.log_softmax(self.teacher.logits(self.states(self.teacher, row, self.args.prompt)), -1)
        student = self.students[which]
        said = F.log_softmax(student.logits(self.states(student, row, self.args.prompt)), -1)
        loss = F.kl_div(said, wanted, reduction="sum", log_target=True) / len(said)
        return torch.autograd.grad(loss, self.shared[which]), loss.item()

    def train_step(self) -> None:
        """One step of the optimiser."""
        start = time.monotonic()
        self.set_gates(self.args.level, learns=True, after=self.args.prompt)
        drawn = [self.rng.choice(self.rows_left) for _ in range(self.args.rows)]
        gradients, loss = [], 0.0
        for i in range(0, len(drawn), 2):  # each student has one row at a time
            for g, part in self.pool.map(self.task, enumerate(drawn[i:i + 2])):
                gradients.append((g, part))
        loss = self.descend(gradients, len(drawn))
        if self.step % 20 == 0:
            for gates in self.gates:
                for gate in gates:
                    gate.resize()
        self.tokens += len(drawn) * self.args.length
        self.loss = loss if self.step == 1 else 0.95 * self.loss + 0.05 * loss
        self.seconds += time.monotonic() - start

    def perplexity(self, models: list[Decoder]) -> float:
        """Of the second halves of the rows that are held out; models are of the same weights."""
        middle = self.args.length // 2

        def loss_of(job: tuple[int, Decoder]) -> float:
            losses = []
            for row in self.held_out[job[0]::len(models)]:
                with torch.inference_mode():
                    logits = job[1].logits(self.states(job[1], row, middle))
                    losses.append(float(F.cross_entropy(logits, torch.tensor(row[middle + 1:]))))
            return sum(losses)

        return math.exp(sum(self.pool.map(loss_of, enumerate(models))) / len(self.held_out))

    def validate(self) -> None:
        """Logs the student's perplexity without a mask and at the level that it learns."""
        kept = [(g, g.threshold) for gates in self.gates for g in gates]
        said = [f"{level:.1f} {self.at(level):.2f}" for level in (0.0, self.args.level)]
        for gate, threshold in kept:
            gate.threshold = threshold
        self.log(f"  valid at step {self.step}: perplexity of the student by level: {', '.join(said)}")

    def judge(self) -> None:
        """Logs perplexities of the teacher, and of the student by level, with and without corrections."""
        self.publish()
        self.log(f"  perplexity of the teacher {self.perplexity([self.teacher] * 2):.2f}, "
                 f"of the student without a mask {self.at(0.0):.2f}")
        for level in LEVELS:
            said = [f"as it is {self.at(level):.2f}"]
            for way in ("bias", "fill"):
                self.correct(level, way)
                said.append(f"with {way} {self.perplexity(self.students):.2f}")
            self.correct(level, "none")
            self.log(f"  level {level:.1f}: {', '.join(said)}")

    def at(self, level: float) -> float:
        """The student's perplexity at a level, with thresholds set to it."""
        self.fit(level)
        return self.perplexity(self.students)

    def pass_over(self, level: float, learns: bool) -> None:
        """Reads some rows that are trained on, which gates learn from or count."""
        self.set_gates(level, learns, after=self.args.length // 2)
        with torch.inference_mode():
            for row in self.rows_left[:CALIBRATION]:
                self.states(self.students[0], row, 0)

    def fit(self, level: float) -> None:
        """Sets thresholds to a level."""
        for gate in self.gates[0]:
            gate.threshold, gate.seen = -1.0, 0
            gate.resize()
        if level > 0:
            self.pass_over(level, learns=True)
        for theirs, ours in zip(self.gates[1], self.gates[0], strict=True):
            theirs.threshold = ours.threshold
            theirs.resize()
        self.set_gates(level, learns=False, after=self.args.length // 2)

    def correct(self, level: float, way: str) -> None:
        """Corrects all gates for what they leave out at the thresholds that they have."""
        if way != "none":
            for gate in self.gates[0]:
                gate.count()
            self.pass_over(level, learns=False)
        for theirs, ours in zip(self.gates[1], self.gates[0], strict=True):
            ours.correct(way)
            theirs.fill, theirs.added, ours.sums = ours.fill, ours.added, None

    def begin_fitted(self) -> None:
        """Has the student begin with the weights that regress.py finds, from rows that are trained on."""
        rows = self.rows_left[-self.args.fit:]
        Fit(self.teacher, self.students[0], self.gates[0], rows, self.args.level, self.args.prompt).run(self.log)
        with torch.no_grad():
            for ours, master in zip(self.working, self.masters, strict=True):
                master.copy_(ours)
        for gates in self.gates:
            for gate in gates:
                gate.resize()
        self.save("fitted.pt")

    def state(self) -> dict:
        """What a checkpoint holds of the weights."""
        return {"masters": self.masters, "level": self.args.level}

    def restore(self, saved: dict) -> None:
        """Takes back weights."""
        with torch.no_grad():
            for master, old in zip(self.masters, saved["masters"], strict=True):
                master.copy_(old)

    def export(self, out: Path) -> None:
        """Writes a Hugging Face folder of the student, which says what it learned."""
        base = self.args.work / "base"
        shutil.copytree(base, out, dirs_exist_ok=True)
        names = [n.replace(".inner.", ".") for n, p in self.students[0].named_parameters() if p.requires_grad]
        tensors = load_file(base / "model.safetensors")
        for name, master in zip(names, self.masters, strict=True):
            if f"model.{name}" not in tensors:
                raise SystemExit(f"{base} has no tensor model.{name}")
            tensors[f"model.{name}"] = master.contiguous()
        save_file(tensors, out / "model.safetensors", metadata={"format": "pt"})
        config = json.loads((out / "config.json").read_text(encoding="utf-8"))
        config["distilled_for_sparsity"] = self.args.level
        (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Reads the arguments, and trains or exports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of base/ and checkpoints/")
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=30, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=2e-5, help="top learning rate")
    parser.add_argument("--level", type=float, default=0.5, help="share of the inputs that is left out")
    parser.add_argument("--length", type=int, default=256, help="tokens of a row")
    parser.add_argument("--prompt", type=int, default=32, help="tokens of a row that are read whole")
    parser.add_argument("--rows", type=int, default=4, help="rows a step")
    parser.add_argument("--fit", type=int, default=0, help="rows that the weights are fitted to first, without training")
    parser.add_argument("--judge", action="store_true", help="log perplexities of the checkpoint, and train no further")
    parser.add_argument("--export", type=Path, help="write the checkpoint as a folder, and train no further")
    args = parser.parse_args()
    trainer = Trainer(args)
    if args.export or args.judge:
        torch.set_num_threads(1)
        if args.resume:
            trainer.load(args.resume, extend=True)
        if args.judge:
            trainer.judge()
        if args.export:
            trainer.export(args.export)
        return
    torch.set_num_threads(1)
    if args.fit and not args.resume:
        trainer.begin_fitted()
    trainer.start()


if __name__ == "__main__":
    main()
