#!/usr/bin/env bash
# html-to-text joins the words of neighbouring table cells, and writes headings in capitals.
#
# Guess: the text of a table has white space between its cells; a heading comes as it is written.
# Seen, html-to-text 10.0.1 (npm) by its defaults: "<td>pump</td><td>30</td>" gives "pump30", and "Pump and Well" gives
# "PUMP AND WELL". Tables have to be asked for by a selector, capitals to be turned off.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund html-to-text@10.0.1 >/dev/null
node -e '
const { convert } = require("html-to-text");
const seen = convert("<h1>Pump and Well</h1><table><tr><td>pump</td><td>30</td></tr></table>");
console.log(JSON.stringify(seen));
if (seen !== "PUMP AND WELL\n\npump30") throw new Error("what was seen has changed");'
