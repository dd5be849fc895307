package measure_test

import (
	"strings"
	"testing"

	"dowse/internal/measure"
)

// TestEvaluateNotes: questions that a note answers are asked, and that note is
// what they look for, by its path, however many passages it has.
func TestEvaluateNotes(t *testing.T) {
	a := newApp(t)
	dir := notes(t, map[string]string{
		"notes/unix/grep.md":  "# grep\n\nKen Thompson wrote grep in one night.\n\n## Name\n\n" + strings.Repeat("The name is a command of ed. ", 60) + "\n",
		"notes/garden/log.md": "# Garden\n\nMildew on the courgettes: milk and water.\n",
		"notes/empty.bin":     "\x00",
		"questions.jsonl": `{"question": "who wrote grep?", "path": "unix/grep.md"}
{"question": "what helps against mildew", "path": "garden/log.md"}
{"question": "who wrote sed?", "path": null, "about": "unix/grep.md"}
`,
	})
	report := evaluated(t, a, dir, measure.EvalOptions{Stages: []string{"lexical", "rerank"}})
	if report.Documents != 2 || report.Queries != 2 {
		t.Errorf("%d documents and %d queries", report.Documents, report.Queries)
	}
	for stage, s := range report.Stages {
		if s.MRR10 != 1 || s.NDCG10 != 1 || s.Recall5 != 1 {
			t.Errorf("%s: %+v", stage, s.Scores)
		}
	}
	if s := report.Stages["rerank"]; s.FullLayers == 0 {
		t.Errorf("reranking took no layers: %+v", s)
	}
}

func TestEvaluateNotesRefuses(t *testing.T) {
	a := newApp(t)
	unanswered := notes(t, map[string]string{"notes/a.md": "a\n", "questions.jsonl": "{\"question\": \"who\"}\n"})
	without := notes(t, map[string]string{"questions.jsonl": "{\"question\": \"who\", \"path\": \"a.md\"}\n"})
	for want, try := range map[string]struct {
		dir  string
		opts measure.EvalOptions
	}{
		"names the note that answers": {dir: unanswered},
		"in the folder notes of":      {dir: without},
		"collections in BEIR layout":  {dir: unanswered, opts: measure.EvalOptions{Exact: true}},
	} {
		try.opts.Stages = []string{"lexical"}
		if _, err := a.Evaluate(t.Context(), try.dir, try.opts, func(string, int, int) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
