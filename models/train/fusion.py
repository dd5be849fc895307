"""Fits the weight by which dowse adds its two lists: engine/fusion's Lexical.

  fusion.py --work W [NAME...]

Reads runs/NAME.lexical.run and runs/NAME.vector.run of the collections in sets/,
which `dowse eval` wrote, adds the scores as dowse does, for every weight, and
prints nDCG@10: the mean of the collections for each weight, and of each
collection under the weight that suits the others best.
"""

import argparse
from pathlib import Path

from ranking import ndcg10

DEPTH = 100  # of both lists
WEIGHTS = [round(0.02 * i, 2) for i in range(51)]
NAMES = ["medquad", "nq-qed", "pubmedqa", "covidqa", "tldr", "docs", "squad2"]


def read_run(path: Path) -> dict[str, list[tuple[str, float]]]:
    """Reads a run in TREC's format: documents and scores of each query, best first."""
    run: dict[str, list[tuple[str, float]]] = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            query, _, document, _, score, _ = line.split()
            run.setdefault(query, []).append((document, float(score)))
    return run


def read_grades(path: Path) -> dict[str, dict[str, int]]:
    """Reads the judged documents of each query."""
    grades: dict[str, dict[str, int]] = {}
    with open(path, encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            query, document, grade = line.rstrip("\n").split("\t")
            grades.setdefault(query, {})[document] = int(grade)
    return grades


def fuse(lexical: list, vector: list, weight: float) -> list[str]:
    """Ranks by weight * BM25 / best BM25 + (1 - weight) * cosine, as engine/fusion's Combine."""
    if not lexical or not vector:
        return [document for document, _ in lexical or vector]
    best = lexical[0][1]
    floor = lexical[-1][1] / best if len(lexical) >= DEPTH and best > 0 else 0.0
    cosine, lowest = dict(vector), vector[-1][1]
    total = {document: weight * floor + (1 - weight) * score for document, score in vector}
    for document, score in lexical:
        total[document] = weight * score / best + (1 - weight) * cosine.get(document, lowest)
    return sorted(total, key=lambda document: (-total[document], int(document)))


def measure(work: Path, name: str) -> list[float]:
    """nDCG@10 of a collection for every weight."""
    lexical, vector = (read_run(work / "runs" / f"{name}.{stage}.run") for stage in ("lexical", "vector"))
    grades = read_grades(work / "sets" / name / "qrels" / "test.tsv")
    queries = sorted(lexical.keys() | vector.keys(), key=int)
    return [
        sum(ndcg10(fuse(lexical.get(q, []), vector.get(q, []), w), grades[q]) for q in queries) / len(queries) for w in WEIGHTS
    ]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of sets/ and runs/")
    parser.add_argument("names", nargs="*", help="collections; default the training folders")
    args = parser.parse_args()
    names = args.names or NAMES
    found = {name: measure(args.work, name) for name in names}

    def mean(of: list[str], i: int) -> float:
        return sum(found[name][i] for name in of) / len(of)

    print("weight  mean   " + "  ".join(names))
    for i, weight in enumerate(WEIGHTS):
        print(f"{weight:.2f}    {mean(names, i):.4f} " + "  ".join(f"{found[name][i]:.4f}" for name in names))
    best = max(range(len(WEIGHTS)), key=lambda i: mean(names, i))
    print(f"best: {WEIGHTS[best]:.2f}, mean nDCG@10 {mean(names, best):.4f}")
    left_out = []
    for name in names:
        others = [other for other in names if other != name]
        chosen = max(range(len(WEIGHTS)), key=lambda i: mean(others, i))
        left_out.append(found[name][chosen])
        print(f"{name}: {found[name][chosen]:.4f} with {WEIGHTS[chosen]:.2f}, which suits the others best")
    print(f"left out: mean nDCG@10 {sum(left_out) / len(left_out):.4f}")


if __name__ == "__main__":
    main()
