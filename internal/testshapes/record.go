package testshapes

import (
	"strconv"
	"strings"
)

func records() []Shape {
	event := "BEGIN:VEVENT\nSUMMARY:Boiler\nDTSTART:20200302T100000Z\nRRULE:FREQ=SECONDLY;COUNT=1000000000\nEND:VEVENT\n"
	return []Shape{
		{"events.ics", 300, 300_000, repeated("BEGIN:VCALENDAR\n", event, "END:VCALENDAR\n")},
		{"nested.ics", 300, 1_000_000, nested("BEGIN:VCALENDAR\n", "BEGIN:VEVENT\n", "SUMMARY:Boiler\n", "END:VEVENT\n", "END:VCALENDAR\n")},
		{"folded.ics", 300, 5_000_000, repeated("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a", "\n b", "\nEND:VEVENT\nEND:VCALENDAR\n")},
		{"attendees.ics", 300, 500_000, repeated("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\n", "ATTENDEE;CN=Ann:mailto:a@b.de\n", "END:VEVENT\nEND:VCALENDAR\n")},
		{"cards.vcf", 300, 300_000, repeated("", "BEGIN:VCARD\nFN:Ann Lee\nTEL:1\nNOTE:"+sentence[:40]+"\nEND:VCARD\n", "")},
		{"phones.vcf", 300, 1_000_000, repeated("BEGIN:VCARD\nFN:Ann Lee\n", "TEL:12345\n", "END:VCARD\n")},
		{"rows.csv", 300, 1_000_000, repeated("Name,Cost\n", "boiler,30\n", "")},
		{"columns.csv", 300, 8_000_000, repeated("", "a,", "\n1,2\n")},
		{"wide.csv", 300, 3000, func(n int) []byte {
			return []byte(strings.Repeat("Name,", n) + "\n" + strings.Repeat(strings.Repeat("a,", n)+"\n", n/3))
		}},
		{"quoted.csv", 300, 10_000_000, repeated("Name,Cost\n\"", "a\n", "")},
		{"deep.json", 300, 5_000_000, nested("", "[", "1", "]", "")},
		{"objects.json", 300, 2_000_000, nested("", `{"a":`, `"valve"`, "}", "")},
		{"wide.json", 300, 1_000_000, repeated(`{"name":"a","list":[`, `"valve",`, `"b"]}`)},
		{"records.json", 300, 300_000, repeated("[", `{"name":"boiler","note":"serviced in March","tags":["a","b"]},`, `{"name":"x"}]`)},
		{"keys.json", 300, 500_000, numbered("{", `"%":1,`, `"z":2}`)},
		{"lines.jsonl", 300, 200_000, repeated("", `{"name":"boiler","note":"`+sentence[:40]+"\"}\n", "")},
		{"anchors.yaml", 5, 30, func(n int) []byte {
			var b strings.Builder
			b.WriteString("a0: &a0 [valve, valve]\n")
			for i := 1; i < n; i++ {
				at, before := strconv.Itoa(i), strconv.Itoa(i-1)
				b.WriteString("a" + at + ": &a" + at + " [" + strings.Repeat("*a"+before+", ", 9) + "*a" + before + "]\n")
			}
			return []byte(b.String())
		}},
		{"list.yaml", 300, 400_000, repeated("items:\n", "  - boiler\n", "")},
		{"deep.yaml", 300, 1_000_000, nested("", "[", "a", "]", "\n")},
		{"documents.yaml", 300, 400_000, repeated("", "---\na: b\n", "")},
	}
}
