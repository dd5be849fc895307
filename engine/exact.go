package engine

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Exact is what passages must hold as it is written, case and punctuation too: a word or a text,
// or what matches a pattern. With Not they must not hold it.
type Exact struct {
	Text    string         // "" with a Pattern
	Pattern *regexp.Regexp // of several lines: ^ and $ stand at each
	Typed   string         // as it stands in the query line
	Not     bool
}

// The keys of terms that are exact: =Word, grep:/pattern/.
const (
	exactKey = "="
	grepKey  = "grep"
)

// startsExact reports whether an exact word or text begins a line: = and a quotation, or a word
// with a letter or a number. Operators such as => and == are words.
func startsExact(rest string) bool {
	if len(rest) < 2 || rest[0] != '=' {
		return false
	}
	if _, quoted, _ := takeValue(rest[1:]); quoted {
		return true
	}
	word := rest[1:]
	if end := strings.IndexFunc(word, unicode.IsSpace); end >= 0 {
		word = word[:end]
	}
	return word != "" && word[0] != '=' && word[0] != '>' && hasWord(word)
}

// takePattern takes a /pattern/ or /pattern/i off the front of s. A slash within the pattern, as
// of a path, does not end it: a blank or the end of the line has to follow. One that is still being
// typed runs to the end of the line.
func takePattern(s string) (pattern, rest string) {
	for at := 1; at < len(s); at++ {
		switch s[at] {
		case '\\':
			at++
		case '/':
			end, flags := at+1, ""
			if strings.HasPrefix(s[end:], "i") {
				end, flags = end+1, "(?i)"
			}
			if end == len(s) || isSpaceAt(s, end) {
				if at == 1 {
					flags = ""
				}
				return flags + s[1:at], s[end:]
			}
		}
	}
	return s[1:], ""
}

// addExact files an exact term into the query.
func (q *Query) addExact(t term) error {
	x := Exact{Text: t.value, Typed: t.typed, Not: t.negated}
	if t.key == grepKey {
		pattern, err := regexp.Compile("(?m)" + t.value)
		if err != nil {
			return fmt.Errorf("%s: %w; a pattern is a regular expression as of grep -E, in which a \\ before a sign such as ( [ { * + ? . | makes it an ordinary one", t.typed, patternError(err))
		}
		x.Text, x.Pattern = "", pattern
	} else if strings.TrimSpace(t.value) == "" {
		return nil
	} else if !x.Not {
		q.text = append(q.text, t.value)
	}
	q.Exact = append(q.Exact, x)
	return nil
}

// patternError is what is wrong with a pattern, without the pattern, which Parse has changed.
func patternError(err error) error {
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		return errors.New(wrong.Code.String())
	}
	return err
}

// exactTexts are the texts to look for as they are written.
func (q *Query) exactTexts() (texts []string) {
	for _, x := range q.Exact {
		if x.Text != "" && !x.Not {
			texts = append(texts, x.Text)
		}
	}
	return slices.Clip(texts)
}
