#!/usr/bin/env bash
# ebooklib gives the chapters of an EPUB in the order of its manifest; pandoc leaves out what lies beside the reading order.
#
# Guess: get_items_of_type(ITEM_DOCUMENT) gives the documents as they are read; a converter keeps notes with linear="no", to which links lead.
# Seen, ebooklib 0.20 (PyPI): the order of the manifest, which means nothing, with the table of contents among them. pandoc 3.9
# (pypandoc_binary 1.17) follows the spine, and leaves out documents with linear="no" without a message: often they hold all endnotes.
# kreuzberg 4.10.4 gives all of the spine.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet ebooklib==0.20 pypandoc_binary==1.17 kreuzberg==4.10.4
"$work/venv/bin/python" - "$work/book.epub" <<'PYTHON'
import sys
import zipfile
import ebooklib
import kreuzberg
import pypandoc
from ebooklib import epub

PAGE = """<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head><title>Book</title></head><body>{}</body></html>"""
PAGES = {
    "two": '<p>second <a href="notes.xhtml#n1">1</a></p>',
    "nav": '<nav epub:type="toc"><ol><li><a href="one.xhtml">One</a></li></ol></nav>',
    "one": "<p>first</p>",
    "notes": '<p id="n1">endnote</p>',
}
ITEMS = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"{" properties=" + chr(34) + "nav" + chr(34) if name == "nav" else ""}/>'
                for name in PAGES)
PACKAGE = f"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">book</dc:identifier><dc:title>Book</dc:title>
<dc:language>en</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata>
<manifest>{ITEMS}</manifest>
<spine><itemref idref="one"/><itemref idref="two"/><itemref idref="notes" linear="no"/></spine></package>"""
CONTAINER = """<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""

path = sys.argv[1]
with zipfile.ZipFile(path, "w") as file:
    file.writestr("mimetype", "application/epub+zip")
    file.writestr("META-INF/container.xml", CONTAINER)
    file.writestr("book.opf", PACKAGE)
    for name, body in PAGES.items():
        file.writestr(f"{name}.xhtml", PAGE.format(body))

order = [item.get_name() for item in epub.read_epub(path).get_items_of_type(ebooklib.ITEM_DOCUMENT)]
converted = pypandoc.convert_file(path, "plain", format="epub").split()
extracted = kreuzberg.extract_file_sync(path).content.split()
print(f"ebooklib: {order}\npandoc {pypandoc.get_pandoc_version()}: {converted}\nkreuzberg: {extracted}")
assert order == ["two.xhtml", "nav.xhtml", "one.xhtml", "notes.xhtml"], "what was seen of ebooklib has changed"
assert "first" in converted and "endnote" not in converted, "what was seen of pandoc has changed"
assert "first" in extracted and "endnote" in extracted, "what was seen of kreuzberg has changed"
PYTHON
