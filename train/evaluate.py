"""Reranks dowse's rankings with a checkpoint and reports nDCG@10.

Two steps, kept apart so that the evaluation sets choose nothing:

  evaluate.py choose  on held-out questions of the training folders and on
                      collections that were not trained on at all, tries every
                      blending rule and weight, and writes blend.json
  evaluate.py report  on judged collections, applies blend.json and prints
                      nDCG@10 of hybrid, of the reranker and of their blend,
                      for the last layer and for those before it

`report` reads RUNS/NAME.run, written by
`lab eval SETS/NAME --stages hybrid --run RUNS/NAME.run`.
"""

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

import data
import decoder
import ranking
from mine import read_run
from model import load_bert
from reader import Reader
from sources import read_json_lines

TOKENS = 256  # of a pair, as dowse cuts passages
HARM = 0.005  # a blend is chosen among those that take no more than this, and a standard error, from any collection
WEIGHTS = {
    "raw": [0.0, 1, 2, 3, 5, 7, 10, 14, 17, 20, 24, 28, 34, 40, 56, 80],
    "standardised": [0.0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8],
    "standardised reranker": [0.0, 1, 2, 4, 6, 9, 13, 18, 25, 40, 80],
    "chance": [0.0, 0.5, 1, 1.5, 2, 3, 4, 6, 10, 20],
}


@dataclass
class Ranked:
    """A query with dowse's ranking, and the model's scores of its head."""

    documents: list
    hybrid: np.ndarray
    grades: dict
    scores: np.ndarray  # [layers, depth]


def load_encoder(path: Path, encoder: Path) -> Reader:
    """Reads a checkpoint of train.py, or a folder written by export.py."""
    net = load_bert(path if path.is_dir() else encoder)
    if not path.is_dir():
        net.load_state_dict(torch.load(path, weights_only=False, map_location="cpu")["model"])
    return Reader(net.bfloat16().eval(), data.load_tokenizer(encoder))


def load_decoder(path: Path, base: Path) -> decoder.DecoderReader:
    """Reads a checkpoint of decoder_train.py, or a folder written by decoder_export.py."""
    return decoder.DecoderReader(decoder.load_checkpoint(path, base).computing(), decoder.load_tokenizer(base))


class Scorer:
    """Scores queries against passages on two threads."""

    def __init__(self, reader: Reader | decoder.DecoderReader):
        self.reader = reader
        self.pool = ThreadPoolExecutor(2)

    def tokens(self, text: str) -> list[int]:
        """The token ids of a passage."""
        return self.reader.tokenizer.encode(self.reader.opening + text, add_special_tokens=False).ids

    def score(self, query: str, passages: list[list[int]]) -> np.ndarray:
        """Scores [layers, passages] of one query."""
        with torch.inference_mode():
            scores, _ = self.reader.scores([(query, passages, TOKENS)])
        return scores[0].double().numpy()

    def rank(self, jobs: list[tuple[str, list, np.ndarray, dict]], passages, depth: int) -> list[Ranked]:
        """Scores the first depth documents of every (query, documents, hybrid, grades)."""
        def one(job: tuple) -> Ranked:
            query, documents, hybrid, grades = job
            return Ranked(documents, hybrid, grades, self.score(query, [passages[d] for d in documents[:depth]]))

        return list(self.pool.map(one, jobs))


def blended_ndcg(ranked: list[Ranked], layer: int, depth: int, rule: str, weight: float) -> np.ndarray:
    """nDCG@10 of each query after blending the scores of a layer."""
    return np.array([
        ranking.ndcg10(ranking.rerank(r.documents, r.scores[layer][:depth], r.hybrid, rule, weight), r.grades)
        for r in ranked])


def mean_ndcg(ranked: list[Ranked], layer: int, depth: int, rule: str, weight: float) -> float:
    """Mean nDCG@10 after blending the scores of a layer."""
    return float(blended_ndcg(ranked, layer, depth, rule, weight).mean())


def own_ndcg(ranked: list[Ranked]) -> np.ndarray:
    """nDCG@10 of each query in dowse's own ranking."""
    return np.array([ranking.ndcg10(r.documents, r.grades) for r in ranked])


def hybrid_ndcg(ranked: list[Ranked]) -> float:
    """Mean nDCG@10 of dowse's own ranking."""
    return float(own_ndcg(ranked).mean())


def gain_of(ranked: list[Ranked], before: np.ndarray, depth: int, rule: str, weight: float) -> tuple[float, bool]:
    """The mean gain of a blend over dowse's own ranking, and whether it takes too much from the collection."""
    gains = blended_ndcg(ranked, -1, depth, rule, weight) - before
    error = float(gains.std() / max(1, len(gains)) ** 0.5)
    return float(gains.mean()), gains.mean() < -HARM - error


