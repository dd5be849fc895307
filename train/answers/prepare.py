"""Prepares what train.py needs.

  prepare.py base      the GGUF file that dowse runs -> WORK/base, a Hugging Face folder
  prepare.py examples  training folders -> WORK/train.jsonl and WORK/heldout.jsonl

An example is a line: {"source", "group", "passages": [{"title", "text"}],
"asks": [{"question", "completion", "lead", "gold", "kind", "answers"}]}. Its
passages are numbered from 1 in their order; gold are the numbers of those that
answer, kind is answered, near or far (compose.py), and lead is how many
characters of the completion hold the answer itself.
"""

import argparse
import json
import random
from collections import Counter
from functools import lru_cache
from pathlib import Path

from answers import sources
from answers.compose import Composer, compose
from answers.held_out import choose_groups

# Questions of the large folders that are kept, by whole groups.
LIMITS = {"medquad": 4000, "tldr": 3000}
# How often each folder is gone through, each time with other passages beside.
PASSES = {"squad2": 3, "nq-qed": 4, "covidqa": 3, "pubmedqa": 2, "medquad": 1, "docs": 1, "tldr": 1}
HELD_OUT = 0.05  # of a folder's questions, by whole groups
HELD_OUT_AT_LEAST = 40  # questions


def read_collections(data: Path, rng: random.Random) -> list[sources.Collection]:
    """Reads every training folder that may be trained on."""
    return [
        sources.squad2(data / "squad2"), sources.nq_qed(data / "nq-qed"), sources.covidqa(data / "covidqa"),
        sources.pubmedqa(data / "pubmedqa"), sources.medquad(data / "medquad", LIMITS["medquad"], rng),
        sources.docs(data / "docs"), sources.tldr(data / "tldr", LIMITS["tldr"], rng)]


def hold_out(collection: sources.Collection, rng: random.Random) -> set[str]:
    """Chooses the groups that are never trained on."""
    sizes = Counter(collection.passages[f.passage].group for f in collection.facts)
    wanted = max(HELD_OUT_AT_LEAST, HELD_OUT * len(collection.facts))
    return choose_groups(sizes, wanted, rng)


def write_examples(path: Path, examples: list[dict]) -> None:
    """Writes lines of JSON, and says what is in them."""
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(e, ensure_ascii=False) + "\n" for e in examples)
    total: Counter = Counter()
    by_source: dict[str, Counter] = {}
    for e in examples:
        counts = by_source.setdefault(e["source"], Counter())
        counts["examples"] += 1
        for ask in e["asks"]:
            counts[ask["kind"]] += 1
            counts["by two"] += len(ask["gold"]) > 1
    for counts in by_source.values():
        total.update(counts)
    print(f"{path.name:15} examples  questions  answered  (by two)  near   far")
    for name, c in [*by_source.items(), ("all", total)]:
        asked = c["answered"] + c["near"] + c["far"]
        print(f"  {name:13} {c['examples']:8} {asked:10} {c['answered']:9} {c['by two']:9} {c['near']:5} {c['far']:5}")


def examples(args: argparse.Namespace) -> None:
    """Composes training and held-out examples."""
    from tokenizers import Tokenizer
    tokenizer = Tokenizer.from_file(str(args.work / "base" / "tokenizer.json"))
    count = lru_cache(1 << 16)(lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids))
    rng = random.Random(args.seed)
    parts = [sources.divided(c, hold_out(c, rng)) for c in read_collections(args.data, rng)]
    made: tuple[list[dict], list[dict]] = ([], [])
    left_out: dict[str, dict] = {}
    for which in (0, 1):
        for part in parts:
            collection = part[which]
            strangers = [f for other in parts if other is not part for f in other[which].facts]
            composer = Composer(collection, count, rng)
            for _ in range(1 if which else PASSES[collection.name]):
                made[which].extend(compose(composer, collection.facts, strangers,
                                           left_out.setdefault(collection.name, {})))
        rng.shuffle(made[which])
    write_examples(args.work / "train.jsonl", made[0])
    write_examples(args.work / "heldout.jsonl", made[1])
    print("passages that could not be cut:", {n: c["left out"] for n, c in left_out.items() if c})


def main() -> None:
    """Runs one step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["base", "examples"])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--gguf", type=Path, help="base: SmolLM2-135M-Instruct in GGUF, as dowse runs it")
    parser.add_argument("--data", type=Path, help="examples: folder of the training folders")
    parser.add_argument("--seed", type=int, default=20261121)
    args = parser.parse_args()
    if args.step == "base":
        from answers.base import write_base
        write_base(args.gguf, args.work / "base")
        return
    print(f"seed {args.seed}")
    examples(args)


if __name__ == "__main__":
    main()
