#!/usr/bin/env bash
# kreuzberg and odfdo join the words of an ODT file between which spaces stand as an element.
#
# Guess: text:s, which OpenDocument has for spaces that would be folded, is read as a space at least.
# Seen, kreuzberg 4.10.4 and odfdo 3.27.3 (get_formatted_text; PyPI): text:s gives nothing. "five<text:s text:c="2"/>six" becomes
# "fivesix". Where a plain space stands before it nothing is lost but the width. str() of odfdo's paragraphs has all spaces.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet kreuzberg==4.10.4 odfdo==3.27.3
"$work/venv/bin/python" - "$work/spaces.odt" <<'PYTHON'
import sys
import kreuzberg
import odfdo

path = sys.argv[1]
document = odfdo.Document("text")
document.body.clear()
for xml in ('<text:p>one<text:s/>two</text:p>', '<text:p>three <text:s/>four</text:p>', '<text:p>five<text:s text:c="2"/>six</text:p>'):
    document.body.append(odfdo.Element.from_tag(xml))
document.save(path)

document = odfdo.Document(path)
read = {"kreuzberg": kreuzberg.extract_file_sync(path).content, "odfdo": document.get_formatted_text()}
for name, text in read.items():
    print(f"{name}: {text.split()}")
    assert text.split() == ["onetwo", "three", "four", "fivesix"], "what was seen has changed"
paragraphs = [str(paragraph).rstrip("\n") for paragraph in document.body.get_paragraphs()]
print(paragraphs)
assert paragraphs == ["one two", "three  four", "five  six"], "what was seen has changed"
PYTHON
