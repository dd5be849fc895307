package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/lexical"
	"dowse/engine/opened"
	"dowse/engine/weights"
	"dowse/internal/testanswer"
	"dowse/models"
	"dowse/models/modeltest"
)

// trained is the name of an answerer's job on the model writer.
const trained = "trained"

// adapterFor is the folder of an adapter for the model writer, with its dowse.json.
func adapterFor(t testing.TB, seed uint64, purpose string) string {
	t.Helper()
	files, err := modeltest.Adapter{Base: modeltest.Decoders()["llama"], Seed: seed}.Files()
	if err != nil {
		t.Fatal(err)
	}
	files["dowse.json"] = []byte(purpose)
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

// purposeOf is that of an answerer.
func purposeOf(declineFrom float64) string {
	return fmt.Sprintf(`{"role": "answerer", "prompt": "passages", "decline_from": %g, "short_first": true}`, declineFrom)
}

// installTrained is a home that answers by an adapter on the model writer.
func installTrained(t testing.TB, purpose string) *fixture {
	t.Helper()
	a := install(t, testanswer.WriterFiles(t))
	if err := a.add(t.Context(), trained, writer, adapterFor(t, 11, purpose)); err != nil {
		t.Fatal(err)
	}
	a.answerer = trained
	return a
}

// TestAdapterAnswers: a job answers with its adapter, in the words that plain
// decoding finds, and keeps its past and its costs apart from those of its base.
func TestAdapterAnswers(t *testing.T) {
	app := installTrained(t, purposeOf(1))
	a, _ := newModelAnswerer(t, app)
	said, err := a.Answer(t.Context(), grepJob())
	if err != nil || said.Problem != "" || said.How != trained || said.Declined {
		t.Fatalf("%+v, %v", said, err)
	}
	model, done, err := a.writer.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asked, err := model.prompt("who wrote grep?", answer.ByRank(grepPassages()))
	if err != nil {
		t.Fatal(err)
	}
	fresh := model.Decoder.NewSequence()
	result, err := model.generator.Run(t.Context(), fresh, asked.ids, generate.Options{MaxTokens: answerTokens, Refusal: model.refusal}, func(string) error { return nil })
	if err := errors.Join(err, fresh.Free()); err != nil {
		t.Fatal(err)
	}
	plain := conclude(answer.NewChecker("who wrote grep?", asked.given, a.analyzer), &result)
	if plain.Text != said.Text || result.Refusal <= 0 || result.Refusal >= 1 {
		t.Errorf("said %q, plainly %q, declining %g", said.Text, plain.Text, result.Refusal)
	}
	key := model.key
	if err := errors.Join(done(), a.writer.Close()); err != nil { // the folder of past answers is for one at a time
		t.Fatal(err)
	}

	app.answerer = writer
	b, _ := newModelAnswerer(t, app)
	base, err := b.Answer(t.Context(), grepJob())
	if err != nil || base.Text == said.Text {
		t.Errorf("without the adapter: %+v, %v", base, err)
	}
	if n, _ := taken(t, b.writer).past.Len(); n > 1 || taken(t, b.writer).key == key || taken(t, b.writer).refusal != nil {
		t.Errorf("the base has %d past answers, key %s", n, key)
	}
	for _, folder := range []string{filepath.Join(app.cache, "generate"), filepath.Join(app.data, "answers")} {
		entries, err := os.ReadDir(folder)
		entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == "lock" })
		if err != nil || len(entries) != 2 {
			t.Errorf("%s holds %v, %v; want a file for each", folder, entries, err)
		}
	}
}

// TestAdapterDeclines before a word is written, from the threshold that lies with
// it.
func TestAdapterDeclines(t *testing.T) {
	a, _ := newModelAnswerer(t, installTrained(t, purposeOf(1e-300)))
	job := grepJob()
	job.Observe = func(a engine.Answer) {
		if a.Text != "" || a.Quotation != nil || a.Reading == nil {
			t.Errorf("grew to %+v", a)
		}
	}
	said, err := a.Answer(t.Context(), job)
	if err != nil || !said.Declined || said.Text != engine.DeclinedText || said.Confidence != engine.None || said.How != trained || said.Problem != "" || len(said.Citations) != 0 {
		t.Fatalf("%+v, %v", said, err)
	}
	if g := said.Generation; g == nil || g.Tokens != 0 || g.Steps != 0 || g.FirstMillis <= 0 || g.PromptTokens < 100 {
		t.Errorf("counted %+v", g)
	}
	if n, _ := taken(t, a.writer).past.Len(); n != 0 {
		t.Errorf("%d refusals are remembered", n)
	}
	again, err := a.Answer(t.Context(), grepJob())
	if err != nil || !again.Declined || again.Generation.Reused != said.Generation.PromptTokens-1 {
		t.Errorf("asked again: %+v, %v", again, err)
	}
}

// TestAdapterIsReplaced under a model that is open: the next question is answered
// by the new one.
func TestAdapterIsReplaced(t *testing.T) {
	app := installTrained(t, purposeOf(1))
	a, _ := newModelAnswerer(t, app)
	before, err := a.Answer(t.Context(), grepJob())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		seed uint64
		from float64
	}{{12, 1}, {11, 1e-300}, {11, 1}} {
		if err := errors.Join(app.remove(trained), app.add(t.Context(), trained, writer, adapterFor(t, c.seed, purposeOf(c.from)))); err != nil {
			t.Fatal(err)
		}
		after, err := a.Answer(t.Context(), grepJob())
		if err != nil || after.Problem != "" || after.Declined != (c.from < 1) || (after.Text == before.Text) != (c.seed == 11 && c.from == 1) {
			t.Errorf("seed %d, from %g: %+v, %v; before %q", c.seed, c.from, after, err, before.Text)
		}
	}
}

