#!/usr/bin/env bash
# pandoc joins the words of an RTF file in which each letter beyond ASCII has "?" for programs that know no Unicode.
#
# Guess: behind \u1086 one character is left out, as \uc1 says, and all others are read.
# Seen, pandoc 3.9 (pypandoc_binary 1.17): behind "\u1086?", the form that Word and WordPad write, two characters are left out, the "?" and the next
# plain one: spaces and commas behind a word are gone, so that pages of Russian or Greek become long words. "\u1086 ?", as pandoc writes it, and
# "\u1086\'3f" are read well. striprtf 0.0.35 and kreuzberg 4.10.4 read all of it (rtfunicode 2.3 wrote it; PyPI).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet rtfunicode==2.3 pypandoc_binary==1.17 striprtf==0.0.35 kreuzberg==4.10.4
"$work/venv/bin/python" - "$work/words.rtf" <<'PYTHON'
import sys
import kreuzberg
import pypandoc
import rtfunicode  # registers its encoding
from striprtf.striprtf import rtf_to_text

TEXT = "насос стоит, вода идёт"
path = sys.argv[1]
rtf = r"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0 Times;}}\f0 " + TEXT.encode("rtfunicode").decode("ascii") + r"\par}"
with open(path, "w", encoding="ascii") as file:
    file.write(rtf)

pandoc = pypandoc.convert_file(path, "plain", format="rtf").strip()
others = [rtf_to_text(rtf).strip(), kreuzberg.extract_file_sync(path).content.strip()]
print(f"{rtf}\npandoc {pypandoc.get_pandoc_version()}: {pandoc}\nstriprtf, kreuzberg: {others}")
assert others == [TEXT, TEXT], "what was seen of striprtf or kreuzberg has changed"
assert pandoc == "насосстоит водаидёт", "what was seen of pandoc has changed"
PYTHON
