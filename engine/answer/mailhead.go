package answer

import (
	"strings"

	"dowse/internal/pattern"
)

var (
	// mailField is a field of a message's head; transport those that no person writes.
	mailField = pattern.New(`(?i)^(?:>\s?)*[*_]{0,2}(from|to|cc|bcc|date|sent|subject|reply-to|von|an|gesendet|betreff|datum)[*_]{0,2}:[*_]{0,2}\s`)
	transport = pattern.New(`(?i)^(?:>\s?)*(?:received|return-path|message-id|in-reply-to|references|mime-version|content-(?:type|transfer-encoding|disposition|language)|delivered-to|dkim-signature|authentication-results|list-[a-z]+|user-agent|thread-(?:topic|index)|importance|x-[a-z][a-z-]+):\s`)
	// addressed are questions that the head of a message may answer.
	addressed = pattern.New(`(?i)\b(?:who|whom|whose|when|from|sent|send|sends|sender|wrote|write|writes|writing|mail|mails|e-mail|email|mailed|emailed|repl(?:y|ies|ied)|address|subject|cc|bcc|date|day|month|year|time|reach|contact|header|headers)\b`)
)

// mailHeads tells which pieces of a passage are the head of a message, the question being
// about something else: "Subject: Re: museums" says nothing of museums. One field alone is
// a line of a note ("From: Ann"); two side by side are a head, and what no person writes is.
func mailHeads(asked *Asked, text string, pieces []Piece) map[int]bool {
	heads := map[int]bool{}
	if addressed.MatchString(asked.inFull()) {
		return heads
	}
	last, field := -1, ""
	for i, p := range pieces {
		said := text[p.Start:p.End]
		if p.Kind == Row && strings.HasPrefix(strings.ToLower(said), "from: ") && mailRow.MatchString(said) || transport.MatchString(said) {
			heads[i] = true
			continue
		}
		found := mailField.FindStringSubmatch(said)
		if found == nil || p.Kind == Code {
			continue
		}
		if last >= 0 && last == i-1 && !strings.EqualFold(found[1], field) {
			heads[last], heads[i] = true, true
		}
		last, field = i, found[1]
	}
	return heads
}

// mailRow is the head of a message as its extracted text has it: "From: Ann; To: Kim; Date: ...".
var mailRow = pattern.New(`; (?:To|Cc|Date): `)
