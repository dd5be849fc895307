"""Ranks the collections of prepare.py by BM25 alone, in the format that `lab eval --run` writes.

A stand-in for `lab eval --stages lexical`, which embeds a collection first: this takes seconds.
"""

import argparse
import urllib.parse
from pathlib import Path

import bm25s
import Stemmer

from sources import read_json_lines

DEPTH = 50  # documents a question


def rank(folder: Path, out: Path) -> None:
    """Writes the best documents of each question of a collection."""
    documents = list(read_json_lines(folder / "corpus.jsonl"))
    questions = list(read_json_lines(folder / "queries.jsonl"))
    stemmer = Stemmer.Stemmer("english")

    def terms(texts: list[str]):
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25(k1=0.9, b=0.4)
    index.index(terms([f"{d['title']} {d['text']}" for d in documents]), show_progress=False)
    found, scores = index.retrieve(terms([q["text"] for q in questions]), k=min(DEPTH, len(documents)), show_progress=False)
    with open(out, "w", encoding="utf-8") as lines:
        for q, ranked, own in zip(questions, found, scores, strict=True):
            for place, (d, score) in enumerate(zip(ranked, own, strict=True), 1):
                lines.write(f"{urllib.parse.quote(q['_id'])} Q0 {urllib.parse.quote(documents[d]['_id'])} {place} {score:.4f} bm25\n")


def main() -> None:
    """Ranks each collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder of sets/; writes runs/")
    args = parser.parse_args()
    (args.work / "runs").mkdir(exist_ok=True)
    for folder in sorted((args.work / "sets").iterdir()):
        rank(folder, args.work / "runs" / f"{folder.name}.run")


if __name__ == "__main__":
    main()
