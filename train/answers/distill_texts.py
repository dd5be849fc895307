"""Writes the texts that distill.py learns from: training folders, questions about them, source code.

  python -m answers.distill_texts --data DATA --out W --source FOLDER...

W/texts.jsonl is learned from, W/heldout.jsonl is of other groups and files: a passage never
stands in both. One JSON object a line, with the text in the field "text". Of a source tree
the openings of its Go, Python and Markdown files are taken, where most of a file's
documentation stands.
"""

import argparse
import json
import random
from pathlib import Path

from answers.prepare import HELD_OUT, hold_out, read_collections
from answers.sources import Collection, divided

FOLDER_LIMIT = 1500  # passages, and as many questions, of a folder
SOURCE_LIMIT = 1500  # files of a source tree
OPENING = 3000  # characters of a file
KINDS = {".go", ".py", ".md"}


def passages(collection: Collection, rng: random.Random) -> list[str]:
    """Some passages under their titles."""
    chosen = rng.sample(collection.passages, min(FOLDER_LIMIT, len(collection.passages)))
    return [f"{p.title}\n\n{p.text}" for p in chosen]


def conversations(collection: Collection, rng: random.Random) -> list[str]:
    """Some questions about a passage, asked and answered as the model's own template has it."""
    found = []
    for fact in rng.sample(collection.facts, min(FOLDER_LIMIT, len(collection.facts))):
        text = collection.passages[fact.passage].text
        found.append(f"<|im_start|>user\n{text}\n\n{fact.question}<|im_end|>\n"
                     f"<|im_start|>assistant\n{text[fact.start:fact.end]}<|im_end|>")
    return found


def openings(folder: Path, rng: random.Random) -> tuple[list[str], list[str]]:
    """The openings of some files of a source tree, and of those that are held out."""
    paths = sorted(p for p in folder.rglob("*") if p.suffix in KINDS and p.is_file())
    chosen = rng.sample(paths, min(SOURCE_LIMIT, len(paths)))
    texts = [p.read_text(encoding="utf-8", errors="ignore")[:OPENING] for p in chosen]
    held = int(HELD_OUT * len(texts))
    return texts[held:], texts[:held]


def write(path: Path, groups: list[tuple[str, list[str]]], rng: random.Random) -> None:
    """Writes texts in a random order, and says what is in them."""
    texts = [text for _, found in groups for text in found]
    rng.shuffle(texts)
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps({"text": t}, ensure_ascii=False) + "\n" for t in texts)
    print(path.name)
    for name, found in groups:
        print(f"  {name:30} {len(found):6} texts {sum(map(len, found)) / 1e6:6.2f} M characters")


def main() -> None:
    """Reads the arguments and writes both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training folders")
    parser.add_argument("--out", type=Path, required=True, help="folder of both files")
    parser.add_argument("--source", type=Path, nargs="*", default=[], help="source trees")
    parser.add_argument("--seed", type=int, default=20261121)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    made: tuple[list, list] = ([], [])
    for collection in read_collections(args.data, rng):
        for part, groups in zip(divided(collection, hold_out(collection, rng)), made, strict=True):
            groups.append((collection.name, passages(part, rng)))
            groups.append((collection.name + " asked", conversations(part, rng)))
    for folder in args.source:
        for found, groups in zip(openings(folder, rng), made, strict=True):
            groups.append((folder.name, found))
    for name, groups in zip(("texts.jsonl", "heldout.jsonl"), made, strict=True):
        write(args.out / name, groups, rng)


if __name__ == "__main__":
    main()
