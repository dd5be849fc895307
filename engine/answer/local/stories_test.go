package local

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

// storyTurns is a template after which a story goes on.
const storyTurns = `{"chat_template": "{% for m in messages %}{{ m.content }}\n{% endfor %}Once upon a time"}`

// storiesFiles are stories260K as a Hugging Face folder, or the test is skipped.
func storiesFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := modeltest.Stories(filepath.Join("..", "..", "..", "..", "shared", "data", "models", "stories260K"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the shared data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	files["tokenizer_config.json"] = []byte(storyTurns)
	return files
}

// TestAnswerOfATrainedModel: asked whatever, the model tells its kind of story,
// word by word, within its window of 512 tokens.
func TestAnswerOfATrainedModel(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, storiesFiles(t)))
	said, err := a.Answer(t.Context(), grepJob())
	if err != nil || said.Problem != "" {
		t.Fatalf("%+v, %v", said, err)
	}
	g := said.Generation
	t.Logf("%d tokens in %d steps, %d of %d drafted accepted: %s", g.Tokens, g.Steps, g.Accepted, g.Drafted, said.Text)
	if !strings.Contains(said.Text, " was ") || !strings.Contains(said.Text, " her ") || strings.ContainsAny(said.Text, "▁\uFFFD") {
		t.Errorf("this is no story: %q", said.Text)
	}
	if g.Tokens < 20 || len(said.Sentences) == 0 || len(said.Sentences[0].Unsupported) == 0 {
		t.Errorf("a story that no passage tells passes for an answer: %+v", said)
	}
}
