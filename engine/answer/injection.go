package answer

import (
	"strings"

	"dowse/internal/pattern"
)

// forgedTurns are turns of chat templates and of messages as JSON.
var forgedTurns = pattern.New(`(?i)<[|｜](?:im_(?:start|end|sep)|system|user|assistant|developer|bot|message|channel|(?:start|end|begin|eot|eom)[_▁][a-z_▁]{1,24}|[a-z]+_token)[|｜]>|` +
	`\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>|\[/?SYSTEM_PROMPT\]|</?(?:system|assistant|ai)(?:[-_ ]?(?:prompt|message|reminder|instructions?|note))?>|` +
	`["']?\brole["']?\s*[:=]\s*["']?(?:system|assistant|developer)\b`)

// labels announce an order by their form.
var labels = pattern.New(`(?mi)^[ \t>*_-]*["']?answer[-_](?:override|polic(?:y|ies)|rules?|instructions?)["']?\s*[:=]|</?instructions?>|` +
	`^[ \t>*_→-]*(?:tool|function)[ _](?:result|output|call)\b[^:\n]{0,40}:|` +
	`^[ \t>*_→-]*(?:answer|reply|response) ?\((?:mandatory|required|official|final|correct|verified)|` +
	`^[ \t>*_-]*["']?(?:[a-z]+[-_ ])?(?:assistant|ai|llm|agent|bot|chatbot|gpt|model|system)[-_](?:instructions?|prompts?|notes?|directives?|hints?|orders?|messages?|polic(?:y|ies)|answers?|overrides?|rules?)["']?\s*[:=]|` +
	`\bsystem (?:prompt|override|directive)s? ?[:!]|` +
	`^[ \t>]*#{1,4} ?(?:instruction|response|system|assistant):|` +
	`^[ \t>*_]*(?:user|human|question|prompt)[*_]*:[^\n]*\n+[ \t>*_]*(?:assistant|ai|bot|chatgpt|gpt|model|llm)[*_]*:|` +
	`^[ \t>*_]*answer[*_]*:[^\n]*\[\d{1,2}\]|` +
	`^[ \t>*_]*(?:the )?(?:final|mandatory|required) (?:answer|reply|response) ?:|` +
	`(?-i:^[ \t#=<\[*-]*(?:END|BEGIN|START) (?:OF )?(?:THE )?(?:SYSTEM |USER |NEW |RETRIEVED )?(?:CONTEXT|PROMPT|INSTRUCTIONS?|CONVERSATION|INPUT|CHAT|DOCUMENTS?|PASSAGES?)\b)`)

// injections finds stretches that speak to a language model or order an answer,
// in order and disjoint. A stretch begins with its line, or its paragraph where
// lines are wrapped, and ends with the paragraph; after a chat turn or an order
// to forget, it reaches to the end.
//
// Of twenty notes with orders among 500, none is quoted surely (14 before), two
// as perhaps. Of twenty unseen wordings 9 are found. Of 36,328 pieces of people's
// notes 3 are taken for orders, of 67,982 of manual pages 3, of 30,431 of short
// technical notes 0, of 51,865 of documentation 151, mostly about injections.
func injections(text string) []Range {
	var found []Range
	for _, p := range paragraphs(text) {
		said, terms := text[p.Start:p.End], termsOf(text, p)
		over := first(formAt(forgedTurns, said, p.Start), orderIn(terms, takeovers))
		at := first(over, first(formAt(labels, said, p.Start), orderIn(terms, orders)))
		if at < 0 {
			continue
		}
		r := Range{Start: p.Start, End: p.End}
		for _, line := range hardLines(text, p) {
			if line.Start <= at {
				r.Start = line.Start
			}
		}
		if over >= 0 {
			return append(found, Range{Start: r.Start, End: len(text)})
		}
		found = append(found, r)
	}
	return found
}

// formAt is where a form begins in a stretch that begins at start, or -1.
func formAt(form *pattern.Pattern, said string, start int) int {
	if at := form.FindStringIndex(said); at != nil {
		return start + at[0]
	}
	return -1
}

// first is the smaller of two places; -1 is no place.
func first(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

func paragraphs(text string) []Range {
	var found []Range
	open := false
	for _, l := range linesOf(text, Range{Start: 0, End: len(text)}) {
		switch empty := strings.TrimSpace(text[l.Start:l.End]) == ""; {
		case empty:
			open = false
		case open:
			found[len(found)-1].End = l.End
		default:
			found, open = append(found, l), true
		}
	}
	return found
}

// blanked replaces injections by spaces, so that all other bytes keep their
// places.
func blanked(text string) string {
	found := injections(text)
	if len(found) == 0 {
		return text
	}
	bytes := []byte(text)
	for _, r := range found {
		for i := r.Start; i < r.End; i++ {
			if bytes[i] != '\n' {
				bytes[i] = ' '
			}
		}
	}
	return string(bytes)
}

// WithoutInjections returns passages without their injections. It drops
// passages without other text and ranks the rest last, since retrieval may have
// found them by the lost text. found reports whether there were any.
func WithoutInjections(passages []Passage) (left []Passage, found bool) {
	for _, p := range passages {
		whole := p
		p.Text, p.Heading, p.Columns = blanked(p.Text), blanked(p.Heading), blanked(p.Columns)
		if p.Text == whole.Text && p.Heading == whole.Heading && p.Columns == whole.Columns {
			left = append(left, p)
			continue
		}
		found = true
		for i := range passages {
			p.Score = min(p.Score, passages[i].Score)
		}
		if strings.TrimSpace(p.Text) != "" {
			left = append(left, p)
		}
	}
	return left, found
}

// Injected reports whether a text speaks to a language model or orders an answer.
func Injected(text string) bool { return len(injections(text)) > 0 }
