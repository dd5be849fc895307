package transformer

import (
	"fmt"
	"strings"

	"dowse/models/prompt"
	"dowse/models/tokenizer"
)

// Prompt is how a decoder is asked for the relevance of a passage.
type Prompt prompt.Text

const (
	instructionPlace = "{instruction}"
	queryPlace       = "{query}"
	passagePlace     = "{passage}"
)

// encode returns the tokens of a pair, at most most of them: the piece with the
// passage loses its end, and a query that would take more than half of the room
// loses its own first.
func (p *Prompt) encode(t *tokenizer.Tokenizer, query, passage string, most int) []int32 {
	before, after := t.Encode(p.Before), t.Encode(p.After)
	room := most - len(before) - len(after)
	fill := strings.NewReplacer(instructionPlace, p.Instruction, queryPlace, cutText(t, query, room/2), passagePlace, passage)
	pieces, place, total := make([][]int32, len(p.Body)), -1, 0
	for i, piece := range p.Body {
		pieces[i] = t.AppendLiteral(nil, fill.Replace(piece))
		total += len(pieces[i])
		if strings.Contains(piece, passagePlace) {
			place = i
		}
	}
	if place >= 0 && total > room {
		pieces[place] = pieces[place][:max(0, len(pieces[place])-(total-room))]
	}
	ids := append(make([]int32, 0, most), before...)
	for _, piece := range pieces {
		ids = append(ids, piece...)
	}
	return append(ids, after...)
}

// cutText returns the start of a text that has at most most tokens.
func cutText(t *tokenizer.Tokenizer, text string, most int) string {
	ids, spans := t.EncodeSpans(text)
	if len(ids) <= most {
		return text
	}
	if most <= 0 {
		return ""
	}
	return text[:spans[most-1].End]
}

// answers resolves Yes and No.
func (p *Prompt) answers(t *tokenizer.Tokenizer) (yes, no int32, err error) {
	ids := [2]int32{}
	for i, word := range []string{p.Yes, p.No} {
		id, found := t.ID(word)
		if word == "" || !found {
			return 0, 0, fmt.Errorf("the word %q of the prompt is no token of the model", word)
		}
		ids[i] = id
	}
	return ids[0], ids[1], nil
}
