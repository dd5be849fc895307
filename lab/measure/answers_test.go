package measure_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/config"
	"dowse/internal/testenv"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// judgedNotes is a folder with notes and questions about them.
func judgedNotes(t *testing.T) string {
	t.Helper()
	return testenv.Folder(t, map[string]string{
		"notes/unix/grep.md": "# Who wrote grep\n\nKen Thompson wrote grep overnight, in 1973.\n",
		"notes/bike.md":      "# Bike\n\nThe bike takes nine litres of oil.\n",
		"questions.jsonl": `{"question": "who wrote grep?", "kind": "who", "path": "unix/grep.md", "quotes": ["Ken Thompson wrote grep"], "must": ["thompson"]}
{"question": "how much oil does the bike take?", "kind": "number", "path": "bike.md", "quotes": ["nine litres of oil"], "must": ["nine"]}
{"question": "what did the ferry to Harwich cost?", "kind": "number", "path": null, "quotes": []}
`,
	})
}

// trials are the homes that BenchAnswers made and did not remove. Temporary files
// go to a folder of the test's own.
func trials(t *testing.T) func() []string {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp) // of Windows
	return func() []string {
		left, err := filepath.Glob(filepath.Join(temp, "*"))
		if err != nil {
			t.Error(err)
		}
		return left
	}
}

// fastAnswers asks without the reranker, which takes seconds.
func fastAnswers() measure.AnswersOptions {
	return measure.AnswersOptions{Stages: "hybrid", Depth: 8}
}

// TestBenchAnswers asks the server of the settings, whose answer is known, and the
// sentences of the passages.
func TestBenchAnswers(t *testing.T) {
	a, left := newApp(t), trials(t)
	server := endpointtest.Start("It was Ken Thompson.")
	t.Cleanup(server.Close)
	a.Config.Endpoint = config.Endpoint{URL: server.URL, Model: "good"}
	opts := fastAnswers()
	opts.Answerers, opts.Show = []string{config.FromEndpoint, config.Extract}, true
	r, err := a.Answers(t.Context(), judgedNotes(t), opts, ignore)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Answerers) != 2 || r.Questions != 3 || r.Stages != "hybrid" || r.Unread != nil {
		t.Fatalf("report %+v", r)
	}
	server1, extract := r.Answerers[0], r.Answerers[1]
	// The server says the same of everything: where the passages do not hold it, the quotation stands.
	want := bench.AnswerCounts{Answerable: 2, Right: 2, Note: 2, Evidence: 2, Quote: 2, Unanswerable: 1, DeclinedRight: 1}
	if server1.Answerer != config.FromEndpoint || server1.All != want || server1.Problems != 0 {
		t.Errorf("the server: %+v\nwant %+v", server1, want)
	}
	judged := extract.All.Right + extract.All.Wrong + extract.All.PerhapsRight + extract.All.PerhapsWrong + extract.All.DeclinedWrong
	if extract.Answerer != config.Extract || judged != 2 || extract.All.Note != 2 ||
		extract.Answers[0].Said == server1.Answers[0].Said {
		t.Errorf("extract: %+v", extract)
	}
	if !(server1.Search > 0 && server1.Answer > 0) {
		t.Errorf("times %g and %g", server1.Search, server1.Answer)
	}
	if got := left(); len(got) > 0 {
		t.Errorf("left behind: %q", got)
	}
	if _, err := os.Stat(a.Home.Index()); err == nil {
		t.Error("the person's own index was made")
	}
}

func TestBenchAnswersLists(t *testing.T) {
	a, left := newApp(t), trials(t)
	opts := fastAnswers()
	opts.Lists, opts.Depth = filepath.Join(t.TempDir(), "lists.jsonl"), 1
	if r, err := a.Answers(t.Context(), judgedNotes(t), opts, ignore); r != nil || err != nil {
		t.Fatalf("lists alone: %+v, %v", r, err)
	}
	data, err := os.ReadFile(opts.Lists)
	if err != nil {
		t.Fatal(err)
	}
	var first bench.List
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil {
		t.Fatal(err)
	}
	if len(lines) != 3 || len(first.Passages) != 1 || first.Passages[0].Path != "unix/grep.md" || len(first.Passages[0].Pieces) != 2 {
		t.Errorf("%d lists, the first %+v", len(lines), first)
	}
	if got, _ := filepath.Glob(opts.Lists + "?*"); len(got)+len(left()) > 0 {
		t.Errorf("left behind: %q %q", got, left())
	}
}

// TestBenchAnswersStopped ends it in each phase: nothing is left.
func TestBenchAnswersStopped(t *testing.T) {
	for _, in := range []string{"indexing", "searching", "asking extract"} {
		t.Run(in, func(t *testing.T) {
			a, left := newApp(t), trials(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			opts, folder := fastAnswers(), t.TempDir()
			opts.Answerers, opts.Lists = []string{config.Extract}, filepath.Join(folder, "lists.jsonl")
			_, err := a.Answers(ctx, judgedNotes(t), opts, func(phase string, _, _ int) {
				if phase == in {
					cancel()
				}
			})
			if err == nil || ctx.Err() == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
				t.Errorf("stopped: %v", err)
			}
			if got := left(); len(got) > 0 {
				t.Errorf("left behind: %q", got)
			}
			files, err := filepath.Glob(filepath.Join(folder, "*"))
			if whole := in == "asking extract"; err != nil || whole != slices.Equal(files, []string{opts.Lists}) || !whole && len(files) > 0 {
				t.Errorf("lists left behind: %q, %v", files, err)
			}
		})
	}
}

// TestBenchAnswersRefuses: what cannot be measured is said before anything is
// indexed, but for notes without text.
func TestBenchAnswersRefuses(t *testing.T) {
	a, folder := newApp(t), judgedNotes(t)
	damaged := testenv.Folder(t, map[string]string{"notes/a.md": "a\n", "questions.jsonl": "{\"question\": \"a\"}\n{\"question\": \n"})
	empty := testenv.Folder(t, map[string]string{"notes/a.bin": "\x00\x01", "questions.jsonl": "{\"question\": \"a\"}\n"})
	nowhere, bare := t.TempDir(), testenv.Folder(t, map[string]string{"questions.jsonl": "{\"question\": \"a\"}\n"})
	left := trials(t)
	for _, c := range []struct {
		dir    string
		change func(o *measure.AnswersOptions)
		want   string
	}{
		{damaged, nil, "questions.jsonl, line 2: "},
		{empty, nil, "holds no text that would be indexed"},
		{nowhere, nil, "write a question on each line of it"},
		{bare, nil, "lie in the folder notes of"},
		{folder, func(o *measure.AnswersOptions) { o.Stages = "fast" }, "--stages fast: want one of"},
		{folder, func(o *measure.AnswersOptions) { o.Depth = 0 }, "--depth 0: want a number from 1"},
		{folder, func(o *measure.AnswersOptions) { o.Answerers = []string{"nosuch"} }, "--answerer nosuch: the model nosuch is not installed"},
		{folder, func(o *measure.AnswersOptions) { o.Answerers = []string{config.DefaultModel} }, "it is an embedder; name an answerer, or extract"},
		{folder, func(o *measure.AnswersOptions) { o.Answerers = []string{config.FromEndpoint} }, "the settings use no server"},
	} {
		opts := fastAnswers()
		if c.change != nil {
			c.change(&opts)
		}
		if _, err := a.Answers(t.Context(), c.dir, opts, ignore); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if got := left(); len(got) > 0 {
		t.Errorf("left behind: %q", got)
	}
}
