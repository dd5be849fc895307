"""Makes parity.i8, the reference vectors of the parity test.

    python parity.py DATA MODEL > parity.i8

DATA is the folder of shared test data, MODEL the all-MiniLM-L6-v2 folder as
published. Needs torch and sentence-transformers; dowse itself needs neither.
The texts are picked by the rule below, which parity_test.go repeats, plus the
lines of parity.json. A vector is stored as 384 signed bytes, scaled so that
its largest number is 127: its cosine with the float32 one is above 0.9999.
"""
import glob, json, os, sys
import numpy as np, torch
from sentence_transformers import SentenceTransformer

data, model = sys.argv[1:3]
texts = []

def spread(items, n):
    return [items[i * len(items) // n] for i in range(n)]

def cut(text, i):  # a third whole, a third short, a third of middle length
    return [text, text[:60 + i], text[:700]][i % 3]

notes = sorted(glob.glob(data + "/corpus/til/**/*.md", recursive=True))
for i, path in enumerate(spread(notes, 130)):
    texts.append(cut(open(path, encoding="utf8", newline="").read(), i))
for lang in "ar de el en es hi ro ru th tr vi zh".split():
    articles = json.load(open(f"{data}/eval/xquad/xquad.{lang}.json", encoding="utf8"))["data"]
    paragraphs = [p for a in articles for p in a["paragraphs"]]
    for i, p in enumerate(spread(paragraphs, 10)):
        texts.append(p["context"] if i % 2 == 0 else p["qas"][0]["question"])
for name, n in [("code", 50), ("npl", 40), ("sitedocs", 40), ("scifact", 60), ("cranfield", 20)]:
    records = [json.loads(line) for line in open(f"{data}/eval/{name}/corpus.jsonl", encoding="utf8")]
    texts += [(r["title"] + " " + r["text"]).strip() for r in spread(records, n)]
own = json.load(open(os.path.join(os.path.dirname(__file__), "parity.json"), encoding="utf8"))
texts += own
print(len(texts), "texts", file=sys.stderr)

torch.set_num_threads(2)
encoder = SentenceTransformer(model, device="cpu")
encoder.max_seq_length = 256
vectors = encoder.encode(texts, batch_size=16, normalize_embeddings=True)
scaled = np.round(vectors / np.abs(vectors).max(axis=1, keepdims=True) * 127).astype(np.int8)
back = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
print("smallest cosine of stored vectors", (back * vectors).sum(axis=1).min(), file=sys.stderr)
sys.stdout.buffer.write(scaled.tobytes())
