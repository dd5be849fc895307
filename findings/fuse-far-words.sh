#!/usr/bin/env bash
# Fuse.js does not find a word that stands further into a text than its sixtieth character or so.
#
# Guess: a fuzzy search with a word that a text holds letter for letter finds the text, wherever the word stands.
# Seen, fuse.js 7.5.0 (npm), as it is set from the start: the word is found at character 50 and not at 70. The distance from the
# beginning counts as errors (threshold .6 of distance 100), so that notes are searched by their first line.
# ignoreLocation: true finds it anywhere.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund fuse.js@7.5.0 >/dev/null
node - <<'JS'
const Fuse = require("fuse.js")
const at = n => "-".repeat(n - 1) + " heron by the pond"
const found = (n, options) => new Fuse([at(n)], options).search("heron").length
const seen = [found(50), found(70), found(1000), found(1000, { ignoreLocation: true })]
console.log(seen.join(" "))
if (seen.join(" ") !== "1 0 0 1") throw new Error("what was seen has changed")
JS
