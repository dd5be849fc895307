package generatebench

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/generate"
	"dowse/engine/kernel"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

func identityTiny(t *testing.T, o IdentityOptions) (*IdentityReport, error) {
	t.Helper()
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}()
	return Identity(t.Context(), o, k, silent)
}

// T-S1, T-S2: answers of random weights are the same with drafts, those to a
// prompt that must be cut too.
func TestS1_IdentityOfATinyModel(t *testing.T) {
	o := IdentityOptions{Options: tinyOptions(t)}
	o.Prompts = tinySpec(t)
	r, err := identityTiny(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.All != 4 || r.From != 0 || r.To != 4 || r.Cut != 1 || r.Err() != nil {
		t.Errorf("%+v, %v", r, r.Err())
	}
	for _, c := range []IdentityCount{r.Greedy, r.Sampled} {
		if c.Answers != 4 || c.Identical != 4 || c.Steps == 0 || c.Tokens < c.Steps {
			t.Errorf("%+v", c)
		}
	}
	o.From, o.To = 1, 3
	part, err := identityTiny(t, o)
	if err != nil || part.Greedy.Answers != 2 || part.Sampled.Identical != 2 {
		t.Errorf("a part: %+v, %v", part, err)
	}
	var text bytes.Buffer
	if err := part.Write(&text); err != nil || !strings.Contains(text.String(), "tiny: prompts 1 to 2 of 4") ||
		!strings.Contains(text.String(), "sampled: 2 of 2 answers are the same") {
		t.Errorf("%s, %v", text.String(), err)
	}
}

// T-S1, T-S2: a trained model on some of the prompts of Spec-Bench of each kind.
// All of them: dowse bench generate --identity.
func TestS1_IdentityOfATrainedModel(t *testing.T) {
	files, err := modeltest.Stories(filepath.Join(shared, "models", "stories260K"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the shared data is not there: %v", err)
	}
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "stories.pack")
	if err := errors.Join(err, modeltest.Write(folder, files), pack.Import(t.Context(), folder, path, nil)); err != nil {
		t.Fatal(err)
	}
	o := IdentityOptions{Options: Options{Pack: path, Model: "stories", Prompts: filepath.Join(shared, "traces", "spec-bench"), Tokens: 64, Rows: 16, Threads: 2}}
	for from := 0; from < 480; from += 80 {
		o.From, o.To = from, from+2
		r, err := identityTiny(t, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.All != 480 || r.Greedy.Identical != 2 || r.Sampled.Identical != 2 || r.Greedy.Accepted+r.Sampled.Accepted == 0 {
			t.Errorf("from prompt %d: %+v", from, r)
		}
	}
}

func TestIdentityTellsDifferences(t *testing.T) {
	var c IdentityCount
	plain := generate.Result{Tokens: []int32{1, 2, 3}, Finish: generate.MaxTokens}
	drafted := generate.Result{Tokens: []int32{1, 9, 3}, Finish: generate.MaxTokens}
	drafted.Stats.Steps = []generate.Step{{Nodes: 4, Emitted: 3}}
	if err := c.add(plain, drafted); err == nil || !strings.Contains(err.Error(), "token 2 of the answer is 9, want 2") {
		t.Errorf("another token: %v", err)
	}
	if err := c.add(plain, plain); err != nil {
		t.Errorf("the same: %v", err)
	}
	if want := (IdentityCount{Answers: 2, Identical: 1, Tokens: 6, Steps: 1, Drafted: 3, Accepted: 2}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	r := IdentityReport{Different: []string{"prompt 3, greedy: token 2", "prompt 4, greedy: token 9"}}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "\nprompt 4, greedy: token 9\n") {
		t.Errorf("%s, %v", text.String(), err)
	}
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "2 answers are not the same") || !strings.Contains(err.Error(), "prompt 3") {
		t.Errorf("%v", err)
	}
}

func TestIdentityTellsWhatIsWrong(t *testing.T) {
	good := IdentityOptions{Options: tinyOptions(t)}
	good.Prompts = tinySpec(t)
	for name, c := range map[string]struct {
		change func(o *IdentityOptions)
		want   string
	}{
		"no model":   {func(o *IdentityOptions) { o.Pack = "" }, "--identity wants a model"},
		"no prompts": {func(o *IdentityOptions) { o.Prompts = "" }, "--identity wants a model"},
		"tokens":     {func(o *IdentityOptions) { o.Tokens = 0 }, "--tokens wants a number from 1"},
		"from":       {func(o *IdentityOptions) { o.From = 4 }, "want a part of the 4 prompts"},
		"below 0":    {func(o *IdentityOptions) { o.From = -1 }, "want a part of the 4 prompts"},
		"backwards":  {func(o *IdentityOptions) { o.From, o.To = 2, 2 }, "want a part of the 4 prompts"},
		"to":         {func(o *IdentityOptions) { o.To = 5 }, "want a part of the 4 prompts"},
		"no room":    {func(o *IdentityOptions) { o.Tokens = 256 }, "leaves no room for prompts"},
		"no folder":  {func(o *IdentityOptions) { o.Prompts = t.TempDir() }, "there is no question.jsonl in"},
		"no pack":    {func(o *IdentityOptions) { o.Pack = "nosuch" }, "the model tiny cannot be used"},
	} {
		o := good
		c.change(&o)
		if _, err := identityTiny(t, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
