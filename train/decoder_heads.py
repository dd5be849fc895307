"""Fits the heads before a decoder's last one to what the last one will say.

Training teaches early heads by the same small steps as the adapter. With the
adapter done, the best linear guess of the last score by a layer's state is a
least-squares problem with one answer, and candidates can be dropped the earlier
the better the guess. Each head is its trained self plus a correction w that
minimises

    sum of (last score - (head + w) . state)^2 + penalty * |w|^2

over lists of training questions, states and scores taken less their list's
mean: only differences within a list order anything. The penalty is the one that
does best on lists that were left out of the sums. Biases make the mean scores
equal. The last head stays.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

import data
import decoder

PENALTIES = [0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0]  # in multiples of the mean square of a state's numbers
LEFT_OUT = 4  # every so manieth list chooses the penalty


def collect(reader: decoder.DecoderReader, sets: list[data.Set], queries: int, depth: int) -> list[torch.Tensor]:
    """The normed states [layers, passages, width] of some training lists of every collection."""
    def states(job: tuple[str, list[list[int]]]) -> torch.Tensor:
        with torch.inference_mode():  # counts for one thread
            return reader.net.states(*reader.pairs(*job, data.LONG))

    jobs = []
    for s in sets:
        stride = max(1, len(s.training) // queries)
        jobs += [(e.query, [s.passages[d] for d in e.documents[:depth]]) for e in s.training[::stride][:queries]]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(states, jobs))


def sums(lists: list[torch.Tensor], layer: int, head: torch.Tensor,
         last: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Products of a layer's states with themselves and with what its head misses of the last score."""
    width = len(head)
    square, missed = torch.zeros(width, width, dtype=torch.double), torch.zeros(width, dtype=torch.double)
    for states in lists:
        x = states[layer].double()
        square += x.T @ x
        missed += x.T @ (states[-1].double() @ last - x @ head)
    return square, missed


def error(lists: list[torch.Tensor], layer: int, head: torch.Tensor, last: torch.Tensor) -> float:
    """The mean square of what a head misses of the last score."""
    return float(torch.cat([(s[-1].double() @ last - s[layer].double() @ head) ** 2 for s in lists]).mean())


def fit(lists: list[torch.Tensor], heads: torch.Tensor, biases: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Heads [layers, width] and biases, fitted; prints what each misses on the lists that were left out."""
    means = torch.cat(lists, 1).double().mean(1)
    lists = [s - s.mean(1, keepdim=True) for s in lists]
    fitted, last = heads.double().clone(), heads[-1].double()
    chosen, kept = lists[::LEFT_OUT], [s for i, s in enumerate(lists) if i % LEFT_OUT]
    for layer in range(len(heads) - 1):
        head = heads[layer].double()
        square, missed = sums(kept, layer, head, last)
        rest, rest_missed = sums(chosen, layer, head, last)
        unit = square.diagonal().mean() * torch.eye(len(head), dtype=torch.double)
        best, penalty = min(
            (error(chosen, layer, head + torch.linalg.solve(square + penalty * unit, missed), last), penalty)
            for penalty in PENALTIES)
        fitted[layer] = head + torch.linalg.solve(square + rest + penalty * unit, missed + rest_missed)
        print(f"layer {layer + 1:2}: misses {error(chosen, layer, head, last):.4f} before, "
              f"{best:.4f} with penalty {penalty}", flush=True)
    mean_scores = (fitted * means).sum(1)
    return fitted.to(heads.dtype), (biases[-1] + mean_scores[-1] - mean_scores).to(biases.dtype)


def main() -> None:
    """Fits the heads of one checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="a .pt file of decoder_train.py")
    parser.add_argument("--base", type=Path, required=True, help="folder of the decoder")
    parser.add_argument("--work", type=Path, required=True, help="folder of sets/ and lists/")
    parser.add_argument("--queries", type=int, default=24, help="lists of each collection")
    parser.add_argument("--depth", type=int, default=20, help="candidates of a list")
    parser.add_argument("--out", type=Path, required=True, help="the checkpoint with the fitted heads")
    args = parser.parse_args()
    torch.set_num_threads(1)
    reader = decoder.DecoderReader(decoder.load_checkpoint(args.checkpoint, args.base).computing(),
                                   decoder.load_tokenizer(args.base))
    sets = data.load_sets(args.work, reader.tokenizer, reader.opening)
    lists = collect(reader, sets, args.queries, args.depth)
    print(f"{len(lists)} lists")
    saved = torch.load(args.checkpoint, weights_only=True)
    model = saved["model"]
    model["head_weight"], model["head_bias"] = fit(lists, model["head_weight"], model["head_bias"])
    torch.save(saved, args.out)


if __name__ == "__main__":
    main()
