"""Writes the small static models that static_test.go compares with.

    python statics.py        (model2vec 0.10.0, sentence-transformers 6.2.0, torch 2.6.0)

Rows are drawn from a fixed seed; vectors are what the two packages make of some texts.
"""

import json
import pathlib
import shutil
import string

import numpy as np
import torch
from model2vec import StaticModel
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

HERE = pathlib.Path(__file__).parent / "statics"
TEXTS = ["", "ß", "a", "who wrote grep?", "the router forgot its name servers", "1 2 3, 42", "日本", "ab " * 300, "Déjà vu"]
WIDTH = 20


def tokenizer() -> Tokenizer:
    letters = string.ascii_lowercase + string.digits
    words = ["[PAD]", "[UNK]", *letters, *("##" + c for c in letters), "the", "router", "##ed", ",", "?"]
    tok = Tokenizer(models.WordPiece({w: i for i, w in enumerate(words)}, unk_token="[UNK]", max_input_chars_per_word=100))
    tok.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, lowercase=True)
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tok


def finish(folder: pathlib.Path, vectors) -> None:
    for extra in [*folder.glob("README*"), *folder.glob("config_sentence*"), *folder.glob(".git*")]:
        extra.unlink()
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    rows = [{"text": t, "vector": [float(x) for x in v]} for t, v in zip(TEXTS, vectors)]
    (folder / "vectors.json").write_text("[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]\n")


def main() -> None:
    rng, tok = np.random.default_rng(23), tokenizer()
    size = tok.get_vocab_size()
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()

    def rows(n: int) -> np.ndarray:
        return rng.normal(size=(n, WIDTH)).astype(np.float32)

    weights, mapping = rng.uniform(-0.2, 2, size=size).astype(np.float32), rng.integers(0, 30, size=size)
    for name, model in {
        "model2vec": StaticModel(rows(size), tok, {"model_type": "model2vec", "architectures": ["StaticModel"]}, normalize=True),
        "model2vec-shared": StaticModel(rows(30), tok, {"model_type": "model2vec", "architectures": ["StaticModel"]}, normalize=False,
                                        weights=weights, token_mapping=mapping),
    }.items():
        model.config["normalize"] = model.normalize
        model.save_pretrained(HERE / name)
        finish(HERE / name, model.encode(TEXTS))
    embedding = StaticEmbedding(tok, embedding_weights=rows(size))
    model = SentenceTransformer(modules=[embedding, Normalize()])
    texts = [t for t in TEXTS]
    vectors = model.encode(texts)
    model.save(str(HERE / "sentence-transformers"), create_model_card=False)
    finish(HERE / "sentence-transformers", vectors)


if __name__ == "__main__":
    torch.manual_seed(23)
    main()
