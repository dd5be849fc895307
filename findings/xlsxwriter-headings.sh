#!/usr/bin/env bash
# XlsxWriter makes a formula of a cell of text that begins with "=", and cuts a long one, without a word.
#
# Guess: worksheet.write(0, 0, text) writes the text, or raises what is wrong with it.
# Seen, xlsxwriter 3.3.1 (PyPI): "=== Plans" becomes the formula "== Plans" with the value 0, so that whoever reads values finds 0
# and the words nowhere. 35,000 characters are cut to 32,767; the return value is -2, and nothing is raised or warned of.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet xlsxwriter==3.3.1
cd "$work"
"$work/venv/bin/python" -W error - <<'PYTHON'
import re
import zipfile

import xlsxwriter

book = xlsxwriter.Workbook("a.xlsx")
sheet = book.add_worksheet()
returned = (sheet.write(0, 0, "=== Plans"), sheet.write(1, 0, "heron " * 5833 + "at"))
book.close()
with zipfile.ZipFile("a.xlsx") as package:
    cells = package.read("xl/worksheets/sheet1.xml").decode()
    texts = re.findall(r"<t[^>]*>([^<]*)</t>", package.read("xl/sharedStrings.xml").decode())
seen = (returned, re.findall(r"<f>.*?</v>", cells), [len(t) for t in texts])
print(*seen)
assert seen == ((0, -2), ["<f>== Plans</f><v>0</v>"], [32767]), "what was seen has changed"
PYTHON
