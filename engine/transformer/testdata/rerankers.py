"""Writes the small rerankers that reference_test.go compares with.

    python rerankers.py        (transformers 5.23.0, torch 2.13.0, safetensors)

Weights are drawn from a fixed seed, rounded to half precision and saved; scores
are computed from the rounded weights in float32, after every layer by the head
of the model or by a head of the layer's own.
"""

import json
import pathlib

import torch
from safetensors.torch import save_file
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
)

HERE = pathlib.Path(__file__).parent
PAIRS = 14
VOCABULARY = 76


def randomize(model: torch.nn.Module) -> None:
    """Draws all weights large enough for scores to differ, and rounds them."""
    for name, weight in model.named_parameters():
        spread = 0.5 if "embeddings.word" in name else 0.1 if weight.dim() == 1 else 0.3
        mean = 1.0 if "LayerNorm.weight" in name else 0.0
        weight.data = (mean + spread * torch.randn(weight.shape)).half().float()
    model.eval()


def random_pairs(longest: int, types: int) -> list[dict]:
    pairs = []
    for _ in range(PAIRS):
        first, second = (int(torch.randint(1, longest // 2, ())) for _ in range(2))
        ids = torch.randint(4, VOCABULARY, (first + second,)).tolist()
        kinds = [0] * first + [types - 1] * second
        pairs.append({"ids": ids, "types": kinds})
    return pairs


def states(model: torch.nn.Module, pair: dict) -> tuple[torch.Tensor, ...]:
    """The states of all tokens after each layer: layers x [1, tokens, width]."""
    out = model(
        input_ids=torch.tensor([pair["ids"]]),
        token_type_ids=torch.tensor([pair["types"]]),
        output_hidden_states=True,
    )
    return out.hidden_states[1:]


def write(name: str, model: torch.nn.Module, head, extra: dict, types: int) -> None:
    longest = model.config.max_position_embeddings - 2
    pairs = random_pairs(longest, types)
    with torch.no_grad():
        scores = [[float(head(layer, h)) for layer, h in enumerate(states(model, p))] for p in pairs]
        if hasattr(model, "classifier"):  # the model itself agrees with the head taken apart
            for pair, score in zip(pairs, scores):
                logits = model(torch.tensor([pair["ids"]]), token_type_ids=torch.tensor([pair["types"]])).logits
                assert abs(float(logits) - score[-1]) < 1e-6, (float(logits), score)
    folder = HERE / "rerankers" / name
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {k: v.half().contiguous() for k, v in (model.state_dict() | extra).items() if v.dtype.is_floating_point}
    save_file(tensors, folder / "model.safetensors")
    (folder / "model.safetensors").chmod(0o644)
    config = model.config.to_dict() | {"architectures": [model.config.architectures[0]]}
    (folder / "config.json").write_text(json.dumps(config, indent=1, sort_keys=True) + "\n")
    rows = ",\n".join(json.dumps(p | {"scores": s}, separators=(",", ":")) for p, s in zip(pairs, scores))
    (folder / "scores.json").write_text("[\n" + rows + "\n]\n")


def bert() -> None:
    config = BertConfig(
        vocab_size=VOCABULARY, hidden_size=18, num_hidden_layers=3, num_attention_heads=3, intermediate_size=40,
        max_position_embeddings=30, num_labels=1, architectures=["BertForSequenceClassification"],
    )
    model = BertForSequenceClassification(config)
    randomize(model)
    write("bert", model, lambda _, h: model.classifier(model.bert.pooler(h)), {}, 2)


def xlm_roberta() -> None:
    config = XLMRobertaConfig(
        vocab_size=VOCABULARY, hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=40,
        max_position_embeddings=32, type_vocab_size=1, pad_token_id=1, layer_norm_eps=1e-5, num_labels=1,
        architectures=["XLMRobertaForSequenceClassification"],
    )
    model = XLMRobertaForSequenceClassification(config)
    randomize(model)
    write("xlm-roberta", model, lambda _, h: model.classifier(h), {}, 1)


def layer_heads() -> None:
    config = BertConfig(
        vocab_size=VOCABULARY, hidden_size=16, num_hidden_layers=4, num_attention_heads=4, intermediate_size=24,
        max_position_embeddings=30, architectures=["BertForSequenceClassification"],
    )
    model = BertModel(config, add_pooling_layer=False)
    randomize(model)
    weight = (0.5 * torch.randn(4, 16)).half().float()
    bias = (0.5 * torch.randn(4)).half().float()
    extra = {"heads.weight": weight, "heads.bias": bias}
    write("layer-heads", model, lambda i, h: h[0, 0] @ weight[i] + bias[i], extra, 2)


if __name__ == "__main__":
    torch.manual_seed(20)
    torch.set_num_threads(1)
    bert()
    xlm_roberta()
    layer_heads()
