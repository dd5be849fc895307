"""Turns dowse's rankings into lists of candidates to train and validate on.

A training list is a question, the document that answers it, and documents that
dowse ranked near it although they do not answer. Each candidate keeps dowse's
hybrid score, because the model learns to add to it.

Left out of training, because they may answer as well: documents that share
most of their words with the positive, contain the answer, or answer a question
that shares most of its words with this one; and documents of groups that are
held out. Held-out questions keep their ranking as it is.

Shared words stand in for cosines of an encoder: they find copies as surely,
and take no time.
"""

import json
import re
import urllib.parse
from pathlib import Path

from data import FUNCTION_WORDS
from sources import read_json_lines

DEPTH = 50  # candidates of a training list
HELD_DEPTH = 60  # candidates of a validation list
COPY = 0.6  # shared words of two passages over all their words, from which they say the same
SAME_QUESTION = 0.7  # likewise of two questions

WORD = re.compile(r"\w+")


def read_run(path: Path) -> dict[str, list[tuple[str, float]]]:
    """Reads a TREC run: query -> (document, score), best first."""
    run: dict[str, list[tuple[str, float]]] = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            query, _, document, _, score, _ = line.split()
            run.setdefault(urllib.parse.unquote(query), []).append((urllib.parse.unquote(document), float(score)))
    return run


def words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning."""
    return frozenset(WORD.findall(text.lower())) - FUNCTION_WORDS


def shared(a: frozenset[str], b: frozenset[str]) -> float:
    """Jaccard's coefficient of two sets of words."""
    return len(a & b) / max(1, len(a | b))


class Miner:
    """One collection with its ranking."""

    def __init__(self, folder: Path, run: dict):
        self.run = run
        self.documents = [(d["title"] + " " + d["text"]).strip() for d in read_json_lines(folder / "corpus.jsonl")]
        self.questions = list(read_json_lines(folder / "queries.jsonl"))
        judged = (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
        self.positive = [int(line.split("\t")[1]) for line in judged]
        groups = json.loads((folder / "groups.json").read_text(encoding="utf-8"))
        self.held, self.groups = set(groups["held_out"]), groups["documents"]
        self.passage_words = [words(d) for d in self.documents]
        self.question_words = [words(q["text"]) for q in self.questions]
        self.answers: dict[int, list[int]] = {}  # document -> questions that it answers
        for i, document in enumerate(self.positive):
            self.answers.setdefault(document, []).append(i)

    def may_answer(self, question: int, document: int) -> bool:
        """Whether a document that is not judged may be as good as the positive."""
        answer = self.questions[question]["metadata"]["answer"].lower()
        if len(answer) > 3 and answer in self.documents[document].lower():
            return True
        if shared(self.passage_words[document], self.passage_words[self.positive[question]]) > COPY:
            return True
        asked = self.question_words[question]
        return any(shared(asked, self.question_words[other]) > SAME_QUESTION
                   for other in self.answers.get(document, []))

    def lists(self, counts: dict):
        """Yields the lists; counts what was kept and left out."""
        for i, question in enumerate(self.questions):
            ranked = [(int(d), score) for d, score in self.run.get(str(i), [])]
            found = [score for d, score in ranked if d == self.positive[i]]
            if question["metadata"]["held_out"]:
                kept = ranked[:HELD_DEPTH]
                counts["held out"] += 1
            elif found:
                near = [c for c in ranked[:DEPTH] if c[0] != self.positive[i] and self.groups[c[0]] not in self.held]
                kept = [c for c in near if not self.may_answer(i, c[0])]
                counts["candidates left out"] += len(near) - len(kept)
                kept.insert(0, (self.positive[i], found[0]))
                counts["lists"] += 1
            else:
                counts["answer not found"] += 1
                continue
            yield {"query": question["text"], "answer": question["metadata"]["answer"], "positive": self.positive[i],
                   "held_out": question["metadata"]["held_out"],
                   "candidates": [c[0] for c in kept], "scores": [c[1] for c in kept]}


def write_lists(work: Path) -> None:
    """Writes lists/NAME.jsonl for every run."""
    (work / "lists").mkdir(exist_ok=True)
    for run in sorted((work / "runs").glob("*.run")):
        counts = {"lists": 0, "answer not found": 0, "candidates left out": 0, "held out": 0}
        miner = Miner(work / "sets" / run.stem, read_run(run))
        with open(work / "lists" / f"{run.stem}.jsonl", "w", encoding="utf-8") as out:
            out.writelines(json.dumps(entry) + "\n" for entry in miner.lists(counts))
        print(run.stem, counts, flush=True)
