package chat

import (
	"strings"

	"dowse/models/tokenizer"
)

// Prompt is a rendered conversation.
type Prompt []Segment

// String returns the text of the prompt.
func (p Prompt) String() string { return text(p).String() }

// Encode returns the token ids of the prompt. Special tokens count as such in
// what the template wrote, and are plain text in the content of messages.
func (p Prompt) Encode(t *tokenizer.Tokenizer) []int32 {
	var ids []int32
	var plain strings.Builder // since the last special token
	flush := func() {
		if plain.Len() > 0 {
			ids = t.AppendLiteral(ids, plain.String())
			plain.Reset()
		}
	}
	for _, s := range p {
		if s.Content {
			plain.WriteString(s.Text)
			continue
		}
		at := 0
		encoded, spans := t.EncodeSpans(s.Text)
		for i, id := range encoded {
			if !special(t, id, s.Text[spans[i].Start:spans[i].End]) {
				continue
			}
			plain.WriteString(s.Text[at:spans[i].Start])
			flush()
			ids, at = append(ids, id), spans[i].End
		}
		plain.WriteString(s.Text[at:])
	}
	flush()
	return ids
}

// special reports whether a token steers the model: its source spells it out, white
// space around it aside, and it decodes to nothing.
func special(t *tokenizer.Tokenizer, id int32, source string) bool {
	word := t.Token(id)
	return word != "" && strings.TrimSpace(source) == strings.TrimSpace(word) && t.Decode([]int32{id}) == ""
}