def choose(args: argparse.Namespace, scorer: Scorer) -> None:
    """Chooses rule and weight on held-out questions."""
    sets = data.load_sets(args.work, scorer.reader.tokenizer, scorer.reader.opening)
    scored = {}
    for s in sets:
        stride = max(1, -(-len(s.held_out) // args.queries))
        jobs = [(e.query, e.documents, np.array(e.scores), {e.positive: 1}) for e in s.held_out[::stride]]
        scored[s.name] = scorer.rank(jobs, s.passages, args.depth)
    own = {name: own_ndcg(ranked) for name, ranked in scored.items()}
    table = []
    for rule, weights in WEIGHTS.items():
        for weight in weights:
            judged = {name: gain_of(r, own[name], args.depth, rule, weight) for name, r in scored.items()}
            gains = {name: gain for name, (gain, _) in judged.items()}
            harms = any(harm for _, harm in judged.values())
            table.append((float(np.mean(list(gains.values()))), rule, weight, gains, harms))
    table.sort(key=lambda row: (row[4], -row[0]))
    print(f"held-out questions, {args.depth} candidates, gain of nDCG@10 over hybrid")
    for gain, rule, weight, gains, harms in sorted(table, key=lambda row: row[1:3]):
        print(f"  {rule}, weight {weight}: mean {gain:+.4f}, worst {min(gains.values()):+.4f}{', harms' * harms}")
    gain, rule, weight, gains, _ = table[0]
    for name, value in gains.items():
        ranked = scored[name]
        alone = mean_ndcg(ranked, -1, args.depth, "raw", 0)
        layers = " ".join(f"{mean_ndcg(ranked, k, args.depth, 'standardised', 1):.4f}"
                          for k in range(len(ranked[0].scores)))
        print(f"  {name:12} {len(ranked):4} queries, hybrid {hybrid_ndcg(ranked):.4f}, reranker {alone:.4f}, "
              f"blend {value:+.4f}; layers 1.. standardised, equal weights: {layers}")
    args.blend.write_text(json.dumps({"rule": rule, "weight": weight, "depth": args.depth, "gain": gain}) + "\n")
    print(f"chosen: {rule}, weight {weight}, written to {args.blend}")


def read_judged(folder: Path, run: dict, limit: int) -> tuple[list, dict]:
    """The jobs of a judged collection, and its passages as text."""
    texts = {row["_id"]: (row["title"] + " " + row["text"]).strip() for row in read_json_lines(folder / "corpus.jsonl")}
    grades: dict[str, dict] = {}
    for line in (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades.setdefault(query, {})[document] = int(grade)
    queries = [q for q in read_json_lines(folder / "queries.jsonl") if q["_id"] in grades]
    jobs = []
    for q in queries[:limit or None]:
        found = run.get(q["_id"], [])
        jobs.append((q["text"], [d for d, _ in found], np.array([s for _, s in found]), grades[q["_id"]]))
    return jobs, texts


def report(args: argparse.Namespace, scorer: Scorer) -> None:
    """Prints the quality of a blend that was chosen elsewhere."""
    blend = json.loads(args.blend.read_text())
    rule, weight = blend["rule"], blend["weight"]
    print(f"{args.checkpoint}, {args.depth} candidates, blend {rule} {weight}; nDCG@10")
    print(f"{'set':10} queries  hybrid  alone   blend    gain | blend by layer 1..")
    gains, relative = [], []
    for path in sorted(args.runs.glob("*.run")):
        start = time.monotonic()
        jobs, texts = read_judged(args.sets / path.stem, read_run(path), args.queries)
        wanted = {d for _, documents, _, _ in jobs for d in documents[:args.depth]}
        passages = {d: scorer.tokens(texts[d]) for d in wanted}
        ranked = scorer.rank(jobs, passages, args.depth)
        before, alone = hybrid_ndcg(ranked), mean_ndcg(ranked, -1, args.depth, "raw", 0)
        layers = [mean_ndcg(ranked, k, args.depth, rule, weight) for k in range(scorer.reader.layers)]
        gains.append(layers[-1] - before)
        relative.append(layers[-1] / before - 1)
        print(f"{path.stem:10} {len(ranked):7}  {before:.4f}  {alone:.4f}  {layers[-1]:.4f}  {gains[-1]:+.4f} | "
              f"{' '.join(f'{x:.4f}' for x in layers)}  ({time.monotonic() - start:.0f} s)", flush=True)
    print(f"mean gain {np.mean(gains):+.4f}, mean relative gain {100 * np.mean(relative):+.2f}%, "
          f"worst {min(gains):+.4f}")


def main() -> None:
    """Runs one step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["choose", "report"])
    parser.add_argument("--checkpoint", type=Path, required=True, help="a .pt file of training or an exported folder")
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--encoder", type=Path, help="folder of all-MiniLM-L6-v2, of which the checkpoint was made")
    start.add_argument("--base", type=Path, help="folder of the decoder that the checkpoint adapts")
    parser.add_argument("--blend", type=Path, required=True, help="blend.json: written by choose, read by report")
    parser.add_argument("--work", type=Path, help="choose: folder of sets/ and lists/")
    parser.add_argument("--sets", type=Path, help="report: folder of judged collections")
    parser.add_argument("--runs", type=Path, help="report: folder of dowse's rankings of them")
    parser.add_argument("--depth", type=int, default=20, help="candidates that are reranked")
    parser.add_argument("--queries", type=int, default=0, help="at most so many of each collection; 0 means all")
    args = parser.parse_args()
    if args.step == "choose" and not args.queries:
        args.queries = 10**9
    torch.set_num_threads(1)
    scorer = Scorer(load_encoder(args.checkpoint, args.encoder) if args.encoder
                    else load_decoder(args.checkpoint, args.base))
    choose(args, scorer) if args.step == "choose" else report(args, scorer)


if __name__ == "__main__":
    main()
