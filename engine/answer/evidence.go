package answer

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
	"dowse/internal/pattern"
)

// evidence is the text that claims are checked against.
type evidence struct {
	numbers map[string]bool // in the form of canonicalNumber
	words   map[string]bool // lower case
	flat    string          // lower case, white space and quotation marks unified
}

// claim is a checkable piece of a sentence.
type claim struct {
	Range
	kind string
	text string
}

func newEvidence(text string) evidence {
	e := evidence{numbers: make(map[string]bool), words: make(map[string]bool), flat: flatten(text)}
	for _, t := range tokenize(text, Range{Start: 0, End: len(text)}) {
		for _, word := range wordParts(text[t.Start:t.End]) {
			e.words[word] = true
			if n, ok := canonicalNumber(word); ok {
				e.numbers[n] = true
			}
		}
	}
	return e
}

// wordParts returns a word in lower case and the halves of a compound.
func wordParts(word string) []string {
	word = strings.ToLower(word)
	parts := []string{word}
	if halves := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune("-–/_@:.", r) }); len(halves) > 1 {
		parts = append(parts, halves...)
	}
	return parts
}

func (e *evidence) supports(c claim) bool {
	switch c.kind {
	case engine.UnsupportedNumber:
		for _, n := range numbersOf(c.text) {
			if !e.numbers[n] {
				return false
			}
		}
		return true
	case engine.UnsupportedName:
		return e.holdsName(c.text)
	}
	return strings.Contains(e.flat, flatten(c.text))
}

// holdsName reports whether every word of a name is in the text, without
// genitives and plurals.
func (e *evidence) holdsName(name string) bool {
	for _, t := range tokenize(name, Range{Start: 0, End: len(name)}) {
		word := strings.ToLower(name[t.Start:t.End])
		if c, _ := utf8.DecodeRuneInString(word); !isWordRune(c) || word == "s" || closedClass[word] {
			continue
		}
		if e.words[word] || e.words[strings.TrimSuffix(word, "s")] || e.words[word+"s"] {
			continue
		}
		halves := wordParts(word)[1:]
		for _, half := range halves {
			if !e.words[half] {
				return false
			}
		}
		if len(halves) == 0 {
			return false
		}
	}
	return true
}

// flatten unifies white space, case and quotation marks.
func flatten(text string) string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case '“', '”', '«', '»', '„':
			return '"'
		case '‘', '’':
			return '\''
		case '*', '`':
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// numberValues are small numbers that are often spelled out.
var numberValues = func() map[string]string {
	values := make(map[string]string)
	for i, w := range strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen
		fourteen fifteen sixteen seventeen eighteen nineteen twenty`) {
		values[w] = strconv.Itoa(i)
	}
	for i, w := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth") {
		values[w] = strconv.Itoa(i + 1)
	}
	return values
}()

// canonicalNumber strips grouping, currency, percent sign and ordinal letters,
// so that equal numbers compare equal.
func canonicalNumber(word string) (string, bool) {
	if n, ok := numberValues[word]; ok {
		return n, true
	}
	n := strings.TrimFunc(word, func(r rune) bool { return r < '0' || r > '9' })
	if n == "" {
		return "", false
	}
	n = strings.ReplaceAll(n, ",", "")
	if point := strings.IndexByte(n, '.'); point >= 0 && strings.Trim(n[point:], ".0") == "" {
		n = n[:point]
	}
	return n, true
}

// numbersOf returns the numbers of a token; compounds such as 1932–1940 or
// 10-year have several.
func numbersOf(token string) []string {
	var numbers []string
	lower := strings.ToLower(token)
	for _, part := range strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune("-–/:", r) }) {
		if n, ok := canonicalNumber(part); ok && strings.ContainsAny(part, "0123456789") {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// quotations are texts between quotation marks or backticks.
var quotations = pattern.New("“([^“”]+)”|\"([^\"\n]+)\"|`([^`\n]+)`")

// claims lists the checkable pieces of a sentence.
func claims(text string, st statement) []claim {
	if st.Kind == Code {
		return lineClaims(text, st.body)
	}
	var found []claim
	body := st.body
	for _, at := range quotations.FindAllStringSubmatchIndex(text[body.Start:body.End], -1) {
		for group := 2; group < len(at); group += 2 {
			if at[group] < 0 {
				continue
			}
			r := Range{Start: body.Start + at[group], End: body.Start + at[group+1]}
			// A single quoted word is a manner of speaking.
			if quoted := strings.TrimRight(text[r.Start:r.End], ".,;!? "); group == 6 || strings.Contains(quoted, " ") {
				r.End = r.Start + len(quoted)
				found = append(found, claim{r, engine.UnsupportedQuote, quoted})
			}
		}
	}
	return append(found, tokenClaims(text, st, found)...)
}

func lineClaims(text string, r Range) []claim {
	var found []claim
	for _, l := range linesOf(text, r) {
		if line := trim(text, l); line.Start < line.End {
			found = append(found, claim{line, engine.UnsupportedQuote, text[line.Start:line.End]})
		}
	}
	return found
}

// tokenClaims finds the numbers and names of a sentence outside citations and
// checked quotations.
func tokenClaims(text string, st statement, quoted []claim) []claim {
	skip := func(t Range) bool {
		for _, m := range st.marks {
			if t.Start >= m.Start && t.End <= m.End {
				return true
			}
		}
		for _, q := range quoted {
			if t.Start < q.End && t.End > q.Start {
				return true
			}
		}
		return false
	}
	var found []claim
	tokens := tokenize(text, st.body)
	name := Range{Start: -1, End: -1} // following tokens may extend it
	for i, t := range tokens {
		word := text[t.Start:t.End]
		f := formOf(word, i == 0)
		isName := f == nameForm && word != "I" || f == mixedForm && word != strings.ToLower(word) ||
			f == firstForm && i+1 < len(tokens) && formOf(text[tokens[i+1].Start:tokens[i+1].End], false) == nameForm
		if isName && !skip(t) && len(numbersOf(word)) == 0 {
			if name.Start < 0 || strings.TrimSpace(text[name.End:t.Start]) != "" {
				found = append(found, claim{kind: engine.UnsupportedName})
				name.Start = t.Start
			}
			name.End = t.End
			found[len(found)-1].Range, found[len(found)-1].text = name, text[name.Start:name.End]
			continue
		}
		name.Start = -1
		if len(numbersOf(word)) > 0 && !skip(t) {
			found = append(found, claim{t, engine.UnsupportedNumber, word})
		}
	}
	return found
}
