package split

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Pattern is a way to cut text into pieces.
type Pattern uint8

// The patterns, each named after the model family that introduced it.
const (
	Whole  Pattern = iota // the text is one piece
	GPT2                  // also RoBERTa and, after Digit, SmolLM
	Llama3                // numbers in groups of three digits
	Qwen2                 // numbers digit by digit; also Qwen3
)

// patterns holds the name and the expression of each pattern.
var patterns = [...]struct{ name, expression string }{
	Whole: {"whole", ""},
	GPT2:  {"gpt2", `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`},
	Llama3: {"llama3", `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|` +
		` ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`},
	Qwen2: {"qwen2", `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|` +
		` ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`},
}

// Recognise finds the pattern that a regular expression stands for.
func Recognise(expression string) (Pattern, bool) {
	for p := GPT2; int(p) < len(patterns); p++ {
		if patterns[p].expression == expression {
			return p, true
		}
	}
	return Whole, false
}

// Expression returns the regular expression that p implements.
func (p Pattern) Expression() string { return patterns[p].expression }

// String returns the name of p.
func (p Pattern) String() string { return patterns[p].name }

// MarshalText writes the name of p.
func (p Pattern) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the name of a pattern.
func (p *Pattern) UnmarshalText(name []byte) error {
	for i := range patterns {
		if patterns[i].name == string(name) {
			*p = Pattern(i)
			return nil
		}
	}
	return fmt.Errorf("split pattern %q is unknown", name)
}

// Next returns the length in bytes of the first piece of text, which is not empty.
func (p Pattern) Next(text string) int {
	switch p {
	case GPT2:
		return nextGPT2(text)
	case Llama3:
		return nextLlama(text, 3)
	case Qwen2:
		return nextLlama(text, 1)
	}
	return len(text)
}

// nextGPT2 tries the alternatives of the GPT-2 expression in their order.
func nextGPT2(text string) int {
	if text[0] == '\'' {
		if n := contraction(text); n > 0 {
			return n
		}
	}
	first, width := classify(text)
	if text[0] == ' ' && len(text) > 1 {
		if second, w := classify(text[1:]); second != space {
			return 1 + w + run(text[1+w:], second)
		}
	}
	if first != space {
		return width + run(text[width:], first)
	}
	return spaces(text)
}

// nextLlama tries the alternatives of the Llama 3 expression in their order;
// Qwen's differs in how many digits may stand together.
func nextLlama(text string, digits int) int {
	if text[0] == '\'' {
		if n := foldedContraction(text); n > 0 {
			return n
		}
	}
	first, width := classify(text)
	switch {
	case first == letter:
		return width + run(text[width:], letter)
	case first == number:
		return numbers(text, digits)
	case text[0] == '\r' || text[0] == '\n':
		return lines(text)
	}
	if width < len(text) {
		if second, w := classify(text[width:]); second == letter {
			return width + w + run(text[width+w:], letter)
		} else if second == symbol && text[0] == ' ' {
			return symbols(text, 1)
		}
	}
	if first == symbol {
		return symbols(text, 0)
	}
	return lines(text)
}

// contraction returns the length of the English ending that text starts with,
// or 0. The caller has seen the apostrophe.
func contraction(text string) int {
	if len(text) >= 2 && strings.IndexByte("stmd", text[1]) >= 0 {
		return 2
	}
	if len(text) >= 3 {
		switch text[1:3] {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// longS folds to s.
const longS = "ſ"

// foldedContraction is contraction in any case.
func foldedContraction(text string) int {
	var folded [3]byte
	n := copy(folded[:], text)
	for i := 1; i < n; i++ {
		if c := folded[i]; c >= 'A' && c <= 'Z' {
			folded[i] = c + 'a' - 'A'
		}
	}
	if strings.HasPrefix(text[1:], longS) {
		return 1 + len(longS)
	}
	return contraction(string(folded[:n]))
}

// run returns the length of the characters of class c that text starts with.
func run(text string, c class) int {
	for at := 0; at < len(text); {
		got, width := classify(text[at:])
		if got != c {
			return at
		}
		at += width
	}
	return len(text)
}

// numbers returns the length of at most limit numerals.
func numbers(text string, limit int) int {
	at := 0
	for range limit {
		if at == len(text) {
			break
		}
		c, width := classify(text[at:])
		if c != number {
			break
		}
		at += width
	}
	return at
}

// symbols returns the length of a run of symbols from start, with the line
// breaks after it.
func symbols(text string, start int) int {
	at := start + run(text[start:], symbol)
	for at < len(text) && (text[at] == '\r' || text[at] == '\n') {
		at++
	}
	return at
}

// lines returns the alternative \s*[\r\n]+ and, where the white space holds no line
// break, those for spaces.
func lines(text string) int {
	n := run(text, space)
	if last := strings.LastIndexAny(text[:n], "\r\n"); last >= 0 {
		return last + 1
	}
	return spaces(text)
}

// spaces is \s+(?!\S)|\s+: all white space up to the end of the text, or all
// but its last character, which goes with what follows.
func spaces(text string) int {
	n := run(text, space)
	if n == len(text) {
		return n
	}
	_, last := utf8.DecodeLastRuneInString(text[:n])
	if n > last {
		return n - last
	}
	return n
}

// Digit returns the length of the first piece of text when every numeral is a
// piece of its own: one numeral, or all up to the next one.
func Digit(text string) int {
	for at := 0; at < len(text); {
		width := 1
		isDigit := text[at] >= '0' && text[at] <= '9'
		if text[at] >= utf8.RuneSelf {
			var r rune
			r, width = utf8.DecodeRuneInString(text[at:])
			isDigit = isNumeral(r)
		}
		if isDigit {
			if at == 0 {
				return width
			}
			return at
		}
		at += width
	}
	return len(text)
}
