package testshapes

import (
	"bytes"
	"fmt"
	"strings"
)

const letter = "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nSubject: Boiler\nDate: Mon, 2 Mar 2020 10:00:00 +0000\n"

func mails() []Shape {
	mixed := letter + "Content-Type: multipart/mixed; boundary=b\n\n"
	return []Shape{
		{"parts.eml", 300, 300_000, repeated(mixed, "--b\n\n"+sentence+"\n", "--b--\n")},
		{"files.eml", 300, 100_000, repeated(mixed, "--b\nContent-Disposition: attachment; filename=a.txt\n\n"+sentence+"\n", "--b--\n")},
		{"pages.eml", 300, 100_000, repeated(mixed, "--b\nContent-Type: text/html\n\n<p>"+sentence+"</p>\n", "--b--\n")},
		{"unclosed.eml", 300, 1_000_000, repeated(mixed, "--b\n", "")},
		{"alternative.eml", 300, 100_000, repeated(letter+"Content-Type: multipart/alternative; boundary=b\n\n", "--b\nContent-Type: text/html\n\n<p>"+sentence+"</p>\n", "--b--\n")},
		{"messages.eml", 100, 100_000, nested(letter, "Content-Type: message/rfc822\n\n"+letter, "\n"+sentence+"\n", "", "")},
		{"nested.eml", 100, 30_000, nestedParts},
		{"dashed.eml", 1000, 5_000_000, repeated(letter+"\n", "--\n", "")},
		{"signatures.eml", 1000, 1_000_000, repeated(letter+"\n", "-- \nAnn\nTel 1\n", "")},
		{"dashes.eml", 1000, 4_000_000, repeated(mixed, "--bb\n", "")},
		{"fields.eml", 1000, 1_000_000, repeated(letter, "X-Seen: yes\n", "\n"+sentence+"\n")},
		{"folded.eml", 1000, 3_000_000, repeated(letter+"X-Seen:", "\n a", "\n\n"+sentence+"\n")},
		{"words.eml", 1000, 500_000, repeated(letter+"Keywords: a", "\n =?utf-8?q?a=20b?=,", "\n\n"+sentence+"\n")},
		{"addresses.eml", 1000, 500_000, repeated(letter+"Cc: ", "Ann <ann@example.org>,\n ", "b@c.de\n\n"+sentence+"\n")},
		{"quoted.eml", 1000, 1_000_000, func(n int) []byte {
			return []byte(letter + "\n" + strings.Repeat(strings.Repeat(">", 100)+" boiler\n", n/10))
		}},
		{"deep.eml", 1000, 10_000_000, func(n int) []byte { return []byte(letter + "\n" + strings.Repeat(">", n) + " boiler\n") }},
		{"armour.eml", 300, 500_000, repeated(letter+"\n", "-----BEGIN PGP MESSAGE-----\na\n", "")},
		{"line.mbox", 1000, 120_000_000, func(n int) []byte {
			return append([]byte("From ann Mon Mar  2 10:00:00 2020\n"+letter+"\n"), bytes.Repeat([]byte("boiler "), n/7)...)
		}},
		{"tiny.mbox", 300, 250_000, repeated("", "From ann Mon Mar  2 10:00:00 2020\nSubject: a\n\nvalve\n\n", "")},
		{"numbered.mbox", 300, 250_000, numbered("", "From ann Mon Mar  2 10:00:00 2020\nFrom: Ann <ann@example.org>\nSubject: %\n\nvalve\n\n", "")},
		{"froms.mbox", 300, 4_000_000, repeated("From ann Mon Mar  2 10:00:00 2020\n"+letter+"\n", "\nFrom a\n", "")},
		{"separators.mbox", 300, 2_000_000, repeated("", "From ann Mon Mar  2 10:00:00 2020\n", "")},
	}
}

// nestedParts puts multipart bodies into each other.
func nestedParts(n int) []byte {
	var b bytes.Buffer
	b.WriteString(letter)
	for i := range n {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	b.WriteString("\n" + sentence + "\n")
	return b.Bytes()
}
