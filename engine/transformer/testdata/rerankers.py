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
    ModernBertConfig,
    ModernBertForSequenceClassification,
    ModernBertModel,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
)

HERE = pathlib.Path(__file__).parent
PAIRS = 14
VOCABULARY = 76


def randomize(model: torch.nn.Module, most: float = 0.3) -> None:
    """Draws all weights large enough for scores to differ, and rounds them."""
    for name, weight in model.named_parameters():
        one_more = "Gemma" in type(model).__name__  # norms multiply with one more than their weight
        spread = 0.5 if "embeddings.word" in name or "tok_embeddings" in name or one_more and "embed_tokens" in name else 0.1 if weight.dim() == 1 else most
        mean = 1.0 if "norm.weight" in name.lower() and not one_more else 0.0
        if one_more and ".post_" in name:  # what halves of layers add is small beside the rest, as it is in real models
            mean = -0.6
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
    types = {} if model.config.model_type == "modernbert" else {"token_type_ids": torch.tensor([pair["types"]])}
    out = model(input_ids=torch.tensor([pair["ids"]]), output_hidden_states=True, **types)
    return out.hidden_states[1:]


def write(name: str, model: torch.nn.Module, head, extra: dict, types: int) -> None:
    longest = model.config.max_position_embeddings - 2
    pairs = random_pairs(longest, types)
    with torch.no_grad():
        scores = [[float(head(layer, h)) for layer, h in enumerate(states(model, p))] for p in pairs]
        if hasattr(model, "classifier"):  # the model itself agrees with the head taken apart
            for pair, score in zip(pairs, scores):
                types = {} if model.config.model_type == "modernbert" else {"token_type_ids": torch.tensor([pair["types"]])}
                logits = model(torch.tensor([pair["ids"]]), **types).logits
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


MODERN = dict(
    vocab_size=VOCABULARY, hidden_size=16, num_attention_heads=2, intermediate_size=24, max_position_embeddings=32, local_attention=8,
    pad_token_id=0, bos_token_id=2, cls_token_id=2, eos_token_id=3, sep_token_id=3,
)


def rowed(layers: int, final, head):
    """What a head makes of the states of a layer, which only those of the last are normalised of."""
    return lambda layer, h: head(h if layer == layers - 1 else final(h))


def modern() -> None:
    for name, pooling, biases in [("modernbert-cls", "cls", False), ("modernbert-mean", "mean", True)]:
        config = ModernBertConfig(
            **MODERN, num_hidden_layers=4, classifier_pooling=pooling, norm_bias=biases, mlp_bias=biases, attention_bias=biases,
            classifier_bias=biases, num_labels=1, architectures=["ModernBertForSequenceClassification"],
        )
        model = ModernBertForSequenceClassification(config)
        randomize(model)
        pool = (lambda h: h[:, 0]) if pooling == "cls" else (lambda h: h.mean(dim=1))
        head = rowed(4, model.model.final_norm, lambda h, m=model, p=pool: m.classifier(m.head(p(h))))
        write(name, model, head, {}, 1)


def modern_modules() -> None:
    """The same head as modules of sentence-transformers, as the rerankers of Ettin have it."""
    config = ModernBertConfig(**MODERN, num_hidden_layers=3, architectures=["ModernBertModel"])
    model = ModernBertModel(config)
    dense, norm, output = torch.nn.Linear(16, 16, bias=False), torch.nn.LayerNorm(16), torch.nn.Linear(16, 1)
    for module in (model, dense, output):
        randomize(module)
    for i, weight in enumerate(norm.parameters()):
        weight.data = (1.0 - i + 0.1 * torch.randn(16)).half().float()
    head = rowed(3, model.final_norm, lambda h: output(norm(torch.nn.functional.gelu(dense(h[:, 0])))))
    write("modernbert-modules", model, head, {}, 1)
    folder = HERE / "rerankers" / "modernbert-modules"
    activation = "torch.nn.modules.activation.GELU", "torch.nn.modules.linear.Identity"
    modules = [
        ("Transformer", "", None, None),
        ("Pooling", "1_Pooling", {"embedding_dimension": 16, "pooling_mode": "cls", "include_prompt": True}, None),
        ("Dense", "2_Dense", {"in_features": 16, "out_features": 16, "bias": False, "activation_function": activation[0]}, {"linear": dense}),
        ("LayerNorm", "3_LayerNorm", {"dimension": 16}, {"norm": norm}),
        ("Dense", "4_Dense", {"in_features": 16, "out_features": 1, "bias": True, "activation_function": activation[1], "module_output_name": "scores"}, {"linear": output}),
    ]
    for kind, path, settings, parts in modules:
        (folder / path).mkdir(exist_ok=True)
        if settings:
            (folder / path / "config.json").write_text(json.dumps(settings, indent=1, sort_keys=True) + "\n")
        if parts:
            tensors = {f"{k}.{n}": w.half().contiguous() for k, m in parts.items() for n, w in m.state_dict().items()}
            save_file(tensors, folder / path / "model.safetensors")
            (folder / path / "model.safetensors").chmod(0o644)
    listed = [{"idx": i, "name": str(i), "path": m[1], "type": f"sentence_transformers.models.{m[0]}"} for i, m in enumerate(modules)]
    (folder / "modules.json").write_text(json.dumps(listed, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    torch.manual_seed(20)
    torch.set_num_threads(1)
    bert()
    xlm_roberta()
    layer_heads()
    modern()
    modern_modules()
