package local

import (
	"errors"
	"os"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/internal/testanswer"
	"dowse/models"
	"dowse/models/modeltest"
)

// TestAnswersGoOnWithoutTheModel: whatever is wrong with it, the extracted
// answer comes, and a sentence says why and what to do.
func TestAnswersGoOnWithoutTheModel(t *testing.T) {
	pathOf := func(a *fixture) string { return models.PackPath(a.cache, writer) }
	damage := func(a *fixture) error {
		data, err := os.ReadFile(pathOf(a))
		if err != nil {
			return err
		}
		data[len(data)/2] ^= 0x10
		return os.WriteFile(pathOf(a), data, 0o600)
	}
	for what, c := range map[string]struct {
		spoil func(a *fixture) error
		says  string
	}{
		"missing":   {func(a *fixture) error { return os.Remove(pathOf(a)) }, "is not installed"},
		"truncated": {func(a *fixture) error { return os.Truncate(pathOf(a), 5000) }, "cut short"},
		"foreign":   {func(a *fixture) error { return os.WriteFile(pathOf(a), []byte("not a pack"), 0o600) }, "not a dowse pack"},
		"damaged":   {damage, "the checksum of block"},
		"too large": {func(a *fixture) error { a.memory = 1 << 20; return nil }, "by the setting memory"},
	} {
		t.Run(what, func(t *testing.T) {
			app := install(t, testanswer.WriterFiles(t))
			if err := c.spoil(app); err != nil {
				t.Fatal(err)
			}
			a, _ := newModelAnswerer(t, app)
			requireExtracted(t, a, c.says)
		})
	}
}

// requireExtracted asks and wants an answer in the words of a passage, and a
// sentence about the model.
func requireExtracted(t *testing.T, a *Answerer, says string) {
	t.Helper()
	quoting := *a
	quoting.extract = answer.NewExtractor(testanswer.GrepSentence)
	said, err := quoting.Answer(t.Context(), grepJob())
	if err != nil || said.How != engine.Extracted || !strings.HasPrefix(said.Text, "Ken Thompson wrote grep overnight. [1]") || said.Generation != nil {
		t.Fatalf("%+v, %v", said, err)
	}
	for _, want := range []string{"without the model", says, "dowse models use extract"} {
		if !strings.Contains(said.Problem, want) {
			t.Errorf("said %q, want %q in it", said.Problem, want)
		}
	}
}

// TestModelsThatCannotAnswer: one without a template, one with a template that is
// not supported, one whose window is too small for any question, one that makes vectors.
func TestModelsThatCannotAnswer(t *testing.T) {
	mute, strange, narrow := testanswer.WriterFiles(t), testanswer.WriterFiles(t), testanswer.WriterFiles(t)
	narrow["config.json"] = []byte(strings.Replace(string(narrow["config.json"]), `"max_position_embeddings": 4096`, `"max_position_embeddings": 100`, 1))
	delete(mute, "tokenizer_config.json")
	strange["tokenizer_config.json"] = []byte(`{"chat_template": "{% macro x() %}{% endmacro %}{{ x() }}"}`)
	encoder, err := modeltest.Files()
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		files map[string][]byte
		says  string
	}{
		"no template": {mute, "has no chat template"}, "template": {strange, "function x is not supported"}, "window": {narrow, "it reads too little at once to answer"}, "encoder": {encoder, "is an embedder, and writes nothing"},
	} {
		t.Run(what, func(t *testing.T) {
			a, _ := newModelAnswerer(t, install(t, c.files))
			requireExtracted(t, a, c.says)
		})
	}
}

// TestModelChangesBetweenQuestions: a file that was damaged is seen, and one that
// is whole again is used.
func TestModelChangesBetweenQuestions(t *testing.T) {
	app := install(t, testanswer.WriterFiles(t))
	a, _ := newModelAnswerer(t, app)
	before, err := a.Answer(t.Context(), grepJob())
	if err != nil || before.How != writer {
		t.Fatalf("%+v, %v", before, err)
	}
	path := models.PackPath(app.cache, writer)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// By another file of that name: what is under a mapping stays.
	replace := func(data []byte) {
		if err := errors.Join(os.WriteFile(path+".new", data, 0o600), os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
	}
	replace(whole[:len(whole)-1])
	requireExtracted(t, a, "cut short")
	replace(whole)
	if again, err := a.Answer(t.Context(), grepJob()); err != nil || again.Text != before.Text {
		t.Errorf("whole again: %+v, %v", again, err)
	}
}
