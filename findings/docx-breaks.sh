#!/usr/bin/env bash
# mammoth and officeparser join the words of a .docx that a line break parts; officeparser those that a tab parts too.
#
# Guess: Shift-Enter within a paragraph of Word parts two words in the text of it.
# Seen, npm: of "name", a tab, "Ann", a line break, "Berlin" mammoth 1.13.0's extractRawText gives "name\tAnnBerlin" and
# officeparser 7.8.0 "nameAnnBerlin". Addresses and signatures are written so; their words are found by neither.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund mammoth@1.13.0 officeparser@7.8.0 docx@9.5.1 >/dev/null
node -e '
const { Document, Packer, Paragraph, TextRun, Tab } = require("docx");
const text = new Paragraph({ children: [new TextRun({ children: ["name", new Tab(), "Ann"] }), new TextRun({ text: "Berlin", break: 1 })] });
(async () => {
  require("fs").writeFileSync("a.docx", await Packer.toBuffer(new Document({ sections: [{ children: [text] }] })));
  const raw = (await require("mammoth").extractRawText({ path: "a.docx" })).value.trim();
  const parsed = (await require("officeparser").parseOffice("a.docx")).toText().trim();
  console.log(JSON.stringify([raw, parsed]));
  if (raw !== "name\tAnnBerlin" || parsed !== "nameAnnBerlin") throw new Error("what was seen has changed");
})();'
