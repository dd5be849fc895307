#!/usr/bin/env bash
# mwparserfromhell's strip_code joins references to the word before, and keeps options of pictures as words.
#
# Guess: strip_code, which is there to search wikitext by its words, gives what a reader of the page sees.
# Seen, mwparserfromhell 0.7.2 (PyPI): "pump<ref>Lee, 1974.</ref>" becomes "pumpLee, 1974.", and a picture becomes
# "thumb|left|A brass pump".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet mwparserfromhell==0.7.2
"$work/venv/bin/python" - <<'PYTHON'
import mwparserfromhell

source = """The pump<ref>Lee, 1974.</ref> leaks. [[File:Pump.jpg|thumb|left|A brass pump]]"""
text = mwparserfromhell.parse(source).strip_code()
print(repr(text))
for seen in ("pumpLee, 1974.", "thumb|left|A brass pump"):
    assert seen in text, "what was seen has changed"
PYTHON
