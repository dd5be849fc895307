package testshapes

import (
	"bytes"
	"strings"
)

func texts() []Shape {
	return []Shape{
		{"line.txt", 1000, 16_000_000, func(n int) []byte { return bytes.Repeat([]byte(sentence+" "), n/len(sentence)) }},
		{"wordless.txt", 1000, 16_000_000, func(n int) []byte { return bytes.Repeat([]byte("boiler"), n/6) }},
		{"letter.txt", 1000, 16_000_000, func(n int) []byte { return bytes.Repeat([]byte("a"), n) }},
		{"huge.txt", 1000, 64_000_000, func(n int) []byte { return bytes.Repeat([]byte(sentence+" "), n/len(sentence)) }},
		{"marks.txt", 1000, 7_000_000, func(n int) []byte { return []byte("a" + strings.Repeat("\u0301", n)) }},
		{"marked.txt", 1000, 4_000_000, repeated("", "e\u0301\u0323\u0301 ", "")},
		{"distinct.txt", 1000, 1_500_000, numbered("", "% ", "\n")},
		{"distinctlines.txt", 1000, 1_500_000, numbered("", "%\n", "\n")},
		{"paragraphs.txt", 300, 130_000, repeated("", sentence+"\n\n", "")},
		{"blank.txt", 1000, 16_000_000, repeated("valve\n", "\n", "valve\n")},
		{"lines.txt", 1000, 8_000_000, repeated("", "a\n", "")},
		{"capitals.txt", 1000, 4_000_000, repeated("", "aB c", "")},
		{"chinese.txt", 1000, 5_000_000, repeated("", "锅炉在三月份检修。", "")},
		{"encoded.txt", 1000, 200_000, repeated("valve\n", strings.Repeat("QUJDREVGR0hJSktMTU5PUFFS", 3)+"\nvalve\n", "")},
		{"source.go", 1000, 1_000_000, repeated("package a\n", "func a() {}\n", "")},
		{"braces.c", 1000, 8_000_000, nested("", "{", "", "}", "\n")},
		{"indents.py", 1000, 4000, func(n int) []byte {
			var b bytes.Buffer
			for i := range n {
				b.WriteString(strings.Repeat(" ", i) + "if a:\n")
			}
			return b.Bytes()
		}},
	}
}
