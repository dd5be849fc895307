"""Scores the candidates of every list with teachers: bi-encoders that are
larger than the student and are never shipped.

A teacher gives two scores of a pair: the cosine of its two vectors, and the
mean over the query's tokens of the best cosine with a token of the passage
(ColBERT's late interaction, mean instead of sum), taken of the same hidden
states. Written to WORK/taught/NAME.jsonl, a row per list of
WORK/lists/NAME.jsonl: {score name: [scores of the first DEPTH candidates]}.

Teachers are Hugging Face folders of BERT encoders with MiniLM's vocabulary:
bge-small-en-v1.5 and e5-small-v2, both MIT.
"""

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from model import CrossEncoder, load_bert
from sources import read_json_lines

DEPTH = 16  # candidates of a list that are scored
TOKENS = 192  # of a passage


@dataclass
class Teacher:
    """A bi-encoder, what it wants before its texts, and whose state is its vector."""

    name: str
    net: CrossEncoder
    query_prefix: str = ""
    passage_prefix: str = ""
    first_token: bool = False  # the vector is the state of [CLS]; otherwise the mean of all

    def encode(self, tokenizer: Tokenizer, prefix: str, text: str) -> tuple[torch.Tensor, torch.Tensor]:
        """The unit vector [width] of a text and the unit states [tokens, width] of its own tokens."""
        ids = tokenizer.encode(prefix + text).ids
        skipped = 1 + (len(tokenizer.encode(prefix, add_special_tokens=False).ids) if prefix else 0)
        with torch.inference_mode():
            hidden = self.net.states(torch.tensor([ids]))[0].float()
            vector = hidden[0] if self.first_token else hidden.mean(0)
            return F.normalize(vector, dim=0), F.normalize(hidden, dim=1)[skipped:-1].bfloat16()


def teachers(bge: Path, e5: Path) -> list[Teacher]:
    """The two teachers as their makers use them."""
    return [
        Teacher("bge", load_bert(bge).bfloat16().eval(), "Represent this sentence for searching relevant passages: ",
                first_token=True),
        Teacher("e5", load_bert(e5).bfloat16().eval(), "query: ", "passage: "),
    ]


class School:
    """Scores lists with each teacher on two threads."""

    def __init__(self, staff: list[Teacher], tokenizer: Tokenizer):
        self.staff, self.tokenizer = staff, tokenizer
        self.pool = ThreadPoolExecutor(2)

    def score(self, teacher: Teacher, query: str, found: list) -> tuple[list, list]:
        """The scores of passages that were encoded, by whole texts and by tokens."""
        vector, states = teacher.encode(self.tokenizer, teacher.query_prefix, query)
        whole = [round(float(vector @ v), 4) for v, _ in found]
        tokens = [round(float((states @ t.T).amax(1).float().mean()), 4) for _, t in found]
        return whole, tokens

    def teach(self, work: Path, name: str) -> list[dict]:
        """The scores of one collection's lists."""
        lists = list(read_json_lines(work / "lists" / f"{name}.jsonl"))
        rows = read_json_lines(work / "sets" / name / "corpus.jsonl")
        corpus = [(row["title"] + " " + row["text"]).strip() for row in rows]
        needed = sorted({d for row in lists for d in row["candidates"][:DEPTH]}, key=lambda d: -len(corpus[d]))
        out: list[dict] = [{} for _ in lists]
        for teacher in self.staff:
            texts = [corpus[d] for d in needed]
            states = self.pool.map(partial(teacher.encode, self.tokenizer, teacher.passage_prefix), texts)
            encoded = dict(zip(needed, states, strict=True))
            queries = [row["query"] for row in lists]
            found = [[encoded[d] for d in row["candidates"][:DEPTH]] for row in lists]
            scored = self.pool.map(partial(self.score, teacher), queries, found)
            for scores, (whole, tokens) in zip(out, scored, strict=True):
                scores[teacher.name], scores[teacher.name + " tokens"] = whole, tokens
        return out


def main() -> None:
    """Scores each collection that has lists and no scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of sets/ and lists/")
    parser.add_argument("--bge", type=Path, required=True, help="folder of bge-small-en-v1.5")
    parser.add_argument("--e5", type=Path, required=True, help="folder of e5-small-v2")
    args = parser.parse_args()
    torch.set_num_threads(1)
    staff = teachers(args.bge, args.e5)
    tokenizer = Tokenizer.from_file(str(args.bge / "tokenizer.json"))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.no_padding()
    (args.work / "taught").mkdir(exist_ok=True)
    paths = sorted((args.work / "lists").glob("*.jsonl"), key=lambda path: path.stat().st_size)
    school = School(staff, tokenizer)
    for path in paths:
        target, start = args.work / "taught" / path.name, time.monotonic()
        if target.exists():
            continue
        rows = school.teach(args.work, path.stem)
        target.with_suffix(".tmp").write_text("".join(json.dumps(row) + "\n" for row in rows))
        os.replace(target.with_suffix(".tmp"), target)
        print(f"{path.stem}: {len(rows)} lists in {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
