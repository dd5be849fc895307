#!/usr/bin/env bash
# Words that format=flowed parts with DelSp stay in two pieces in readers of mail, and postal-mime joins lines that are quoted with their marks.
#
# Guess: a reader of mail gives the paragraphs that RFC 3676 says: lines that end with a space go on in the next, without that space
# where DelSp says so, and the marks of quoted lines are taken off before lines are joined.
# Seen: Python 3's email (get_content), mail-parser 4.8.0 and kreuzberg 4.10.4 (PyPI) give the lines as they were sent: "reeds" is "re" and "eds".
# postal-mime 4.0.0 (npm) joins them, and makes "> quoted li> ne" of a quoted "line". mailparser 3.14.2 (npm) gives "reeds" and "> quoted line".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet mail-parser==4.8.0 kreuzberg==4.10.4
npm install --silent --no-fund --no-audit postal-mime@4.0.0 mailparser@3.14.2 >/dev/null
venv/bin/python - <<'PYTHON'
import email, email.policy, platform
import kreuzberg, mailparser

data = ("From: ann@pond.example\r\nTo: bea@pond.example\r\nSubject: herons\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\r\n\r\n"
        "The heron stands in the re \r\neds of the pond.\r\n\r\n> quoted li \r\n> ne\r\n").encode()
open("a.eml", "wb").write(data)
read = {"email of Python " + platform.python_version(): email.message_from_bytes(data, policy=email.policy.default).get_content(),
        "mail-parser": mailparser.parse_from_bytes(data).body, "kreuzberg": kreuzberg.extract_file_sync("a.eml").content}
for name, text in read.items():
    print(name, repr(text))
    assert "re \r\neds" in text or "re \neds" in text, "what was seen has changed"
PYTHON
cat >read.mjs <<'NODE'
import fs from 'node:fs';
import PostalMime from 'postal-mime';
import { simpleParser } from 'mailparser';
const data = fs.readFileSync('a.eml');
const postal = (await PostalMime.parse(data)).text, parsed = (await simpleParser(data)).text;
console.log('postal-mime', JSON.stringify(postal), 'mailparser', JSON.stringify(parsed));
if (!postal.includes('reeds') || !postal.includes('> quoted li> ne') || !parsed.includes('reeds') || !parsed.includes('> quoted line')) throw new Error('what was seen has changed');
NODE
node read.mjs
