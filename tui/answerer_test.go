package tui

import (
	"context"
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/testwait"
)

// fakeAnswerer writes its answer a draft at a time. Each takes a while, and it
// looks at its context between them, as a model does.
type fakeAnswerer struct {
	says   engine.Answer
	reads  []engine.Reading // before its first word
	drafts int              // pieces that it comes in; 0 means all at once
	takes  time.Duration    // each draft
	deaf   bool             // to its context
	err    error            // that it ends with
}

func (f *fakeAnswerer) answer(ctx context.Context, found []engine.Passage, emit func(engine.Event)) (*engine.Answer, error) {
	if len(found) == 0 {
		return &engine.Answer{Text: engine.DeclinedText, Confidence: engine.None, Declined: true}, nil
	}
	emit(engine.Event{Found: found})
	if f.says.Sent != nil {
		emit(engine.Event{Answer: &engine.Answer{How: f.says.How, Sent: f.says.Sent}})
	}
	if f.says.Quotation != nil {
		emit(engine.Event{Answer: &engine.Answer{How: f.says.How, Quotation: f.says.Quotation}})
	}
	for i := range f.reads {
		emit(engine.Event{Answer: &engine.Answer{How: f.says.How, Quotation: f.says.Quotation, Reading: &f.reads[i]}})
		testwait.Moment(f.takes)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	for i := range f.drafts {
		testwait.Moment(f.takes)
		if ctx.Err() != nil && !f.deaf {
			return nil, ctx.Err()
		}
		end := len(f.says.Text) * (i + 1) / (f.drafts + 1)
		grown := engine.Answer{Text: f.says.Text[:end], How: f.says.How, Generation: f.says.Generation, Quotation: f.says.Quotation}
		for _, r := range f.says.Drafted {
			if r.Start < end {
				grown.Drafted = append(grown.Drafted, engine.Range{Start: r.Start, End: min(r.End, end)})
			}
		}
		emit(engine.Event{Answer: &grown})
	}
	testwait.Moment(f.takes)
	if f.err != nil {
		return nil, f.err
	}
	a := f.says
	return &a, ctx.Err()
}

// pieceOf returns where a text has a piece.
func pieceOf(text, piece string) engine.Range {
	at := strings.Index(text, piece)
	return engine.Range{Start: at, End: at + len(piece)}
}

// flushing answers a question about the cache of the notes of the fake, where
// the second passage is dns.md: two sentences, one with a number made up.
func flushing() *fakeAnswerer {
	text := "Flushing the cache with resolvectl flush-caches fixed the DNS for good. [2]\n" +
		"The starter has been kept in a cool place since 1973. [5]"
	year := engine.Unsupported{Range: pieceOf(text, "1973"), Kind: "number"}
	return &fakeAnswerer{says: engine.Answer{
		Text: text, Confidence: engine.Sure, How: engine.Extracted, Millis: 41.4, Short: "resolvectl flush-caches",
		Highlights: []engine.Range{pieceOf(text, "resolvectl flush-caches")},
		Citations:  []engine.AnswerCitation{{N: 2, LineStart: 4, LineEnd: 6}, {N: 5, LineStart: 5, LineEnd: 5}},
		Sentences: []engine.AnswerSentence{
			{Range: engine.Range{Start: 0, End: 75}, Citations: []int{2}},
			{Range: engine.Range{Start: 76, End: len(text)}, Citations: []int{5}, Unsupported: []engine.Unsupported{year}},
		},
	}}
}

// perhaps answers with the nearest that there is.
func perhaps() *fakeAnswerer {
	f := flushing()
	f.says.Confidence = engine.Perhaps
	f.says.Text, _, _ = strings.Cut(f.says.Text, "\n")
	f.says.Citations, f.says.Sentences = f.says.Citations[:1], f.says.Sentences[:1]
	return f
}

// writing answers like flushing, as a model does that drafts.
func writing() *fakeAnswerer {
	f := flushing()
	f.says.Confidence = engine.Perhaps
	f.says.How, f.says.Millis, f.says.Highlights = "small-writer", 2140, nil
	f.says.Drafted = []engine.Range{pieceOf(f.says.Text, "resolvectl flush-caches fixed"), pieceOf(f.says.Text, "in a cool place since 1973. [5]")}
	f.says.Generation = &engine.Generation{PromptTokens: 900, Tokens: 38, Speed: 31.4, Steps: 14, Drafted: 40, Accepted: 24, Layers: 30}
	return f
}

// quoting writes a sentence below what flushing quotes.
func quoting() *fakeAnswerer {
	quoted := flushing().says
	f := writing()
	f.says.Text, f.says.Citations, f.says.Sentences, f.says.Drafted = "With resolvectl flush-caches. [2]", quoted.Citations[:1], nil, nil
	f.says.Confidence, f.says.Quotation = engine.Sure, &quoted
	return f
}

// reading is quoting by a model that reads for two seconds before it writes.
func reading() *fakeAnswerer {
	f := quoting()
	f.reads = []engine.Reading{{Passages: 5, Tokens: 640, Seconds: 1.9}, {Passages: 5, Done: 384, Tokens: 640, Seconds: 0.8}}
	f.drafts, f.takes = 2, time.Second
	return f
}
