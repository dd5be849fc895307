package cli

import (
	"strings"
	"testing"

	"dowse/engine"
)

// TestQueryThatAsksForNothing: whatever signs a line without a word is made of, it is refused
// with what to do, and as an empty one is.
func TestQueryThatAsksForNothing(t *testing.T) {
	for _, line := range []string{"", " ", `"`, `""`, "()", "-", `-"`, "title:", "tag: -ext:", "=> …", "\x1b["} {
		err := checkQuery(line)
		if err == nil || !strings.Contains(err.Error(), `ask something, such as dowse -q "fix the dns"`) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", line, err)
		}
	}
	for _, line := range []string{"AND", `"()"`, "-router", "ext:md", "x ()", "after:nonsense"} {
		if err := checkQuery(line); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestNothingFoundNamesThePhrase(t *testing.T) {
	for unmatched, want := range map[string]string{
		"":                  "nothing found",
		"\"a\x1bb\" -heron": "nothing found: no passage matches \"a␛b\" -heron; plain words alone find the nearest passages",
	} {
		if got := nothingText(&engine.Stats{Unmatched: unmatched}); got != want {
			t.Errorf("%q: %s", unmatched, got)
		}
	}
}
