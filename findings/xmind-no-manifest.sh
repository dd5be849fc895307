#!/usr/bin/env bash
# A mind map written by the XMind library has no META-INF/manifest.xml, and lists its sheet's title behind the topics.
#
# Guess: it writes the members that XMind 8 writes, content.xml and META-INF/manifest.xml among them, and of a sheet the title first.
# Seen, XMind 1.2.0 (PyPI): content.xml, styles.xml and comments.xml are all; so nothing but the names of the members and the root element
# tells such a zip from others with a content.xml, such as OpenDocument. Within <sheet>, <title> stands behind <topic>: who reads in
# the order of the file meets the name of the sheet last.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet XMind==1.2.0
cd "$work"
"$work/venv/bin/python" - <<'PYTHON'
import xml.etree.ElementTree as tree
import zipfile

import xmind

book = xmind.load("new.xmind")
sheet = book.getPrimarySheet()
sheet.setTitle("Spring works")
sheet.getRootTopic().setTitle("Mill")
xmind.save(book, "mill.xmind")
with zipfile.ZipFile("mill.xmind") as package:
    names = sorted(package.namelist())
    content = tree.fromstring(package.read("content.xml"))
order = [child.tag.rpartition("}")[2] for child in content[0]]
print(names, order)
assert names == ["comments.xml", "content.xml", "styles.xml"] and order == ["topic", "title"], "what was seen has changed"
PYTHON
