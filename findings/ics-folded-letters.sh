#!/usr/bin/env bash
# Readers of calendars lose a letter where a line is folded within it.
#
# Guess: a line of iCalendar that was folded reads as it was. RFC 5545, section 3.1, counts bytes, and notes that old programs fold
# within a letter of UTF-8; a reader that unfolds bytes before it decodes them loses nothing.
# Seen: icalendar 7.3.2 and vobject 0.9.9 (PyPI), ical.js 2.2.1 and node-ical 0.26.1 (npm) decode first. "früh" comes back as "fr", two
# signs of what could not be decoded, "h", without a message; icalendar too, which is given bytes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet icalendar==7.3.2 vobject==0.9.9
npm install --silent --no-fund --no-audit ical.js@2.2.1 node-ical@0.26.1 >/dev/null
venv/bin/python - <<'PYTHON'
import icalendar, vobject

lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//pond//EN", "BEGIN:VEVENT", "UID:1@pond.example", "DTSTAMP:20260101T000000Z", "DTSTART:20260101T100000Z",
         "SUMMARY:Der Reiher steht am Teich und wartet dort im Schilf seit heute früh", "END:VEVENT", "END:VCALENDAR", ""]
data = "\r\n".join(lines).encode()
within = data.index("ü".encode()) + 1
data = data[:within] + b"\r\n " + data[within:]
assert data.replace(b"\r\n ", b"").decode() == "\r\n".join(lines)
open("a.ics", "wb").write(data)
read = {"icalendar": str(icalendar.Calendar.from_ical(data).walk("VEVENT")[0]["SUMMARY"]),
        "vobject": vobject.readOne(open("a.ics", encoding="utf-8", errors="replace", newline="").read()).vevent.summary.value}
for name, summary in read.items():
    print(name, summary)
    assert summary.endswith("fr\ufffd\ufffdh"), "what was seen has changed"
PYTHON
cat >read.mjs <<'NODE'
import fs from 'node:fs';
import ICAL from 'ical.js';
import ical from 'node-ical';
const event = new ICAL.Component(ICAL.parse(fs.readFileSync('a.ics', 'utf8'))).getFirstSubcomponent('vevent');
const read = {
  'ical.js': event.getFirstPropertyValue('summary'),
  'node-ical': Object.values(ical.sync.parseFile('a.ics')).find((entry) => entry.type === 'VEVENT').summary,
};
for (const [name, summary] of Object.entries(read)) {
  console.log(name, summary);
  if (!summary.endsWith('fr\ufffd\ufffdh')) throw new Error('what was seen has changed');
}
NODE
node read.mjs
