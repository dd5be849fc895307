package testshapes

import (
	"bytes"
	"slices"
	"strings"
)

// Shape is a kind of file that holds much.
type Shape struct {
	Name  string // of the file, with its extension
	Small int    // repetitions that take milliseconds
	Full  int    // repetitions that take a computer's time without bounds
	Make  func(n int) []byte
}

// All returns the shapes of every format.
func All() []Shape {
	return slices.Concat(offices(), books(), mails(), records(), archives(), texts(), markups(), drawings(), pdfs(), medias())
}

// head, a part that recurs, and an end.
func repeated(head, part, end string) func(n int) []byte {
	return func(n int) []byte { return []byte(head + strings.Repeat(part, n) + end) }
}

// numbered is repeated with the number of the repetition where % stands.
func numbered(head, part, end string) func(n int) []byte {
	before, after, _ := strings.Cut(part, "%")
	return func(n int) []byte {
		var b bytes.Buffer
		b.WriteString(head)
		for i := range n {
			b.WriteString(before)
			b.WriteString(word(i))
			b.WriteString(after)
		}
		b.WriteString(end)
		return b.Bytes()
	}
}

// word returns a word that no other number has.
func word(n int) string {
	const consonants, vowels = "bdfghklmnprstvz", "aeiou"
	w := []byte{}
	for ; n > 0 || len(w) < 4; n /= len(consonants) * len(vowels) {
		at := n % (len(consonants) * len(vowels))
		w = append(w, consonants[at/len(vowels)], vowels[at%len(vowels)])
	}
	return string(w)
}

// nested puts one into the other, n deep.
func nested(head, before, inner, after, end string) func(n int) []byte {
	return func(n int) []byte {
		return []byte(head + strings.Repeat(before, n) + inner + strings.Repeat(after, n) + end)
	}
}
