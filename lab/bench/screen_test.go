//go:build unix

package bench

import (
	"strings"
	"testing"
	"time"
)

// TestScreen measures a shell that starts late and draws what is typed behind its prompt, and
// says of one that draws something else that nothing was seen.
func TestScreen(t *testing.T) {
	opts := ScreenOptions{
		Command: []string{"sh", "-c", `sleep 0.3; printf '> '; cat >/dev/null`}, Width: 40, Height: 5, Prompt: "> ", Text: "ab c", Clear: "\n\x1b[H> ",
		Rounds: 1, Settle: 150 * time.Millisecond, Idle: 20 * time.Millisecond,
	}
	none := func(string, int, int) {}
	report, err := Screen(t.Context(), opts, none)
	if err != nil {
		t.Skipf("no terminal here: %v", err)
	}
	if report.Keys != 4 || report.Lost != 0 || report.P99 < report.Median || report.KeyBytes <= 0 || report.IdleBytes != 0 {
		t.Errorf("%+v", report)
	}
	opts.Prompt = "$ "
	opts.Text = "a"
	if _, err := Screen(t.Context(), opts, none); err == nil || !strings.Contains(err.Error(), `nothing that was typed was seen behind "$ "`) {
		t.Errorf("%v", err)
	}
}
