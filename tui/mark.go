package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
	"dowse/internal/fold"
)

// matchedWords returns the folded words that a passage matched by. It leaves
// out single letters of compounds: the e of e-mail stands in other words.
func matchedWords(p engine.Passage) map[string]bool {
	words := map[string]bool{}
	for _, h := range p.Highlights {
		if h.Start < 0 || h.End > len(p.Text) || h.Start >= h.End {
			continue
		}
		text := fold.String(p.Text[h.Start:h.End])
		for word := range strings.FieldsFuncSeq(text, notWord) {
			if word == text || utf8.RuneCountInString(word) > 1 {
				words[word] = true
			}
		}
	}
	return words
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !fold.Ignorable(r)
}

// markLines sanitizes lines of a file and marks the matched words, and what
// Markdown and code mean. It may be slow: run it in a command.
func markLines(passage engine.Passage, preview *engine.Preview) []marked {
	lines := preview.Lines
	words := matchedWords(passage)
	bytes, limit := 0, maxLineBytes
	for _, line := range lines {
		bytes += min(len(line), maxLineBytes)
	}
	if bytes > previewBytes {
		limit = max(previewBytes/len(lines), minLineBytes)
	}
	out := make([]marked, len(lines))
	for i, line := range lines {
		if len(line) > limit {
			line = line[:runeStart(line, limit)] + ellipsis
		}
		out[i] = markWords(line, words)
	}
	return enrich(passage, out, preview.FirstLine == 1)
}

// markWords sanitizes a line and marks words of a set: whole ones, or parts of
// runs in scripts without spaces.
func markWords(line string, words map[string]bool) marked {
	var hits []engine.Range
	start := -1
	for i, r := range line + " " {
		switch {
		case len(words) == 0:
		case !notWord(r):
			if start < 0 {
				start = i
			}
		case start >= 0:
			hits = append(hits, wordHits(line[start:i], start, words)...)
			start = -1
		}
	}
	return sanitizeMarked(line, hits)
}

// wordHits finds words of a set in a run of letters that begins at byte base.
func wordHits(run string, base int, words map[string]bool) []engine.Range {
	of := fold.Of(run)
	if words[of.Folded] {
		return []engine.Range{{Start: base, End: base + len(run)}}
	}
	if !strings.ContainsFunc(of.Folded, spaceless) {
		return nil
	}
	var hits []engine.Range
	for at := 0; at < len(of.Folded); {
		if n := longestPrefix(of.Folded[at:], words); n > 0 {
			if from, to, ok := of.Range(at, at+n); ok {
				hits = append(hits, engine.Range{Start: base + from, End: base + to})
			}
			at += n
			continue
		}
		_, size := utf8.DecodeRuneInString(of.Folded[at:])
		at += size
	}
	return hits
}

// longestPrefix returns the length of the longest word of a set, in a script
// without spaces, that begins s; 0 if there is none.
func longestPrefix(s string, words map[string]bool) int {
	longest := 0
	for word := range words {
		if len(word) > longest && strings.ContainsFunc(word, spaceless) && strings.HasPrefix(s, word) {
			longest = len(word)
		}
	}
	return longest
}

// spaceless reports whether r's script is written without spaces, or, as
// Korean, inflects words so much that parts of them match.
func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
