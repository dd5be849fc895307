"""Distils static vectors for dowse-embed-6: a row for each token, whose sum is near the vector of a text.

texts    writes the texts to learn from: the tokens themselves, passages, stretches of them, and questions
distil   learns the rows from the vectors that the embedder gives these, and writes models/bundled's static.table

Between the two dowse embeds the texts (lab/measure, TestEmbedTexts). README.md has the commands.
"""

import argparse
import json
import random
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from tokenizers import Tokenizer

PASSAGES = {"docs": 9000, "tldr": 8000, "medquad": 12000, "pubmedqa": 3000, "covidqa": 2000, "nq-qed": 400, "notes": 9000}
PASSAGE_WORDS, LEAST_WORDS = 110, 6
QUESTIONS = 16000
STRETCHES = (10, 18, 25, 35)  # words
ROOT = 0.5  # of a token's count is its weight; StaticTable has the same
UNKNOWN = 100
BATCH = 256


def lines(path: Path) -> Iterator[dict]:
    """The objects of a file of JSON lines."""
    with path.open() as file:
        for line in file:
            yield json.loads(line)


def cut(text: str) -> list[str]:
    """Passages of about PASSAGE_WORDS words."""
    words = text.split()
    if len(words) < LEAST_WORDS:
        return []
    size = -(-len(words) // max(1, round(len(words) / PASSAGE_WORDS)))
    return [" ".join(words[i:i + size]) for i in range(0, len(words), size)]


def chosen(name: str, texts: list[str], pick: random.Random) -> list[tuple[str, str]]:
    """Some passages of a set."""
    pick.shuffle(texts)
    return [(name, text) for text in texts[:PASSAGES[name]]]


def gather(data: Path, pick: random.Random) -> tuple[list[tuple[str, str]], list[str]]:
    """Passages, each with its set, and questions."""
    passages: list[tuple[str, str]] = []
    questions: list[str] = []
    for name in [n for n in PASSAGES if n != "notes"]:
        found: list[str] = []
        seen: set[str] = set()
        for pair in lines(data / name / "pairs.jsonl"):
            questions.append(pair.get("query") or pair["question"])
            text = (pair.get("title", "") + " " + (pair.get("text") or pair.get("answer") or "")).strip()
            if text not in seen:
                seen.add(text)
                found += cut(text)
        passages += chosen(name, found, pick)
    for paragraph in lines(data / "squad2" / "corpus.jsonl"):
        passages += [("squad2", text) for text in cut(paragraph.get("title", "") + " " + paragraph["text"])]
    questions += [query["text"] for query in lines(data / "squad2" / "queries.jsonl")]
    found = []
    for path in sorted((data / "notes-qa").glob("*.notes.jsonl")):
        for note in lines(path):
            found += cut(note.get("text") or note.get("body") or "")
    for path in sorted((data / "notes-qa").glob("*.qa.jsonl")):
        questions += [q for q in (row.get("question") or row.get("q") for row in lines(path)) if q]
    passages += chosen("notes", found, pick)
    pick.shuffle(passages)
    pick.shuffle(questions)
    return passages, questions[:QUESTIONS]


def stretches(passages: list[tuple[str, str]], pick: random.Random) -> list[str]:
    """Short texts, each a few words of a passage; less of medquad, which is half of all."""
    found = []
    for name, text in passages:
        words, at = text.split(), 0
        while at < len(words):
            some = words[at:(at := at + pick.choice(STRETCHES))]
            if len(some) >= LEAST_WORDS - 1:
                found.append((name, " ".join(some)))
    pick.shuffle(found)
    return [text for name, text in found if name != "medquad" or pick.random() < 0.4]


def write_texts(args: argparse.Namespace) -> None:
    """Writes the tokens and the texts as one list."""
    passages, questions = gather(args.data, random.Random(20261128))
    short = stretches(passages, random.Random(5))
    vocabulary = Tokenizer.from_file(str(args.tokenizer)).get_vocab()
    tokens = sorted(vocabulary, key=vocabulary.get)
    texts = [text for _, text in passages[:args.passages]] + short[:args.stretches] + questions
    args.out.write_text(json.dumps(tokens + texts))
    print(f"{len(tokens)} tokens, {args.passages} of {len(passages)} passages, {args.stretches} of {len(short)} stretches, "
          f"{len(questions)} questions")


def bags(tokenizer: Tokenizer, texts: list[str], words: int) -> sp.csr_matrix:
    """A row for each text with the weights of its tokens."""
    at, tokens, weights = [], [], []
    for row, text in enumerate(tokenizer.encode_batch(texts, add_special_tokens=False)):
        known, counts = np.unique([i for i in text.ids if i != UNKNOWN], return_counts=True)
        at += [row] * len(known)
        tokens += known.tolist()
        weights += (counts ** ROOT).tolist()
    return sp.csr_matrix((np.array(weights, np.float32), (at, tokens)), shape=(len(texts), words))


def begin(alone: np.ndarray, seen: np.ndarray, texts: int) -> np.ndarray:
    """Rows to begin with: vectors of tokens alone, without their mean and two directions, less of common ones."""
    rows = alone - alone.mean(0)
    common = np.linalg.svd(rows[seen > 1][:8000], full_matrices=False)[2][:2]
    rows -= (rows @ common.T) @ common
    share = seen / texts
    return (rows * (1e-3 / (1e-3 + share / share.sum()))[:, None]).astype(np.float32)


def learn(rows: np.ndarray, x: sp.csr_matrix, want: np.ndarray, epochs: int, rate: float) -> None:
    """Moves rows so that the sums of texts point where their vectors do (Adam on the cosine)."""
    pick = np.random.default_rng(0)
    first, second = np.zeros_like(rows), np.zeros_like(rows)
    step, steps = 0, epochs * (x.shape[0] // BATCH)
    for epoch in range(epochs):
        order, total = pick.permutation(x.shape[0]), 0.0
        for i in range(0, len(order) - BATCH + 1, BATCH):
            batch = x[order[i:i + BATCH]]
            used = np.unique(batch.indices)
            batch = batch[:, used]
            sums = batch @ rows[used]
            length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
            sums, to = sums / length, want[order[i:i + BATCH]]
            cosine = (sums * to).sum(1, keepdims=True)
            total += float(cosine.mean())
            gradient = batch.T @ ((cosine * sums - to) / length / BATCH)
            step += 1
            first[used] = 0.9 * first[used] + 0.1 * gradient
            second[used] = 0.99 * second[used] + 0.01 * gradient * gradient
            pace = rate * min(1, step / 50) * (1 - step / (steps + 1))
            rows[used] -= pace * (first[used] / (1 - 0.9 ** step)) / (np.sqrt(second[used] / (1 - 0.99 ** step)) + 1e-8)
        print(f"epoch {epoch}: cosine {total / (len(order) // BATCH):.4f}", flush=True)


def quantise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Four bits a number, from -8 to 7, and the scale of each row that errs least."""
    numbers, scales = np.zeros(rows.shape, np.int8), np.zeros(len(rows), np.float32)
    least, most = np.full(len(rows), np.inf), np.abs(rows).max(1) + 1e-12
    for share in np.linspace(0.55, 1.05, 11):
        tried = np.clip(np.rint(rows / (most * share / 7)[:, None]), -8, 7)
        scale = (tried * rows).sum(1) / np.maximum((tried * tried).sum(1), 1e-9)
        error = ((rows - tried * scale[:, None]) ** 2).sum(1)
        better = error < least
        least[better], scales[better], numbers[better] = error[better], scale[better], tried[better]
    print(f"error of four bits: {np.sqrt(least.sum() / (rows ** 2).sum()):.3f}")
    return numbers, scales


def distil(args: argparse.Namespace) -> None:
    """Writes the table."""
    tokenizer = Tokenizer.from_file(str(args.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    words = tokenizer.get_vocab_size()
    texts = json.loads(args.texts.read_text())
    vectors = np.fromfile(args.vectors, np.float32).reshape(len(texts), -1)
    x = bags(tokenizer, texts[words:], words)
    want = vectors[words:] / np.linalg.norm(vectors[words:], axis=1, keepdims=True)
    rows = begin(vectors[:words], np.asarray((x > 0).sum(0)).ravel() + 1.0, x.shape[0])
    learn(rows, x, want, args.epochs, args.rate)
    numbers, scales = quantise(rows)
    nibbles = (numbers + 8).astype(np.uint8)
    pairs = nibbles[:, 0::2] | (nibbles[:, 1::2] << 4)
    head = b"dowsestt" + struct.pack("<II", *rows.shape)
    args.out.write_bytes(head + scales.astype("<f4").tobytes() + pairs.tobytes())


def main() -> None:
    """Runs one of the two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("texts")
    step.add_argument("--data", type=Path, required=True)
    step.add_argument("--passages", type=int, default=16384)
    step.add_argument("--stretches", type=int, default=77056)
    step.set_defaults(run=write_texts)
    learning = steps.add_parser("distil")
    learning.add_argument("--texts", type=Path, required=True)
    learning.add_argument("--vectors", type=Path, required=True)
    learning.add_argument("--epochs", type=int, default=4)
    learning.add_argument("--rate", type=float, default=0.003)
    learning.set_defaults(run=distil)
    for each in (step, learning):
        each.add_argument("--tokenizer", type=Path, required=True, help="tokenizer.json of all-MiniLM-L6-v2")
        each.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
