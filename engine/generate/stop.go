package generate

import "strings"

// stopper lets text through up to the first stop string that is complete, and
// holds back what may become one.
type stopper struct {
	stops []string
	held  string
}

// add takes more text. It returns the text that cannot belong to a stop string, and
// whether a stop string is complete.
func (s *stopper) add(text string) (certain string, stopped bool) {
	s.held += text
	start, end := -1, 0
	for _, stop := range s.stops {
		at := strings.Index(s.held, stop)
		if at < 0 {
			continue
		}
		if start < 0 || at+len(stop) < end || at+len(stop) == end && at < start {
			start, end = at, at+len(stop)
		}
	}
	if start >= 0 {
		certain, s.held = s.held[:start], ""
		return certain, true
	}
	keep := 0
	for _, stop := range s.stops {
		keep = max(keep, overlap(s.held, stop))
	}
	certain, s.held = s.held[:len(s.held)-keep], s.held[len(s.held)-keep:]
	return certain, false
}

// flush returns what was held back, once no more text comes.
func (s *stopper) flush() string {
	held := s.held
	s.held = ""
	return held
}

// overlap returns the length of the longest end of text that stop begins with, shorter
// than stop itself.
func overlap(text, stop string) int {
	for n := min(len(text), len(stop)-1); n > 0; n-- {
		if strings.HasSuffix(text, stop[:n]) {
			return n
		}
	}
	return 0
}