// TestAdapterWithoutItsBase answers by extraction and says what to do.
func TestAdapterWithoutItsBase(t *testing.T) {
	app := installTrained(t, purposeOf(0.5))
	if err := app.remove(writer); err != nil {
		t.Fatal(err)
	}
	a, _ := newModelAnswerer(t, app)
	requireExtracted(t, a, "the model trained cannot be used: it stands on the model writer, which is not installed; run dowse models add writer with its files")
}

// TestAdapterKeepsToTheBudget: what it takes in memory counts.
func TestAdapterKeepsToTheBudget(t *testing.T) {
	app := install(t, testanswer.WriterFiles(t))
	files, err := modeltest.Adapter{Base: modeltest.Decoders()["llama"], Rank: 256}.Files()
	if err != nil {
		t.Fatal(err)
	}
	large := t.TempDir()
	if err := errors.Join(modeltest.Write(large, files), app.addAsked(t.Context(), trained, writer, large, models.PassagesPrompt)); err != nil {
		t.Fatal(err)
	}
	m, err := app.find(trained)
	if err != nil {
		t.Fatal(err)
	}
	added, err := m.AdapterMemory()
	if err != nil || added < 100<<10 {
		t.Fatal(added, err)
	}
	model, err := opened.Measure(m)
	if err != nil {
		t.Fatal(err)
	}
	model.Config.MaxTokens, model.Resident = min(usualWindow, model.Config.MaxTokens), 0 // all that the other one takes
	logits := int64(4 * generate.UsualNodes * model.Config.Vocabulary)
	app.memory = Beside + logits + weights.Wanted(model, app.machine(t).Threads, weights.Work{Conversation: model.Config.MaxTokens})
	windows := map[string]int{}
	for _, name := range []string{trained, writer} {
		app.answerer = name
		a, ledger := newModelAnswerer(t, app)
		if said, err := a.Answer(t.Context(), grepJob()); err != nil || said.Problem != "" || ledger.Total() > app.memory {
			t.Fatalf("%s: %+v, %v; %d of %d bytes", name, said, err, ledger.Total(), app.memory)
		}
		windows[name] = taken(t, a.writer).window
	}
	if windows[trained] >= windows[writer] {
		t.Errorf("windows %v: the adapter counts for nothing", windows)
	}
}

// TestAdapterThatDoesNotFit is refused when it is added, and leaves nothing.
func TestAdapterThatDoesNotFit(t *testing.T) {
	a := install(t, testanswer.WriterFiles(t))
	mute := testanswer.WriterFiles(t)
	delete(mute, "tokenizer_config.json")
	silent := t.TempDir()
	if err := errors.Join(modeltest.Write(silent, mute), a.add(t.Context(), "mute", silent, "")); err != nil {
		t.Fatal(err)
	}
	narrow := modeltest.Decoders()["llama"]
	narrow.Hidden = 16
	files, err := modeltest.Adapter{Base: narrow, Seed: 1}.Files()
	if err != nil {
		t.Fatal(err)
	}
	files["dowse.json"] = []byte(purposeOf(0.5))
	other := t.TempDir()
	if err := modeltest.Write(other, files); err != nil {
		t.Fatal(err)
	}
	cut := adapterFor(t, 3, purposeOf(0.5))
	weights := filepath.Join(cut, "adapter_model.safetensors")
	info, err := os.Stat(weights)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(weights, info.Size()-1); err != nil {
		t.Fatal(err)
	}
	lacking := adapterFor(t, 3, purposeOf(0.5))
	if err := os.Remove(filepath.Join(lacking, "adapter_config.json")); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct{ base, adapter string }{
		"of another base":  {writer, other},
		"cut":              {writer, cut},
		"lacking":          {writer, lacking},
		"threshold":        {writer, adapterFor(t, 3, purposeOf(1.01))},
		"without template": {"mute", adapterFor(t, 3, purposeOf(0.5))},
		"no such base":     {"nosuch", adapterFor(t, 3, purposeOf(0.5))},
	} {
		says := map[string]string{
			"of another base": "q_proj.lora_A.weight: shapes [2 16]", "cut": "adapter_model.safetensors: ", "lacking": "there is no adapter_config.json in it",
			"threshold": "dowse.json: decline_from is 1.01; a probability is from 0 to 1", "without template": "the model has no chat template",
			"no such base": "nosuch is neither a file or folder nor an installed model",
		}[want]
		err := a.add(t.Context(), trained, c.base, c.adapter)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want %q", want, err, says)
		}
		if _, err := os.Stat(filepath.Join(a.cache, "models", trained)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: something is left: %v", want, err)
		}
	}
}

// TestShortIsRead of models that are trained to begin with it, and of no others.
func TestShortIsRead(t *testing.T) {
	checker := answer.NewChecker("who wrote grep?", answer.ByRank(grepPassages()), lexical.NewAnalyzer())
	said := checker.Check("Ken Thompson. [1] Ken Thompson wrote grep overnight. [1]", true)
	o := &Model{}
	if got := answer.Shown(o.markShort(checker, said), trained); got.Short != "" || got.Highlights != nil {
		t.Errorf("untrained: %q at %v", got.Short, got.Highlights)
	}
	o.purpose.ShortFirst = true
	got := answer.Shown(o.markShort(checker, said), trained)
	if got.Short != "Ken Thompson" || len(got.Highlights) != 1 || got.Text[got.Highlights[0].Start:got.Highlights[0].End] != "Ken Thompson" {
		t.Errorf("%q at %v of %q", got.Short, got.Highlights, got.Text)
	}
}
