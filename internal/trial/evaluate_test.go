package trial_test

import (
	"os"
	"strings"
	"testing"

	"dowse/internal/app"
	"dowse/internal/testcache"
	"dowse/internal/testenv"
	"dowse/internal/trial"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

func newApp(t *testing.T) *app.App {
	t.Helper()
	testcache.Home(t)
	a, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func silent(string, int, int) {}

// TestEvaluateNotes: questions that a note answers are asked, and that note is
// what they look for, by its path, however many passages it has.
func TestEvaluateNotes(t *testing.T) {
	a := newApp(t)
	dir := testenv.Folder(t, map[string]string{
		"notes/unix/grep.md":  "# grep\n\nKen Thompson wrote grep in one night.\n\n## Name\n\n" + strings.Repeat("The name is a command of ed. ", 60) + "\n",
		"notes/garden/log.md": "# Garden\n\nMildew on the courgettes: milk and water.\n",
		"notes/empty.bin":     "\x00",
		"questions.jsonl": `{"question": "who wrote grep?", "path": "unix/grep.md"}
{"question": "what helps against mildew", "path": "./garden/log.md"}
{"question": "who wrote sed?", "path": null, "about": "unix/grep.md"}
`,
	})
	report, err := trial.Evaluate(t.Context(), a, dir, []string{"lexical", "rerank"}, 0, silent)
	if err != nil {
		t.Fatal(err)
	}
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
	unanswered := testenv.Folder(t, map[string]string{"notes/a.md": "a\n", "questions.jsonl": "{\"question\": \"who\"}\n"})
	astray := func(path string) string {
		return testenv.Folder(t, map[string]string{"notes/a.md": "a\n", "b.md": "b\n", "questions.jsonl": "{\"question\": \"who\", \"path\": \"" + path + "\"}\n"})
	}
	without := testenv.Folder(t, map[string]string{"questions.jsonl": "{\"question\": \"who\", \"path\": \"a.md\"}\n"})
	for want, dir := range map[string]string{
		"names the note that answers":  unanswered,
		"in the folder notes of":       without,
		"questions.jsonl":              t.TempDir(),
		`"c.md" of the question "who"`: astray("c.md"),
		`"../b.md" of the question`:    astray("../b.md"),
		`"." of the question`:          astray("./"),
	} {
		if _, err := trial.Evaluate(t.Context(), a, dir, []string{"lexical"}, 0, silent); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := trial.Evaluate(t.Context(), a, unanswered, []string{"tea"}, 0, silent); err == nil || !strings.Contains(err.Error(), "choose from") {
		t.Errorf("a stage that is none: %v", err)
	}
}
