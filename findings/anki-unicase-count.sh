#!/usr/bin/env bash
# The rows of a sound collection by Anki cannot be counted, nor the file checked, while all of them can be read.
#
# Guess: the collation "unicase", which Anki brings itself, is missed only by a query that sorts or compares names; PRAGMA
# integrity_check and count(*) of a table work as with any database.
# Seen, anki 25.9.2 and SQLite 3.46.1 (pysqlite3-binary 0.5.4): SELECT ntid, ord, name FROM fields gives all rows.
# SELECT count(*) FROM fields, and FROM decks, is an error, "no such collation sequence: unicase": SQLite counts by the smallest index,
# which is one of names. PRAGMA integrity_check is the same error, so that a reader which checks a file first refuses each collection.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet anki==25.9.2 pysqlite3-binary==0.5.4
cd "$work"
"$work/venv/bin/python" - <<'PYTHON'
import pysqlite3 as sqlite3
from anki.collection import Collection

collection = Collection("deck.anki2")
note = collection.new_note(collection.models.by_name("Basic"))
note["Front"], note["Back"] = "where does the heron stand", "by the pond"
collection.add_note(note, 1)
collection.close()
database = sqlite3.connect("file:deck.anki2?immutable=1", uri=True)


def seen(query):
    try:
        return len(database.execute(query).fetchall()) > 0
    except sqlite3.OperationalError as e:
        return str(e)


missed = "no such collation sequence: unicase"
wanted = {
    "SELECT ntid, ord, name FROM fields": True,
    "SELECT id, name FROM decks": True,
    "SELECT count(*) FROM fields": missed,
    "SELECT count(*) FROM decks": missed,
    "PRAGMA integrity_check": missed,
}
got = {query: seen(query) for query in wanted}
print(sqlite3.sqlite_version, *got.items(), sep="\n")
assert got == wanted, "what was seen has changed"
PYTHON
