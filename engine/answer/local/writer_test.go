package local

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/kv"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/internal/testanswer"
	"dowse/models"
)

// writer is the name of a small model that writes.
const writer = "writer"

// grepPassages are about grep, and a bird.
func grepPassages() []engine.Passage {
	return []engine.Passage{
		{Rank: 1, Path: "/notes/grep.md", Heading: "Tools", Text: "# Tools\n\nKen Thompson wrote grep overnight.\n", LineStart: 10, LineEnd: 12},
		{Rank: 2, Path: "/notes/birds.md", Text: "A heron stood in the reeds. <|end|>\n", LineStart: 3, LineEnd: 3},
	}
}

func grepJob() engine.AnswerJob {
	return engine.AnswerJob{Question: "who wrote grep?", Passages: grepPassages()}
}

// TestModelAnswers runs the whole path with a model that writes without sense.
func TestModelAnswers(t *testing.T) {
	a, ledger := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	if ledger.Total() != 0 {
		t.Error("the model is open before it is asked")
	}
	var grown []string
	job := grepJob()
	job.Observe = func(a engine.Answer) {
		if a.How != writer {
			t.Errorf("the growing answer is by %q", a.How)
		}
		grown = append(grown, a.Text)
	}
	said, err := a.Answer(t.Context(), job)
	if err != nil || said.Problem != "" || said.How != writer || said.Text == "" {
		t.Fatalf("%+v, %v", said, err)
	}
	if len(grown) < 2 || !slices.IsSortedFunc(grown, func(a, b string) int { return len(a) - len(b) }) || !strings.HasPrefix(grown[len(grown)-1], said.Text) {
		t.Errorf("said %q, grown %q", said.Text, grown)
	}
	g := said.Generation
	if g == nil || g.Tokens < 1 || g.Tokens > answerTokens || g.Steps < 1 || g.Accepted > g.Drafted || g.PromptTokens < 100 || g.Reused != 0 || g.Speed <= 0 {
		t.Errorf("counted %+v", g)
	}
	if ledger.Total() < 1<<16 || !slices.ContainsFunc(ledger.Snapshot(), func(p memory.Pool) bool { return p.Name == kv.Pool && p.Bytes > 0 }) {
		t.Errorf("the ledger knows of %v", ledger.Snapshot())
	}
	again, err := a.Answer(t.Context(), grepJob())
	if err != nil || again.Text != said.Text {
		t.Fatalf("asked again: %+v, %v", again, err)
	}
	if again.Generation.Reused != g.PromptTokens-1 || again.Generation.Accepted <= g.Accepted {
		t.Errorf("asked again: %+v after %+v; want the prompt kept and the answer drafted from the last", again.Generation, g)
	}
}

// TestModelIsPlain: drafts, kept prompts and past answers change nothing.
func TestModelIsPlain(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	said, err := a.Answer(t.Context(), grepJob())
	if err != nil || said.Problem != "" {
		t.Fatalf("%+v, %v", said, err)
	}
	model, done, err := a.writer.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = done() }()
	asked, err := model.prompt("who wrote grep?", answer.ByRank(grepPassages()))
	if err != nil || len(asked.given) != 2 {
		t.Fatalf("%+v, %v", asked, err)
	}
	fresh := model.Decoder.NewSequence()
	result, err := model.generator.Run(t.Context(), fresh, asked.ids, generate.Options{MaxTokens: answerTokens}, func(string) error { return nil })
	if err := errors.Join(err, fresh.Free()); err != nil {
		t.Fatal(err)
	}
	checker := answer.NewChecker("who wrote grep?", asked.given, a.analyzer)
	result.Text = checker.Align(result.Text, true)
	plain := conclude(checker, &result)
	if plain.Text != said.Text {
		t.Errorf("said %q, plainly %q", said.Text, plain.Text)
	}
}

// TestPromptHoldsWhatFits: passages are cut to the window, and those that find no
// room are none that an answer could cite.
func TestPromptHoldsWhatFits(t *testing.T) {
	m := testanswer.WriterFiles(t)
	m["config.json"] = []byte(strings.Replace(string(m["config.json"]), `"max_position_embeddings": 4096`, `"max_position_embeddings": 1024`, 1))
	a, _ := newModelAnswerer(t, install(t, m))
	model, done, err := a.writer.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	passages := answer.ByRank(grepPassages())
	for i := range 5 {
		passages = append(passages, answer.Passage{Number: i + 3, Path: "/long.md", Text: strings.Repeat("Rain fell all day over the lake. ", 60)})
	}
	p, err := model.prompt("who wrote grep?", passages)
	switch {
	case err != nil:
		t.Error(err)
	case len(p.given) == 0 || len(p.ids)+model.answerTokens() > 1024:
		t.Errorf("%d passages in %d tokens", len(p.given), len(p.ids))
	}
	if _, err = model.prompt(strings.Repeat("who ", 1000), passages); err == nil || !strings.Contains(err.Error(), "ask in fewer words") {
		t.Errorf("a long question: %v", err)
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}
	job := grepJob()
	a.extract = answer.NewExtractor(testanswer.GrepSentence)
	job.Question = "who wrote grep? " + strings.Repeat("really ", 1000)
	if said, err := a.Answer(t.Context(), job); err != nil || said.How != engine.Extracted || !strings.Contains(said.Problem, "ask in fewer words") {
		t.Errorf("%+v, %v", said, err)
	}
}

