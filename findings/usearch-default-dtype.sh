#!/usr/bin/env bash
# usearch stores float32 vectors in 16 bits unless it is told otherwise, and hands them back as float32.
#
# Guess: an index of float32 vectors keeps them as they were given; a smaller form is asked for by name.
# Seen, usearch 2.26.6 (PyPI): Index(ndim=8, metric="cos").dtype is BF16 (on a processor without it F16), so that index[3] is
# float32 again and differs from what was added by more than .0005. dtype="f32" gives back the same bits.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet usearch==2.26.6
"$work/venv/bin/python" - <<'PYTHON'
import numpy as np
from usearch.index import Index

vectors = np.random.default_rng(0).normal(size=(100, 8)).astype(np.float32)
differs = []
for options in ({}, {"dtype": "f32"}):
    index = Index(ndim=8, metric="cos", **options)
    index.add(np.arange(100), vectors)
    differs.append(max(float(np.abs(index[i] - vectors[i]).max()) for i in range(100)))
    print(index.dtype, index[3].dtype, differs[-1])
    assert index[3].dtype == np.float32, "what was seen has changed"
assert differs[0] > 0.0005 and differs[1] == 0, "what was seen has changed"
PYTHON
