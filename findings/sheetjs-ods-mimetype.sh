#!/usr/bin/env bash
# An .ods by SheetJS stores its parts, so that the text of its XML stands in the first bytes of the zip.
#
# Guess: a zip packs its parts, and a file in whose first kilobytes "<office:document" stands is flat
# OpenDocument, one piece of XML.
# Seen, xlsx 0.18.5 (npm, the newest there): XLSX.writeFile(book, "a.ods") stores every part (method 0), and
# "<office:document-content" stands within the first 4 KiB, behind PK. Unless compression: true is given,
# a reader that looks for the element before it looks for PK takes the zip for XML.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund xlsx@0.18.5 >/dev/null
node -e '
const X = require("xlsx");
const book = X.utils.book_new();
X.utils.book_append_sheet(book, X.utils.aoa_to_sheet([["Item", "Cost"], ["pond pump", 30]]), "Garden");
X.writeFile(book, "garden.ods");'
python3 - <<'PYTHON'
import zipfile

methods = sorted({m.compress_type for m in zipfile.ZipFile("garden.ods").infolist()})
head = open("garden.ods", "rb").read(4096)
seen = (methods, head[:2], b"<office:document" in head)
print(*seen)
assert seen == ([0], b"PK", True), "what was seen has changed"
PYTHON
