#!/usr/bin/env bash
# PyStemmer 3.0.0 stems as Snowball 3 does and says that it is 2.0.1.
#
# Guess: Stemmer.version() is the version of the package, or that of the Snowball within.
# Seen, PyStemmer 3.0.0 (PyPI): "2.0.1", as PyStemmer 2.2.0.3 says; "adding" and "added" give "add", as Snowball 3 has them, where
# Snowball 2 gave "ad" for both and left "add". Whoever keeps stems in an index cannot tell by
# version() that they have to be made anew.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet PyStemmer==3.0.0
"$work/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version
import Stemmer

stem = Stemmer.Stemmer("english").stemWord
seen = (version("PyStemmer"), Stemmer.version(), stem("add"), stem("adding"), stem("added"))
print(*seen)
assert seen == ("3.0.0", "2.0.1", "add", "add", "add"), "what was seen has changed"
PYTHON
