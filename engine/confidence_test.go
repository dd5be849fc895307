package engine

import (
	"errors"
	"testing"
)

// TestConfidence lets answers come with every confidence, and without.
func TestConfidence(t *testing.T) {
	doubt := []AnswerSentence{{Range: Range{0, 5}, Unsupported: []Unsupported{{Range: Range{0, 5}}}}}
	for _, tt := range []struct {
		name string
		says Answer
		err  error

		confidence Confidence
		caveat     string
	}{
		{"sure", Answer{Text: "Heron.", How: Extracted, Confidence: Sure}, nil, Sure, ""},
		{"nearest", Answer{Text: "Heron.", How: Extracted, Confidence: Perhaps}, nil, Perhaps, "Perhaps; this is the nearest that your files say"},
		{"written and uncertain", Answer{Text: "Heron.", How: "m", Confidence: Perhaps}, nil, Perhaps, "Perhaps; your files do not say all of this"},
		{"none", Answer{Text: DeclinedText, Confidence: None}, nil, None, ""},
		{"declined without a confidence", Answer{Text: DeclinedText, Declined: true}, nil, None, ""},
		{"declined, and yet sure", Answer{Text: DeclinedText, Declined: true, Confidence: Sure}, nil, None, ""},
		{"supported, without a confidence", Answer{Text: "Heron.", How: "m"}, nil, Sure, ""},
		{"doubtful, without a confidence", Answer{Text: "Heron.", How: "m", Sentences: doubt}, nil, Perhaps, "Perhaps; your files do not say all of this"},
		{"no answer", Answer{}, errors.New("the pack vanished"), "", ""},
	} {
		r, _ := asked(t, &teller{says: tt.says, err: tt.err}, "heron")
		a := r.Answer
		if a.Confidence != tt.confidence || a.Declined != (tt.confidence == None) || a.Caveat() != tt.caveat {
			t.Errorf("%s: %q, declined %v, %q", tt.name, a.Confidence, a.Declined, a.Caveat())
		}
	}
	if r, _ := asked(t, &teller{}, "heron ext:pdf"); r.Answer.Confidence != None || !r.Answer.Declined {
		t.Errorf("from nothing: %+v", r.Answer)
	}
}
