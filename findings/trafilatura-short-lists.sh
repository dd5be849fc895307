#!/usr/bin/env bash
# trafilatura leaves short lists out of a page that has neither article nor main, even with favor_recall.
#
# Guess: what a reader of main text leaves out is navigation; a list between two paragraphs of prose stays.
# Seen, trafilatura 2.3.1 (PyPI): between paragraphs directly in body, as converters of Markdown write pages, a list of two words
# disappears, while the same list inside article stays, and one of longer items stays in both. favor_recall=True changes nothing.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet trafilatura==2.3.1 lxml_html_clean==0.4.6
"$work/venv/bin/python" - <<'PYTHON'
import trafilatura

PROSE = "<p>" + "The pump in the cellar stopped on Monday, and the float was stuck under the lid of the shaft. " * 3 + "</p>"
LISTS = {"short": "<ul><li>gasket</li><li>grease</li></ul>",
         "long": "<ul><li>a gasket of the size that stands on the lid</li><li>grease, as little of it as is possible</li></ul>"}

kept = {}
for length, items in LISTS.items():
    for place, page in {"body": PROSE + items + PROSE, "article": f"<article>{PROSE}{items}{PROSE}</article>"}.items():
        for recall in (False, True):
            text = trafilatura.extract(f"<html><body>{page}</body></html>", favor_recall=recall)
            assert "stuck" in text
            kept[length, place, recall] = "gasket" in text and "grease" in text
print("\n".join(f"{length} list in {place}, favor_recall={recall}: {'kept' if is_kept else 'lost'}" for (length, place, recall), is_kept in kept.items()))
assert [key for key, is_kept in kept.items() if not is_kept] == [("short", "body", False), ("short", "body", True)], "what was seen has changed"
PYTHON
