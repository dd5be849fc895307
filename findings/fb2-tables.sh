#!/usr/bin/env bash
# pandoc and kreuzberg leave out the tables of a FictionBook file; kreuzberg its notes too.
#
# Guess: a reader of FictionBook gives what stands in its bodies.
# Seen, pandoc 3.9 (pypandoc_binary 1.17) and kreuzberg 4.10.4 (PyPI): of table, which FictionBook 2.1 has, nothing is read, without a
# message. kreuzberg leaves out the body named notes too, to which the links in the text lead. pandoc writes its own tables as table.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet pypandoc_binary==1.17 kreuzberg==4.10.4
"$work/venv/bin/python" - "$work/book.fb2" <<'PYTHON'
import sys
import kreuzberg
import pypandoc

SOURCE = """# Pumps

Before.[^1]

| part | price |
|------|-------|
| valve | forty |

After.

[^1]: Noted.
"""
path = sys.argv[1]
pypandoc.convert_text(SOURCE, "fb2", format="markdown", outputfile=path, extra_args=["--metadata", "title=Book"])
source = open(path, encoding="utf-8").read()
assert "<table>" in source and "valve" in source and "Noted" in source

read = {"pandoc " + pypandoc.get_pandoc_version(): pypandoc.convert_file(path, "plain", format="fb2"),
        "kreuzberg " + kreuzberg.__version__: kreuzberg.extract_file_sync(path).content}
for name, text in read.items():
    lost = [word for word in ("Pumps", "Before", "part", "valve", "forty", "After", "Noted") if word not in text]
    print(f"{name} loses {lost}")
    assert lost == ["part", "valve", "forty"] + ["Noted"] * name.startswith("kreuzberg"), "what was seen has changed"
PYTHON
