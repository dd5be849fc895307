package local

import (
	"testing"

	"dowse/engine"
	"dowse/internal/testanswer"
)

// What is read is told from the opening of the model to the last token of the
// prompt, once each, and nothing of it beside text or at the end.
func TestReadingIsTold(t *testing.T) {
	app := install(t, testanswer.WriterFiles(t))
	a, _ := newModelAnswerer(t, app)
	for _, opened := range []bool{false, true} {
		var told []engine.Reading
		job := grepJob()
		job.Observe = func(grown engine.Answer) {
			if grown.Reading == nil {
				return
			}
			if grown.Text != "" || grown.How != writer {
				t.Errorf("%+v while reading", grown)
			}
			told = append(told, *grown.Reading)
		}
		said, err := a.Answer(t.Context(), job)
		if err != nil || said.Reading != nil || said.How != writer {
			t.Fatalf("%+v, %v", said, err)
		}
		if opened { // the same prompt again: nothing is left to read
			if len(told) > 0 {
				t.Errorf("told %+v of a prompt in memory", told)
			}
			continue
		}
		if len(told) < 2 || told[0] != (engine.Reading{}) {
			t.Fatalf("told %+v, want the opening first", told)
		}
		for i, r := range told[1:] {
			if r.Passages != len(job.Passages) || r.Done >= r.Tokens || r.Tokens != said.Generation.PromptTokens-1 || r.Seconds <= 0 || i > 0 && r.Done <= told[i].Done {
				t.Errorf("%d: %+v of %+v", i, r, said.Generation)
			}
		}
	}
}
