"""Writes the small embedders that embedders_test.go compares with.

    python embedders.py        (sentence-transformers 6.2.0, transformers 5.23.0, torch 2.6.0)

Weights are drawn from a fixed seed, rounded to half precision and saved; vectors are
computed from the rounded weights in float32, by the modules of sentence-transformers.
"""

import json
import pathlib

import torch
from rerankers import VOCABULARY, randomize
from safetensors.torch import save_file
from sentence_transformers.base.modules import Dense
from sentence_transformers.sentence_transformer.modules import Pooling
from transformers import (
    BertConfig,
    BertModel,
    Gemma3TextConfig,
    Gemma3TextModel,
    LlamaConfig,
    LlamaModel,
    ModernBertConfig,
    ModernBertModel,
    MPNetConfig,
    MPNetModel,
    Qwen3Config,
    Qwen3Model,
    RobertaConfig,
    RobertaModel,
    XLMRobertaConfig,
    XLMRobertaModel,
)

HERE = pathlib.Path(__file__).parent
TEXTS = 12
MODULE = "sentence_transformers.models."


def save(folder: pathlib.Path, tensors: dict[str, torch.Tensor]) -> None:
    save_file({k: v.half().contiguous() for k, v in tensors.items() if v.dtype.is_floating_point}, folder / "model.safetensors")
    (folder / "model.safetensors").chmod(0o644)


def write_json(path: pathlib.Path, value) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n")


def write(name: str, model: torch.nn.Module, pooling: dict, dense: list[Dense] | Dense | None, normalize: bool, older: dict | None = None, kept: int | None = None) -> None:
    """Writes a folder as sentence-transformers publishes one, and the vectors of some texts.

    older are settings as files of older versions have them, kept how many numbers of a vector stay."""
    folder = HERE / "embedders" / name
    folder.mkdir(parents=True, exist_ok=True)
    # Gated units of so few channels multiply errors of rounding that average out in real models.
    randomize(model, 0.3 if model.config.model_type in ("bert", "roberta", "xlm-roberta", "mpnet") else 0.15)
    width = model.config.hidden_size
    modules = [("Transformer", ""), ("Pooling", "1_Pooling")]
    pool = Pooling(width, **pooling)
    settings = {"word_embedding_dimension": width, "pooling_mode_mean_tokens": False, "pooling_mode_cls_token": False}
    write_json(folder / "1_Pooling" / "config.json", settings | pooling)
    chain = dense if isinstance(dense, list) else [dense] if dense else []
    for i, one in enumerate(chain):
        randomize(one)
        path = f"{i + 2}_Dense"
        modules.append(("Dense", path))
        write_json(folder / path / "config.json", {
            "in_features": one.in_features, "out_features": one.out_features, "bias": one.bias,
            "activation_function": f"torch.nn.modules.{'activation.Tanh' if isinstance(one.activation_function, torch.nn.Tanh) else 'linear.Identity'}",
        })
        save(folder / path, one.state_dict())
    if normalize:
        modules.append(("Normalize", "3_Normalize"))
    write_json(folder / "modules.json", [{"idx": i, "name": str(i), "path": p, "type": MODULE + t} for i, (t, p) in enumerate(modules)])
    config = model.config.to_dict() | {"architectures": [type(model).__name__]}
    if older:
        config = {k: v for k, v in (config | older).items() if v is not None}
    write_json(folder / "config.json", config)
    save(folder, model.state_dict())
    if kept:
        write_json(folder / "config_sentence_transformers.json", {"prompts": {"query": "", "document": ""}, "truncate_dim": kept})
    longest = model.config.max_position_embeddings - 2
    rows = []
    for _ in range(TEXTS):
        ids = torch.randint(4, VOCABULARY, (int(torch.randint(1, longest, ())),))
        with torch.no_grad():
            states = model(input_ids=ids[None]).last_hidden_state
            features = pool({"token_embeddings": states, "attention_mask": torch.ones_like(ids)[None]})
            for one in chain:
                features = one(features)
        vector = features["sentence_embedding"][0]
        vector = vector[:kept]
        vector = torch.nn.functional.normalize(vector, dim=0) if normalize else vector
        rows.append({"ids": ids.tolist(), "vector": vector.tolist()})
    (folder / "vectors.json").write_text("[\n" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in rows) + "\n]\n")


