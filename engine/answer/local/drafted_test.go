package local

import (
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/internal/testanswer"
	"dowse/models/tokenizer"
)

// plainParts finds the guessed parts of a text that is complete by what each
// step emitted: the twin of watchedDrafter.
func plainParts(r generate.Result, t *tokenizer.Tokenizer) []engine.Range {
	guessed := make([]bool, len(r.Tokens)+1) // and a token that ended the text
	at := 0
	for _, step := range r.Stats.Steps {
		for i := range step.Emitted - 1 {
			guessed[at+i] = true
		}
		at += step.Emitted
	}
	marks := ""
	decoder := t.NewDecoder()
	for i, id := range r.Tokens {
		mark := "-"
		if guessed[i] {
			mark = "x"
		}
		marks += strings.Repeat(mark, len(strings.ToValidUTF8(decoder.Next(id), "\uFFFD")))
	}
	var parts []engine.Range
	for i, mark := range marks {
		switch last := len(parts) - 1; {
		case mark == '-':
		case last >= 0 && parts[last].End == i:
			parts[last].End++
		default:
			parts = append(parts, engine.Range{Start: i, End: i + 1})
		}
	}
	return parts
}

// TestGuessedPartsOfAText asks twice, since what was answered before is guessed.
func TestGuessedPartsOfAText(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	for range 2 {
		var grown []engine.Answer
		job := grepJob()
		job.Observe = func(a engine.Answer) { grown = append(grown, a) }
		said, err := a.Answer(t.Context(), job)
		if err != nil || said.Problem != "" {
			t.Fatalf("%+v, %v", said, err)
		}
		last := grown[len(grown)-1].Generation
		if g := said.Generation; last == nil || last.Tokens > g.Tokens+1 || last.Drafted > g.Drafted || last.PromptTokens != g.PromptTokens || g.Layers < 1 || g.Kept != g.Layers {
			t.Errorf("counted %+v, and %+v while it grew", g, last)
		}
	}
	model, done, err := a.writer.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = done() }()
	asked, err := model.prompt(grepJob().Question, answer.ByRank(grepJob().Passages))
	if err != nil {
		t.Fatal(err)
	}
	result, err := model.write(t.Context(), model.outside(asked.ids), nil, func(string) error { return nil })
	if err != nil || result.Stats.Accepted() == 0 {
		t.Fatalf("%d accepted, %v; want some", result.Stats.Accepted(), err)
	}
	if got, want := model.watched.drafted(result.Text, result.Text), plainParts(result, model.Decoder.Tokenizer()); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("guessed %v of %q, want %v", got, result.Text, want)
	}
}

// TestGuessedPartsJoin: neighbours are one part, and what no token of a guess
// brought is none.
func TestGuessedPartsJoin(t *testing.T) {
	w := &watchedDrafter{}
	for _, piece := range []struct {
		bytes   int
		guessed bool
	}{{3, false}, {2, true}, {0, true}, {4, true}, {1, false}, {0, true}, {5, true}, {2, false}} {
		w.extend(piece.bytes, piece.guessed)
	}
	if want := []engine.Range{{Start: 3, End: 9}, {Start: 10, End: 15}}; !slices.Equal(w.guessed, want) || w.length != 17 {
		t.Errorf("%v of %d bytes", w.guessed, w.length)
	}
	for _, c := range []struct {
		text, shown string
		want        []engine.Range
	}{
		{"0123456789abcdefg", "0123456789abcdefg", []engine.Range{{Start: 3, End: 9}, {Start: 10, End: 15}}},
		{"0123456789abcdefg", "456789ab", []engine.Range{{Start: 0, End: 5}, {Start: 6, End: 8}}},
		{"0123456789abcdefg", "01", nil},
		{"0123456789abcdefg", "another text", nil},
		{"0123456789abcdefg", "", nil},
	} {
		if got := w.drafted(c.text, c.shown); !slices.Equal(got, c.want) {
			t.Errorf("%q of %q: %v, want %v", c.shown, c.text, got, c.want)
		}
	}
}
