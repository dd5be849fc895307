package chunk

import (
	"strings"
	"unicode/utf8"
)

// Sizes that keep the work on long lines linear.
const (
	wholeLine = 8 << 10 // longer lines are not counted as a whole
	wholeRun  = 1 << 10 // longer runs without white space are cut
	smallRun  = 16      // shorter runs are never cut
	groupPart = 8       // words go together up to this part of an atom
)

// addParts makes atoms of a long line: its sentences, and some words together
// where a sentence is long too.
func (s *scanner) addParts(l textLine, penalty int) {
	limit := s.atomTokens()
	at := l.start
	for line := s.text[at:l.end]; line != ""; {
		n := sentenceEnd(line)
		if n <= wholeLine {
			if count := s.opts.Count(line[:n]); count <= limit {
				s.append(at, count, penalty)
				at, line, penalty = at+n, line[n:], inLine
				continue
			}
		}
		s.addWords(at, line[:n], penalty)
		at, line, penalty = at+n, line[n:], inLine
	}
}

// sentenceEnd returns the length of the first sentence of a line with the white
// space behind it.
func sentenceEnd(line string) int {
	for i := 0; i < len(line); {
		if b := line[i]; b > '?' && b < utf8.RuneSelf || b == ' ' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(line[i:])
		i += n
		if r >= utf8.RuneSelf && strings.ContainsRune("。！？", r) {
			return i + spaceAt(line[i:])
		}
		if r != '.' && r != '!' && r != '?' && r != ';' {
			continue
		}
		for i < len(line) && strings.IndexByte(`"')]*_`, line[i]) >= 0 {
			i++
		}
		if n := spaceAt(line[i:]); n > 0 {
			return i + n
		}
	}
	return len(line)
}

// spaceAt returns the length of the white space that s begins with.
func spaceAt(s string) int { return len(s) - len(strings.TrimLeft(s, blanks)) }

// addWords makes atoms of a long sentence, each of some words.
func (s *scanner) addWords(at int, sentence string, penalty int) {
	group := max(1, s.atomTokens()/groupPart)
	start, tokens := at, 0
	flush := func(end int) {
		if end > start {
			s.append(start, tokens, penalty)
			start, tokens, penalty = end, 0, inSentence
		}
	}
	for sentence != "" {
		n := wordEnd(sentence)
		if n > wholeRun {
			flush(at)
			n = s.addRun(at, sentence, penalty)
			start, penalty = at+n, inSentence
		} else {
			count := s.opts.Count(sentence[:n])
			if tokens+count > group {
				flush(at)
			}
			if count > s.atomTokens() {
				n = s.addRun(at, sentence, penalty)
				start, penalty = at+n, inSentence
			} else {
				tokens += count
			}
		}
		at, sentence = at+n, sentence[n:]
	}
	flush(at)
}

// wordEnd returns the length of the first word of s with the white space around
// it, or a little more than wholeRun when it is longer.
func wordEnd(s string) int {
	s = s[:min(len(s), 4*wholeRun)] // nothing beyond is looked at twice
	i := spaceAt(s)
	end := strings.IndexAny(s[i:min(len(s), i+wholeRun+1)], blanks)
	if end < 0 {
		if len(s)-i > wholeRun {
			return wholeRun + 1
		}
		return len(s)
	}
	i += end
	return i + spaceAt(s[i:])
}

// addRun makes an atom of the beginning of a run without white space and
// returns its length: as much of wholeRun as fits, found by halving. It begins
// with twice the last length, because runs are alike from end to end.
func (s *scanner) addRun(at int, run string, penalty int) int {
	limit := max(1, s.atomTokens()/2)
	if s.run == 0 {
		s.run = wholeRun
	}
	n := runeBoundary(run, min(2*s.run, wholeRun))
	count := s.opts.Count(run[:n])
	for count > limit && n > smallRun {
		n = runeBoundary(run, n/2)
		count = s.opts.Count(run[:n])
	}
	s.run = n
	s.append(at, count, penalty)
	return n
}

// runeBoundary returns the last boundary between characters of s that is at most
// n, or the first one when that is 0.
func runeBoundary(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(s)
	}
	return n
}