BERT = dict(vocab_size=VOCABULARY, num_hidden_layers=2, max_position_embeddings=30)
MODERN = dict(vocab_size=VOCABULARY, max_position_embeddings=40, pad_token_id=0, bos_token_id=2, cls_token_id=2, eos_token_id=3, sep_token_id=3)
ROBERTA = dict(vocab_size=VOCABULARY, num_hidden_layers=2, max_position_embeddings=32, type_vocab_size=1, pad_token_id=1, layer_norm_eps=1e-5)


if __name__ == "__main__":
    torch.manual_seed(21)
    torch.set_num_threads(1)
    small = dict(hidden_size=24, num_attention_heads=3, intermediate_size=40)
    xlm = XLMRobertaModel(XLMRobertaConfig(**ROBERTA, **small), add_pooling_layer=False)
    write("xlm-roberta-max-tanh", xlm, {"pooling_mode_max_tokens": True}, Dense(24, 20, activation_function=torch.nn.Tanh()), True)
    last = BertModel(BertConfig(**BERT, **small), add_pooling_layer=False)
    write("bert-last-dense", last, {"pooling_mode_lasttoken": True}, Dense(24, 40, bias=False, activation_function=torch.nn.Identity()), True)
    weighted = RobertaModel(RobertaConfig(**ROBERTA, **small), add_pooling_layer=False)
    write("roberta-weighted", weighted, {"pooling_mode_weightedmean_tokens": True}, None, True)
    root = BertModel(BertConfig(**BERT, **small), add_pooling_layer=False)
    write("bert-mean-sqrt", root, {"pooling_mode_mean_sqrt_len_tokens": True}, None, False)
    torch.manual_seed(22)  # what stands above keeps its numbers
    modern = ModernBertModel(ModernBertConfig(**MODERN, num_hidden_layers=5, local_attention=8, attention_bias=True, **small))
    write("modernbert-mean", modern, {"pooling_mode_mean_tokens": True}, None, True)
    older = {"global_attn_every_n_layers": 2, "layer_types": None, "global_rope_theta": 5000.0, "local_rope_theta": 300.0, "rope_parameters": None}
    modern = ModernBertModel(ModernBertConfig(**MODERN, num_hidden_layers=4, local_attention=6, **(older | small)))
    write("modernbert-cls", modern, {"pooling_mode_cls_token": True}, None, True, older)
    few = dict(vocab_size=VOCABULARY, max_position_embeddings=40, num_hidden_layers=3, intermediate_size=40, hidden_size=24)
    qwen3 = Qwen3Model(Qwen3Config(**few, num_attention_heads=3, num_key_value_heads=1, head_dim=12, tie_word_embeddings=True))
    write("qwen3-last-short", qwen3, {"pooling_mode_lasttoken": True}, None, True, kept=10)
    llama = LlamaModel(LlamaConfig(**few, num_attention_heads=4, num_key_value_heads=2))
    write("llama-mean", llama, {"pooling_mode_mean_tokens": True}, None, True)
    gemma = Gemma3TextModel(Gemma3TextConfig(
        vocab_size=VOCABULARY, max_position_embeddings=40, num_hidden_layers=4, intermediate_size=64, hidden_size=48, num_attention_heads=3,
        num_key_value_heads=1, head_dim=12, query_pre_attn_scalar=9, sliding_window=8, sliding_window_pattern=3, use_bidirectional_attention=True,
        attn_implementation="eager"))
    inner = Dense(48, 32, bias=False, activation_function=torch.nn.Identity())
    write("gemma3-mean", gemma, {"pooling_mode_mean_tokens": True}, [inner, Dense(32, 20, bias=False, activation_function=torch.nn.Identity())], True)
    torch.manual_seed(23)  # transformers 4.57.1, the mean written out
    mpnet = MPNetModel(MPNetConfig(
        vocab_size=VOCABULARY, num_hidden_layers=2, max_position_embeddings=32, layer_norm_eps=1e-5, relative_attention_num_buckets=32, **small),
        add_pooling_layer=False)
    write("mpnet-mean", mpnet, {"pooling_mode_mean_tokens": True}, None, True)
