#!/usr/bin/env bash
# FlexSearch finds Cyrillic words, and of Chinese only whole sentences, unless an encoder for it is named.
#
# Guess: an index that finds Cyrillic without being told knows other scripts as well.
# Seen, flexsearch 0.8.212 (npm): after add(2, "鹭站在池塘边") neither one character nor two are found, only the sentence as a
# whole, and nothing says so. With encoder: Charset.CJK one character is found.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund flexsearch@0.8.212 >/dev/null
node - <<'JS'
const { Index, Charset } = require("flexsearch")
const found = (options, query) => {
  const index = new Index(options)
  index.add(1, "Приезжает цапля")
  index.add(2, "鹭站在池塘边")
  return index.search(query).length
}
const seen = [found({}, "цапля"), found({}, "鹭"), found({}, "池塘"), found({}, "鹭站在池塘边"), found({ encoder: Charset.CJK }, "鹭")]
console.log(seen.join(" "))
if (seen.join(" ") !== "1 0 0 1 1") throw new Error("what was seen has changed")
JS
