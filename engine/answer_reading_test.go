package engine

import (
	"math"
	"testing"
)

func TestReadingText(t *testing.T) {
	for want, r := range map[string]Reading{
		"reading 5 passages, 2 s":   {Tokens: 640, Passages: 5, Seconds: 1.2},
		"being opened":              {},
		"reading 1 passage, 1 s":    {Tokens: 640, Passages: 1, Seconds: 0.1},
		"reading 3 passages":        {Tokens: 640, Passages: 3},
		"reading 4 passages":        {Tokens: 640, Passages: 4, Seconds: math.Inf(1)},
		"reading 2 passages, 140 s": {Tokens: 640, Passages: 2, Seconds: 139.5},
	} {
		if got := r.Text(); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}
