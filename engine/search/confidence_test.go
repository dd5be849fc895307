package search

import (
	"errors"
	"testing"

	"dowse/engine"
)

// TestConfidence lets answers come with every confidence, and without.
func TestConfidence(t *testing.T) {
	doubt := []engine.AnswerSentence{{Range: engine.Range{Start: 0, End: 5}, Unsupported: []engine.Unsupported{{Range: engine.Range{Start: 0, End: 5}}}}}
	for _, tt := range []struct {
		name string
		says engine.Answer
		err  error

		confidence engine.Confidence
		caveat     string
	}{
		{"sure", engine.Answer{Text: "Heron.", How: engine.Extracted, Confidence: engine.Sure}, nil, engine.Sure, ""},
		{"nearest", engine.Answer{Text: "Heron.", How: engine.Extracted, Confidence: engine.Perhaps}, nil, engine.Perhaps, "Perhaps; this is the nearest that your files say"},
		{"written and uncertain", engine.Answer{Text: "Heron.", How: "m", Confidence: engine.Perhaps}, nil, engine.Perhaps, "Perhaps; your files do not say all of this"},
		{"none", engine.Answer{Text: engine.DeclinedText, Confidence: engine.None}, nil, engine.None, ""},
		{"declined without a confidence", engine.Answer{Text: engine.DeclinedText, Declined: true}, nil, engine.None, ""},
		{"declined, and yet sure", engine.Answer{Text: engine.DeclinedText, Declined: true, Confidence: engine.Sure}, nil, engine.None, ""},
		{"supported, without a confidence", engine.Answer{Text: "Heron.", How: "m"}, nil, engine.Sure, ""},
		{"doubtful, without a confidence", engine.Answer{Text: "Heron.", How: "m", Sentences: doubt}, nil, engine.Perhaps, "Perhaps; your files do not say all of this"},
		{"no answer", engine.Answer{}, errors.New("the pack vanished"), "", ""},
	} {
		r, _ := asked(t, &teller{says: tt.says, err: tt.err}, "heron")
		a := r.Answer
		if a.Confidence != tt.confidence || a.Declined != (tt.confidence == engine.None) || a.Caveat() != tt.caveat {
			t.Errorf("%s: %q, declined %v, %q", tt.name, a.Confidence, a.Declined, a.Caveat())
		}
	}
	if r, _ := asked(t, &teller{}, "heron ext:pdf"); r.Answer.Confidence != engine.None || !r.Answer.Declined {
		t.Errorf("from nothing: %+v", r.Answer)
	}
}
