package engine

import (
	"testing"
	"time"
)

// TestModelSpeed says no more than is known of a model.
func TestModelSpeed(t *testing.T) {
	for want, m := range map[string]Model{
		"":                                  {Job: Embeds, Name: "e"},
		"203 passages/s":                    {Job: Embeds, Rate: 203.4, Measured: true},
		"about 20 passages/s":               {Job: Embeds, Rate: 20},
		"runs streamed":                     {Job: Answers, Way: Streamed},
		"runs resident, about 3.8 tokens/s": {Job: Answers, Way: Resident, Rate: 3.8},
		"runs resident, 28 tokens/s":        {Job: Answers, Way: Resident, Rate: 28.2, Measured: true},
		"answers in about 14 s":             {Job: Answers, Seconds: 13.7},
		"answers in about 1 s":              {Job: Answers, Seconds: .2},
	} {
		if got := m.Speed(); got != want {
			t.Errorf("%+v: %q, want %q", m, got, want)
		}
	}
}

func TestModelPullText(t *testing.T) {
	for want, p := range map[string]ModelPull{
		"import x":                             {Step: "import x"},
		"get x: 2.0 MB":                        {Step: "get x", Done: 2_000_000},
		"get x: 2.0 MB of 4.0 MB, 1.0 MB/s":    {Step: "get x", Done: 2_000_000, Total: 4_000_000, Rate: 1_000_000, Quiet: time.Second},
		"get x: 0 B of 4.0 MB, nothing for 4s": {Step: "get x", Total: 4_000_000, Quiet: 4*time.Second + 200*time.Millisecond},
		"pip x, 7s so far":                     {Step: "pip x", Took: 7*time.Second + 1},
	} {
		if got := p.String(); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}
