#!/usr/bin/env bash
# model2vec leaves out the end of texts that have fewer tokens than it reads, where their words are long.
#
# Guess: encode averages the first 512 tokens of a text (max_length), so that a text of 450 tokens is averaged whole.
# Seen, model2vec 0.10.0 with tokenizers 0.22.1 (PyPI): before a text is tokenized it is cut at 512 times the median length of the
# vocabulary's tokens, in characters: 3,072 here. Of 450 long words, each a single token, the last may be any other: the vector
# is the same to the bit. max_length=None reads all of them. Prose with long words (German, names of code) loses its end.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet model2vec==0.10.0 tokenizers==0.22.1
"$work/venv/bin/python" - <<'PYTHON'
import pydoc_data.topics
import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

# A vocabulary as BERT's has it, learned from the documentation that Python carries.
tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
trainer = trainers.WordPieceTrainer(vocab_size=8000, special_tokens=["[UNK]", "[PAD]"], show_progress=False)
tokenizer.train_from_iterator(pydoc_data.topics.topics.values(), trainer)
vocabulary = tokenizer.get_vocab()
vectors = np.random.default_rng(0).normal(size=(len(vocabulary), 16)).astype(np.float32)
model = StaticModel(vectors, tokenizer, normalize=True)

long = sorted(word for word in vocabulary if word.isalpha() and len(word) >= 9)
words = [long[i % len(long)] for i in range(450)]
one, other = " ".join(words + [long[0]]), " ".join(words + [long[1]])
tokens = len(tokenizer.encode(one).ids)
same = bool((model.encode(one) == model.encode(other)).all())
whole = bool((model.encode(one, max_length=None) == model.encode(other, max_length=None)).all())
print(f"{tokens} tokens, {len(one)} characters, median token {model.median_token_length}; the same vector: {same}, without a limit: {whole}")
assert tokens == 451 and same and not whole, "what was seen has changed"
PYTHON
