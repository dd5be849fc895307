"""Writes the texts that the chances of dowse's postings are counted on.

  prior_texts.py --work W --data DATA --go-source DIR --python-source DIR --out TEXTS
  go test ./engine/lexical -run TestTrain -train TEXTS -prior prior.bin

The texts are the collections that `prepare.py sets` made of the training folders,
the notes of notes-qa, and every so many files of the two source trees. No text of
an evaluation set is among them.
"""

import argparse
import re
import shutil
from pathlib import Path

import sources

COLLECTIONS = ["medquad", "nq-qed", "pubmedqa", "covidqa", "tldr", "docs", "squad2"]
GO_STEP, PYTHON_STEP = 8, 4  # every so many files, by path: an eighth and a fourth
UNSAFE = re.compile(r"[^\w.-]+")


def write_collection(folder: Path, out: Path) -> int:
    """Writes each document of a collection as a file that its title names."""
    out.mkdir(parents=True)
    size = 0
    for row in sources.read_json_lines(folder / "corpus.jsonl"):
        name = UNSAFE.sub("-", row["title"])[:80] or folder.name
        text = f"{row['title']}\n\n{row['text']}\n"
        (out / f"{name}-{row['_id']}.txt").write_text(text, encoding="utf-8")
        size += len(text.encode())
    return size


def write_notes(folder: Path, out: Path) -> int:
    """Writes the notes of notes-qa under their own paths."""
    size = 0
    for part in sorted(folder.glob("*.notes.jsonl")):
        for row in sources.read_json_lines(part):
            path = out / part.stem / row["path"].lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(row["text"], encoding="utf-8")
            size += len(row["text"].encode())
    return size


def copy_sources(folder: Path, pattern: str, step: int, out: Path) -> int:
    """Copies every so many files of a source tree, in the order of their paths."""
    out.mkdir(parents=True)
    size = 0
    files = [path for path in sorted(folder.rglob(pattern)) if not {"testdata", "site-packages"} & {*path.parts}]
    for i, path in enumerate(files[::step]):
        shutil.copyfile(path, out / f"{i:05d}-{path.name}")
        size += path.stat().st_size
    return size


def main() -> None:
    """Writes all of it, and says how much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, what in {
        "work": "folder of sets/, which prepare.py wrote", "data": "folder of the training folders",
        "go-source": "Go's source tree (BSD-3-Clause)", "python-source": "Python's library (PSF licence)",
        "out": "a new folder",
    }.items():
        parser.add_argument(f"--{name}", type=Path, required=True, help=what)
    args = parser.parse_args()
    sizes = {name: write_collection(args.work / "sets" / name, args.out / name) for name in COLLECTIONS}
    sizes["notes"] = write_notes(args.data / "notes-qa", args.out / "notes")
    sizes["go"] = copy_sources(args.go_source, "*.go", GO_STEP, args.out / "go")
    sizes["python"] = copy_sources(args.python_source, "*.py", PYTHON_STEP, args.out / "python")
    for name, size in sizes.items():
        print(f"{name}: {size / 1e6:.1f} MB")
    print(f"all: {sum(sizes.values()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
