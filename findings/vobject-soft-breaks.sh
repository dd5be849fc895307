#!/usr/bin/env bash
# vobject refuses a vCard 2.1 whose quoted-printable value goes on in a second line.
#
# Guess: a NOTE in quoted-printable over two lines, as phones write it, is decoded as one text.
# Seen, vobject 0.9.9 (PyPI): readOne raises ParseError at the second line, though ENCODING=QUOTED-PRINTABLE stands before the first.
# With allowQP=True, which is not the default, the text is "first half that goes on in the second".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet vobject==0.9.9
venv/bin/python - <<'PYTHON'
import vobject

card = "\r\n".join([
    "BEGIN:VCARD", "VERSION:2.1", "N:Muster;Ann", "FN:Ann Muster",
    "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:first half that goes =", "on in the second",
    "END:VCARD", ""])
try:
    refused = vobject.readOne(card).note.value
except vobject.base.ParseError as e:
    refused = type(e).__name__
seen = (refused, vobject.readOne(card, allowQP=True).note.value)
print(*seen)
assert seen == ("ParseError", "first half that goes on in the second"), "what was seen has changed"
PYTHON