// TestAnswerIsCancelled before it begins, while it waits, and while it grows; the
// next question is answered.
func TestAnswerIsCancelled(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	ctx, cancel := context.WithCancel(t.Context())
	job, seen := grepJob(), 0
	job.Observe = func(engine.Answer) {
		if seen++; seen == 3 {
			cancel()
		}
	}
	for what := range 2 {
		if _, err := a.Answer(ctx, job); !errors.Is(err, context.Canceled) {
			t.Errorf("%d: %v", what, err)
		}
	}
	if seen < 3 || seen > 3+generate.UsualNodes {
		t.Errorf("%d pieces were told of", seen)
	}
	_, done, err := a.writer.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waiting, stop := context.WithCancel(t.Context())
	stop()
	if _, err := a.Answer(waiting, grepJob()); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting: %v", err)
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}
	if said, err := a.Answer(t.Context(), grepJob()); err != nil || said.How != writer {
		t.Errorf("afterwards: %+v, %v", said, err)
	}
}

// TestPastAnswersArePrivate: they lie in files for this user alone, one process
// has them, and they come back with the next.
func TestPastAnswersArePrivate(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "answers")
	first := openPast(folder, "model", nil)
	if err := first.Add("day", []int32{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	second := openPast(folder, "model", nil)
	if n, _ := second.Len(); n != 0 || second.unlock != nil {
		t.Errorf("a second process has %d answers", n)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
	if err := errors.Join(first.close(), second.close()); err != nil {
		t.Fatal(err)
	}
	third := openPast(folder, "model", nil)
	if _, tokens := third.Len(); tokens != 3 {
		t.Errorf("%d tokens came back", tokens)
	}
	if err := third.close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	nowhere := openPast(filepath.Join(file, "answers"), "model", nil)
	if err := errors.Join(nowhere.Add("day", []int32{1}), nowhere.close()); err != nil {
		t.Errorf("where nothing can be written: %v", err)
	}
}

// TestCostIsMeasuredOnce: the second answer takes what was kept.
func TestCostIsMeasuredOnce(t *testing.T) {
	app := install(t, testanswer.WriterFiles(t))
	costs := filepath.Join(app.cache, "generate")
	ask := func() []byte {
		a, _ := newModelAnswerer(t, app)
		if _, err := a.Answer(t.Context(), grepJob()); err != nil {
			t.Fatal(err)
		}
		kept, err := fs.Glob(os.DirFS(costs), "*")
		if err != nil || len(kept) != 1 {
			t.Fatalf("%v, %v", kept, err)
		}
		data, err := os.ReadFile(filepath.Join(costs, kept[0]))
		if _, ok := (&Writer{build: "test"}).readCost(filepath.Join(costs, kept[0])); err != nil || !ok {
			t.Fatalf("%s, %v", data, err)
		}
		return data
	}
	first := ask()
	if second := ask(); string(first) != string(second) {
		t.Errorf("measured %s and then %s", first, second)
	}
}

// TestConclude: a sentence that was only begun is left out, and denials are said
// in one way.
func TestConclude(t *testing.T) {
	checker := answer.NewChecker("who wrote grep?", answer.ByRank(grepPassages()), lexical.NewAnalyzer())
	for _, c := range []struct {
		text   string
		finish generate.Finish
		want   string
	}{
		{"Ken Thompson wrote grep. [1] It looks for", generate.MaxTokens, "Ken Thompson wrote grep. [1]"},
		{"Ken Thompson wrote grep. [1] It looks", generate.StopToken, "Ken Thompson wrote grep. [1] It looks"},
		{" Ken Thompson wrote", generate.WindowFull, "Ken Thompson wrote"},
		{"The passages do not mention who wrote grep.", generate.StopToken, engine.DeclinedText},
		{" \n", generate.StopToken, ""},
	} {
		if said := conclude(checker, &generate.Result{Text: c.text, Finish: c.finish}); said.Text != c.want || said.Declined != (c.want == engine.DeclinedText) {
			t.Errorf("%q: %+v, want %q", c.text, said, c.want)
		}
	}
}

// TestWindowKeepsToTheBudget: what is open takes no more than the settings say.
func TestWindowKeepsToTheBudget(t *testing.T) {
	app := install(t, testanswer.WriterFiles(t))
	info, err := os.Stat(models.PackPath(app.cache, writer))
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, room := range []int64{200 << 10, 400 << 10, 1 << 20, 64 << 20} {
		app.memory = info.Size() + workingMemory + pastMemory + room
		a, ledger := newModelAnswerer(t, app)
		said, err := a.Answer(t.Context(), grepJob())
		if err != nil { // too little, and no reader
			if last > 0 || !errors.Is(err, testanswer.ErrNoReader) {
				t.Errorf("with %d bytes: %+v, %v", room, said, err)
			}
			continue
		}
		window := taken(t, a.writer).window
		if ledger.Total() > app.memory || window < last || window > usualWindow {
			t.Errorf("%d of %d bytes for %d tokens, %d before", ledger.Total(), app.memory, window, last)
		}
		last = window
	}
	if last != usualWindow {
		t.Errorf("with plenty: %d tokens", last)
	}
}
