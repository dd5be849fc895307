"""Turns training folders into collections that dowse can rank, and rankings into lists.

  prepare.py sets   writes one folder in BEIR layout for each collection
  prepare.py lists  reads dowse's rankings of them and writes lists/NAME.json

Between the two, `lab eval sets/NAME --stages hybrid --run runs/NAME.run`
ranks each collection. README.md has the whole sequence.
"""

import argparse
import json
import random
from pathlib import Path

import mine
import sources
from answers.held_out import choose_groups

# How many questions of the large folders are kept. They are drawn by whole
# groups, so that a question still competes with its neighbours.
LIMITS = {"medquad": 5000, "tldr": 4000}
FOLDERS = ["medquad", "nq-qed", "pubmedqa", "covidqa", "tldr", "docs"]
HELD_OUT = 0.05  # of a collection's questions, by whole groups
UNSEEN_QUESTIONS = 200  # of a collection that is validated on alone
HELD_OUT_AT_LEAST = 40  # questions, where the collection is small


def read_collections(args: argparse.Namespace, rng: random.Random) -> list[sources.Collection]:
    """Reads every training folder, and makes up the pairs made from text."""
    read = {name: sources.pairs(args.data / name, LIMITS.get(name, 10**9), rng) for name in FOLDERS}
    read["squad2"] = sources.squad(args.data / "squad2")
    for collection in read.values():
        collection.held_out = hold_out(collection, rng)
    conclusions = sources.conclusions(args.data / "pubmedqa")
    conclusions.held_out = read["pubmedqa"].held_out
    made = [sources.sentences([read[n] for n in ("squad2", "medquad", "covidqa", "docs")], 3000, rng)]
    if args.go_source:
        made.append(sources.go_functions(args.go_source, 3000, rng))
    if args.python_source:
        made.append(sources.python_functions(args.python_source, 2500, rng))
    for collection in made:
        collection.held_out = hold_out(collection, rng)
    return [*read.values(), conclusions, *made]


def read_unseen(args: argparse.Namespace, rng: random.Random) -> list[sources.Collection]:
    """Reads what is validated on and never trained on: other people's texts."""
    unseen = []
    if args.notes:
        unseen.append(sources.notes(args.notes))
    if args.manuals:
        unseen.append(sources.manuals(args.manuals))
    for collection in unseen:
        rng.shuffle(collection.questions)
        del collection.questions[UNSEEN_QUESTIONS:]
        collection.held_out = {*collection.groups, *(q.group for q in collection.questions)}
    return unseen


def hold_out(collection: sources.Collection, rng: random.Random) -> set[str]:
    """Chooses the groups whose questions are never trained on."""
    sizes: dict[str, int] = {}
    for question in collection.questions:
        sizes[question.group] = sizes.get(question.group, 0) + 1
    wanted = max(HELD_OUT_AT_LEAST, HELD_OUT * len(collection.questions))
    return choose_groups(sizes, wanted, rng)


def write_set(collection: sources.Collection, folder: Path) -> None:
    """Writes a collection in BEIR layout; ids are indices."""
    held = collection.held_out
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    with open(folder / "corpus.jsonl", "w", encoding="utf-8") as out:
        for i, (title, text) in enumerate(collection.documents):
            out.write(json.dumps({"_id": str(i), "title": title, "text": text}) + "\n")
    with open(folder / "queries.jsonl", "w", encoding="utf-8") as out:
        for i, q in enumerate(collection.questions):
            metadata = {"group": q.group, "answer": q.answer, "held_out": q.group in held}
            out.write(json.dumps({"_id": str(i), "text": q.text, "metadata": metadata}) + "\n")
    with open(folder / "qrels" / "test.tsv", "w", encoding="utf-8") as out:
        out.write("query-id\tcorpus-id\tscore\n")
        for i, q in enumerate(collection.questions):
            out.write(f"{i}\t{q.document}\t1\n")
    with open(folder / "groups.json", "w", encoding="utf-8") as out:
        json.dump({"documents": collection.groups, "held_out": sorted(held)}, out)


def main() -> None:
    """Runs one step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["sets", "lists"])
    parser.add_argument("--work", type=Path, required=True, help="folder of sets/, runs/ and lists/")
    parser.add_argument("--data", type=Path, help="folder of the training folders")
    parser.add_argument("--go-source", type=Path, help="Go's source tree (BSD-3-Clause)")
    parser.add_argument("--python-source", type=Path, help="Python's library (PSF licence)")
    parser.add_argument("--notes", type=Path, help="a folder of Markdown notes, for validation alone")
    parser.add_argument("--manuals", type=Path, help="a folder of GNU info manuals, for validation alone")
    parser.add_argument("--seed", type=int, default=20261121)
    args = parser.parse_args()
    print(f"seed {args.seed}")
    if args.step == "lists":
        mine.write_lists(args.work)
        return
    rng = random.Random(args.seed)
    for collection in read_collections(args, rng) + read_unseen(args, rng):
        write_set(collection, args.work / "sets" / collection.name)
        count = sum(q.group in collection.held_out for q in collection.questions)
        print(f"{collection.name}: {len(collection.documents)} documents, {len(collection.questions)} questions, "
              f"{count} of {len(collection.held_out)} groups held out")


if __name__ == "__main__":
    main()
