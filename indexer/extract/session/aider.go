package session

import (
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
)

// aiderStart begins each session in a history of aider's; a time follows.
const aiderStart = "# aider chat started at "

// readAider reads a history of aider's: what a person said stands behind "#### ", what aider did behind "> ".
func readAider(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	w := &writer{Builder: in.Builder(), marks: []document.LineMark{}}
	var at time.Time
	model, title, number := "", "", 0
	t := turn{}
	end := func(next turn) {
		if t.who != "" {
			w.say(&t)
		}
		t = next
	}
	var words []string
	flush := func(next turn) {
		t.text = strings.Join(words, "\n")
		words = words[:0]
		end(next)
	}
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n ")
		start, isStart := strings.CutPrefix(line, aiderStart)
		asked, isAsked := strings.CutPrefix(line, "####")
		switch {
		case isStart:
			flush(turn{})
			at, model, w.title, w.turns = dates.Parse(start), "", "", 0
			w.around = []document.Part{{Unit: document.Session, Name: "aider --restore-chat-history"}}
		case isAsked && (asked == "" || asked[0] == ' '):
			if t.who != me {
				flush(turn{who: me, at: at, line: number})
			}
			words = append(words, strings.TrimSpace(asked))
			if w.title == "" {
				w.title = firstLine(asked)
			}
			if title == "" {
				title = w.title
			}
		case strings.HasPrefix(line, ">"):
			if name, found := strings.CutPrefix(strings.TrimLeft(line, "> "), "Model: "); found {
				model, _, _ = strings.Cut(name, " ")
			}
		default:
			if t.who == me && line != "" {
				flush(turn{who: assistant, model: model, at: at, line: number})
			}
			words = append(words, line)
		}
	}
	flush(turn{})
	return w.finish(document.Meta{Title: title}), ctx.Err()
}
