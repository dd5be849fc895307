#!/usr/bin/env bash
# An .apkg by Anki holds a sound database in which the only note asks to update Anki; the cards are in another one.
#
# Guess: collection.anki2, the one SQLite database in the file that says so in its first bytes, holds the notes.
# Seen, anki 26.9.3 (PyPI): collection.anki2 is a whole collection with one note, "Please update to the latest Anki version, then
# import the .colpkg/.apkg file again.". The notes are in collection.anki21b, SQLite within zstd; exported for older programs they
# are in collection.anki21, and the placeholder stands beside it all the same. A reader that takes collection.anki2 indexes the
# request, and every deck looks alike.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet anki==26.9.3
cd "$work"
"$work/venv/bin/python" - <<'PYTHON'
import sqlite3
import zipfile

from anki.collection import Collection, ExportAnkiPackageOptions

deck = Collection("deck.anki2")
note = deck.new_note(deck.models.by_name("Basic"))
note["Front"], note["Back"] = "where does the heron stand", "by the pond"
deck.add_note(note, 1)
seen = []
for legacy in (False, True):
    options = ExportAnkiPackageOptions(with_scheduling=False, with_media=True, legacy=legacy)
    deck.export_anki_package(out_path="deck.apkg", options=options, limit=None)
    with zipfile.ZipFile("deck.apkg") as package:
        names = sorted(n for n in package.namelist() if n.startswith("collection"))
        for name in names:
            data = package.read(name)
            if not data.startswith(b"SQLite"):
                seen.append((name, data[:4].hex()))
                continue
            with open("part.db", "wb") as part:
                part.write(data)
            fields = [row[0].split("\x1f")[0] for row in sqlite3.connect("part.db").execute("select flds from notes")]
            seen.append((name, *(f[:22] for f in fields)))
print(*seen, sep="\n")
assert seen == [
    ("collection.anki2", "Please update to the l"), ("collection.anki21b", "28b52ffd"),
    ("collection.anki2", "Please update to the l"), ("collection.anki21", "where does the heron s"),
], "what was seen has changed"
PYTHON
