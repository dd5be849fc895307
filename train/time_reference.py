"""Times a reranker as the reference implementation runs it: the whole model in
memory, in padded batches, in float32 and bfloat16.

The input is what `lab bench rerank --pairs FILE` writes: a JSON object a
line with the token ids (and types) of the pairs of a query. So both programs
compute the very same tokens, and neither time includes tokenizing. Queries
take turns between the precisions; the first query is asked once before, and
not counted.

MODEL is a Hugging Face folder. Without weights in it they are made up from
config.json, which takes as long to compute with. Heads that are not among the
weights are made up too; scores do not matter here. Needs transformers besides
requirements.txt.

Run nothing else on the machine meanwhile, and dowse right before or after.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import torch
import transformers

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def load(folder: Path, dtype: torch.dtype) -> torch.nn.Module:
    """The model, for one score a pair: a classifier, or a decoder that is asked for its next token."""
    config = transformers.AutoConfig.from_pretrained(folder)
    decoder = config.architectures[0].endswith("ForCausalLM")
    kind = transformers.AutoModelForCausalLM if decoder else transformers.AutoModelForSequenceClassification
    if not decoder:
        config.num_labels = 1
    if any(folder.glob("*.safetensors")):
        net = kind.from_pretrained(folder, config=config, dtype=dtype)
    else:
        torch.manual_seed(1)
        net = kind.from_config(config).to(dtype)
    return net.eval()


def padded(rows: list[list[int]], left: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows as a matrix filled up with zeros, and the mask of what is no filling."""
    longest = max(map(len, rows))
    fill = [[0] * (longest - len(row)) for row in rows]
    ones = [[1] * len(row) for row in rows]
    matrix = [f + row if left else row + f for f, row in zip(fill, rows, strict=True)]
    mask = [f + one if left else one + f for f, one in zip(fill, ones, strict=True)]
    return torch.tensor(matrix), torch.tensor(mask)


@torch.inference_mode()
def score(net: torch.nn.Module, pairs: dict, batch: int) -> torch.Tensor:
    """The scores [pairs] of a query, longest pairs first so that little is padded."""
    decoder = net.config.architectures[0].endswith("ForCausalLM")
    order = sorted(range(len(pairs["ids"])), key=lambda i: -len(pairs["ids"][i]))
    scores = torch.zeros(len(order))
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        ids, mask = padded([pairs["ids"][i] for i in part], left=decoder)
        if decoder:
            found = net(input_ids=ids, attention_mask=mask, use_cache=False, logits_to_keep=1).logits[:, -1, 0]
        else:
            inputs = {"input_ids": ids, "attention_mask": mask}
            if "types" in pairs:
                inputs["token_type_ids"] = padded([pairs["types"][i] for i in part], left=False)[0]
            found = net(**inputs).logits[:, 0]
        scores[part] = found.float()
    return scores


def main() -> None:
    """Prints a row for each precision."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, metavar="MODEL", help="Hugging Face folder, with or without weights")
    parser.add_argument("pairs", type=Path, metavar="FILE", help="what lab bench rerank --pairs wrote")
    parser.add_argument("--batch", type=int, default=8, help="pairs at a time")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--queries", type=int, default=0, help="only the first so many")
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES, default=list(DTYPES))
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    transformers.logging.set_verbosity_error()
    queries = [json.loads(line) for line in arguments.pairs.read_text().splitlines()]
    if arguments.queries:
        queries = queries[: arguments.queries]
    nets = {name: load(arguments.model, DTYPES[name]) for name in arguments.dtypes}
    millis: dict[str, list[float]] = {name: [] for name in nets}
    for net in nets.values():
        score(net, queries[0], arguments.batch)
    for query in queries:
        for name, net in nets.items():
            start = time.perf_counter()
            scores = score(net, query, arguments.batch)
            millis[name].append(1000 * (time.perf_counter() - start))
            if not bool(torch.isfinite(scores).all()):
                raise SystemExit(f"{name}: scores that are no numbers")
    tokens = statistics.mean(sum(map(len, query["ids"])) for query in queries)
    pairs = statistics.mean(len(query["ids"]) for query in queries)
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, {torch.get_num_threads()} threads, "
          f"batches of {arguments.batch}; {len(queries)} queries of {pairs:.0f} pairs, {tokens:.0f} tokens")
    for name, times in millis.items():
        print(f"{name:9} median {statistics.median(times):.1f} ms, {min(times):.1f} to {max(times):.1f}")


if __name__ == "__main__":
    main()
