"""Teaches a decoder to write as it did before inputs were left out (ActiveFlow, self-distillation).

The teacher is the model as it is, the student begins as a copy. Texts are read as a
prompt up to their middle; behind it the student leaves out --level of what goes into
each projection, and the loss is the divergence of its words from the teacher's. The
embeddings stay. Schedule, log and checkpoints are those of run.py.

  distill.py --work W --texts FILE... --log W/distill.log --minutes 30
  distill.py --work W --resume W/checkpoints/final.pt --export W/student ...

W/base is the Hugging Face folder of the weights that dowse runs; FILE has a text in the
field "text" of each line.
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
from answers.run import Mastered, add_arguments
from answers.sparse import Gate, make_sparse
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

HELD_OUT = 24  # texts that perplexity is measured on


class Trainer(Mastered):
    """The state of a run, and what is done with it."""

    warm_up = 0.05

    def __init__(self, args: argparse.Namespace):
        super().__init__(args)
        self.rng = random.Random(args.seed)
        rows = self.rows()
        self.held_out, self.rows_left = rows[:HELD_OUT], rows[HELD_OUT:]
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

    def rows(self) -> list[list[int]]:
        """The texts as rows of --length tokens; short ones are joined."""
        tokenizer = Tokenizer.from_file(str(self.args.work / "base" / "tokenizer.json"))
        tokenizer.no_truncation()
        texts = [json.loads(line)["text"] for path in self.args.texts for line in open(path, encoding="utf-8")]
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

    def set_gates(self, level: float, learns: bool) -> None:
        """Tells all gates how much to leave out, from the middle of a row on."""
        for gates in self.gates:
            for gate in gates:
                gate.level, gate.learns, gate.after = level, learns, self.args.length // 2

    def states(self, model: Decoder, row: list[int]) -> torch.Tensor:
        """States of the second half of a row, that of its last token aside."""
        ids = torch.tensor(row)
        count = len(row)
        mask = torch.full((count, count), float("-inf")).triu(1)
        return model(ids, torch.arange(count), mask)[count // 2:-1]

    def task(self, job: tuple[int, list[int]]) -> tuple[list[torch.Tensor], float]:
        """Gradients of one row, and its loss."""
        which, row = job
        with torch.no_grad():
            wanted = F.log_softmax(self.teacher.logits(self.states(self.teacher, row)), -1)
        student = self.students[which]
        said = F.log_softmax(student.logits(self.states(student, row)), -1)
        loss = F.kl_div(said, wanted, reduction="sum", log_target=True) / len(said)
        return torch.autograd.grad(loss, self.shared[which]), loss.item()

    def train_step(self) -> None:
        """One step of the optimiser."""
        start = time.monotonic()
        self.set_gates(self.args.level, learns=True)
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

    def perplexity(self, model: Decoder) -> float:
        """Of the second halves of the rows that are held out."""
        def loss_of(row: list[int]) -> float:
            with torch.inference_mode():
                logits = model.logits(self.states(model, row))
                return float(F.cross_entropy(logits, torch.tensor(row[len(row) // 2 + 1:])))

        return math.exp(sum(map(loss_of, self.held_out)) / len(self.held_out))

    def validate(self) -> None:
        """Logs perplexities of the teacher and of the student at several levels."""
        said = []
        for level in [0.0, *sorted({0.3, 0.4, 0.5, 0.6, 0.7, self.args.level})]:
            kept = [(g, g.threshold) for g in self.gates[0]]
            self.fit(self.gates[0], level)
            said.append(f"{level:.1f} {self.perplexity(self.students[0]):.2f}")
            for gate, threshold in kept:
                gate.threshold = threshold
        self.log(f"  valid at step {self.step}: perplexity of the teacher {self.perplexity(self.teacher):.2f}, "
                 f"of the student by level: {', '.join(said)}")

    def fit(self, gates: list[Gate], level: float) -> None:
        """Sets thresholds to a level on some rows that are trained on."""
        self.set_gates(level, learns=True)
        for gate in gates:
            gate.threshold = -1.0
            gate.resize()
        if level > 0:
            with torch.inference_mode():
                for row in self.rows_left[:12]:
                    self.states(self.students[0], row)
        self.set_gates(level, learns=False)

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
    parser.add_argument("--texts", type=Path, nargs="+", required=True, help="files of a JSON object a line")
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=30, help="length of the schedule in time of training")
    parser.add_argument("--rate", type=float, default=2e-5, help="top learning rate")
    parser.add_argument("--level", type=float, default=0.5, help="share of the inputs that is left out")
    parser.add_argument("--length", type=int, default=320, help="tokens of a row")
    parser.add_argument("--rows", type=int, default=4, help="rows a step")
    parser.add_argument("--export", type=Path, help="write the checkpoint as a folder, and train no further")
    args = parser.parse_args()
    trainer = Trainer(args)
    if args.export:
        trainer.load(args.resume, extend=True)
        trainer.export(args.export)
        return
    trainer.validate()
    trainer.start()


if __name__ == "__main__":
    main()
