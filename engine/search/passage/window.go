package passage

import (
	"strings"

	"dowse/engine"
)

// A window ends within a word only where a text has no words. It begins some bytes before a match, so that the
// match is read with what it is about; a further mention of a word counts as newWord of a new one.
const (
	windowLead = 32
	newWord    = 10
)

// Window returns at most so many bytes of a text, those that hold most of the query's words, for a reranker.
// Different words count first, then further mentions; of equal windows the first is taken. A first line
// that names what the text is about, such as its headings, stays.
func (h Highlighter) Window(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head := strings.IndexByte(text, '\n') + 1
	if head > most/2 {
		head = 0
	}
	body, room := text[head:], most-head
	marks := h.Find(body)
	best, start := worthOf(body, marks, 0, room), 0
	for i, m := range marks {
		from := wordStart(body, m.Start-windowLead)
		if worth := worthOf(body, marks[i:], from, room); worth > best {
			best, start = worth, from
		}
	}
	start = wordStart(body, min(start, len(body)-room))
	return text[:head] + body[start:wordEnd(body, start+room)]
}

// worthOf weighs the marks that stand within room bytes from start on. Marks before the first of the list count nothing.
func worthOf(body string, marks []engine.Range, start, room int) (worth int) {
	seen := map[string]bool{}
	for _, m := range marks {
		if m.Start < start || m.End > start+room {
			continue
		}
		word := strings.ToLower(body[m.Start:m.End])
		if worth++; !seen[word] {
			seen[word] = true
			worth += newWord - 1
		}
	}
	return worth
}

// wordStart is the beginning of the word that has the byte at a place, or of the character in a text without spaces.
func wordStart(text string, at int) int {
	at = max(at, 0)
	if space := strings.LastIndexAny(text[max(0, at-windowLead):at], blanks); space >= 0 {
		return max(0, at-windowLead) + space + 1
	}
	return wholeRune(text, at)
}

// wordEnd is the end of the last word that ends before a place, likewise.
func wordEnd(text string, at int) int {
	if at >= len(text) {
		return len(text)
	}
	if space := strings.LastIndexAny(text[at-min(at, windowLead):at+1], blanks); space >= 0 {
		return at - min(at, windowLead) + space
	}
	return wholeRune(text, at)
}
