"""Writes what smollm2_test.go compares with.

    python smollm2.py FOLDER                 smollm2.json, logits of a few tokens
    python smollm2.py FOLDER OUT TEXT...     OUT, the surprise of 50,000 tokens

(transformers 5.23.0, torch 2.13.0.) FOLDER holds SmolLM2-135M-Instruct in float32,
its weights those of the GGUF file as published, dequantised. The reference
implementation computes in float32. Texts are read one after the other, and cut
into windows of 512 tokens, each of which is read by itself.
"""

import json
import pathlib
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

HERE = pathlib.Path(__file__).parent
TEXT = (
    "The resolver forgot its name servers after a power cut, and nobody noticed for three days. "
    "To find out which process holds a port, run `lsof -i :8080` as root."
)
WINDOW, WINDOWS, STRIDE = 512, 98, 701


def logits(model, tokenizer) -> None:
    ids = tokenizer(TEXT).input_ids
    with torch.no_grad():
        rows = model(torch.tensor([ids])).logits[0]
    best = rows.argmax(-1)
    (HERE / "smollm2.json").write_text(
        json.dumps(
            {
                "ids": ids,
                "best": best.tolist(),
                "largest": rows.gather(1, best[:, None])[:, 0].tolist(),
                "stride": STRIDE,
                "last": rows[-1, ::STRIDE].tolist(),
            }
        )
        + "\n"
    )


def surprise(model, tokenizer, out: pathlib.Path, texts: list[str]) -> None:
    ids = []
    for path in texts:
        ids += tokenizer(pathlib.Path(path).read_text()).input_ids
        if len(ids) >= WINDOW * WINDOWS:
            break
    ids = ids[: len(ids) // WINDOW * WINDOW][: WINDOW * WINDOWS]
    losses = []
    with torch.no_grad():
        for at in range(0, len(ids), WINDOW):
            window = torch.tensor([ids[at : at + WINDOW]])
            rows = model(window).logits[0, :-1]
            losses.append(torch.nn.functional.cross_entropy(rows, window[0, 1:]).item())
            print(len(losses), sum(losses) / len(losses), file=sys.stderr, flush=True)
    out.write_text(json.dumps({"window": WINDOW, "ids": ids, "losses": losses}) + "\n")


def main() -> None:
    folder = sys.argv[1]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    if len(sys.argv) == 2:
        logits(model, tokenizer)
    else:
        surprise(model, tokenizer, pathlib.Path(sys.argv[2]), sys.argv[3:])


if __name__ == "__main__":
    main()
