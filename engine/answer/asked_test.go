package answer

import (
	"testing"

	"dowse/engine"
)

// TestReaderHasAFollowUpBeforeWhatItFollows: readers learned this wording.
func TestReaderHasAFollowUpBeforeWhatItFollows(t *testing.T) {
	for _, c := range []struct {
		job          engine.AnswerJob
		read, inFull string
	}{
		{engine.AnswerJob{Question: "What is DNS?"}, "what is dns", "What is DNS?"},
		{
			engine.AnswerJob{Question: "And who came?", Follows: []string{"why did the Boiler cut out", "what froze?"}},
			"and who came ; why did the boiler cut out what froze", "And who came why did the Boiler cut out what froze?",
		},
	} {
		m := &marker{}
		if _, err := NewExtractor(m).Quote(t.Context(), AskedIn(&c.job), []Passage{{Number: 1, Text: "It froze."}}); err != nil {
			t.Fatal(err)
		}
		if m.as != c.read {
			t.Errorf("read as %q, want %q", m.as, c.read)
		}
		if got := c.job.InFull(); got != c.inFull {
			t.Errorf("in full %q, want %q", got, c.inFull)
		}
	}
}

// TestFollowUpsHaveTheirOwnCalibration, where the reader has one.
func TestFollowUpsHaveTheirOwnCalibration(t *testing.T) {
	own := &Calibration{Bias: 1}
	alone, after := Asked{Question: "who"}, Asked{Question: "who", Follows: []string{"why"}}
	both, one := &Marks{FollowUps: own}, &Marks{}
	if both.of(alone) != &both.Calibration || both.of(after) != own || one.of(after) != &one.Calibration {
		t.Error("a question has the calibration of another kind")
	}
}
