#!/usr/bin/env bash
# MarkItDown writes NaN into the empty cells of a sheet.
#
# Guess: an empty cell of an .xlsx is an empty cell of the Markdown table.
# Seen, markitdown 0.1.9 with pandas 3.1.1 (PyPI): "| NaN | NaN |" for an empty row and "| y | NaN |" for an empty cell. An index
# of that text finds NaN in each such sheet, and a model reads a value where there is none.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet 'markitdown[xlsx]==0.1.9' pandas==3.1.1 openpyxl==3.1.5
venv/bin/python - <<'PYTHON'
import openpyxl
from markitdown import MarkItDown

book = openpyxl.Workbook()
book.active.append(["item", "cost"])
book.active.append([])
book.active.append(["pump", None])
book.save("pond.xlsx")
rows = MarkItDown().convert("pond.xlsx").text_content.splitlines()[-2:]
print(*rows, sep="\n")
assert rows == ["| NaN | NaN |", "| pump | NaN |"], "what was seen has changed"
PYTHON
