package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/kernel"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// tinyWriter returns the pack of a decoder with random weights, without some of its
// files.
func tinyWriter(t *testing.T, without ...string) string {
	t.Helper()
	m := modeltest.Decoders()["qwen3"]
	m.Positions = 256
	files, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range without {
		delete(files, name)
	}
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "model.pack")
	if err := errors.Join(modeltest.Write(folder, files), pack.Import(t.Context(), folder, path, nil)); err != nil {
		t.Fatal(err)
	}
	return path
}

// newKernel returns kernels that are closed with the test.
func newKernel(t *testing.T) *kernel.Kernel {
	t.Helper()
	k, err := kernel.New(kernel.Options{Backend: kernel.Own})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

func generateOptions(t *testing.T) GenerateOptions {
	return GenerateOptions{WriterOptions: WriterOptions{Pack: tinyWriter(t), Model: "tiny", Threads: 2}, Queries: 2, Tokens: 24, Rows: 8}
}

func TestGenerate(t *testing.T) {
	o := generateOptions(t)
	o.Asked, o.Write = tinyAsked(t), filepath.Join(t.TempDir(), "written.json")
	phases := map[string]bool{}
	k := newKernel(t)
	r, err := Generate(t.Context(), o, k, func(phase string, _, _ int) { phases[phase] = true })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Speed) != 2 || r.LeftOut != 1 {
		t.Fatalf("%d left out, rows of speed: %+v", r.LeftOut, r.Speed)
	}
	plain := r.Speed[0]
	for i, row := range r.Speed {
		if row.Set != citedSet || row.Way != []string{plainly, drafting}[i] || row.Prompts != 2 {
			t.Errorf("row %d is of %q, %q and %d prompts", i, row.Set, row.Way, row.Prompts)
		}
		if row.Tokens != plain.Tokens || row.PromptTokens != plain.PromptTokens || row.Tokens != row.Steps+row.Accepted || row.Speed <= 0 {
			t.Errorf("%s: %+v beside %+v", row.Way, row, plain)
		}
	}
	if plain.Ratio != 1 || plain.Whole != 1 || plain.PerStep != 1 || plain.Drafted != 0 {
		t.Errorf("plain decoding: %+v", plain)
	}
	if m := r.Machine; m.Context != 128 || len(m.Profile) != o.Rows || m.Prefill <= 0 || m.Decode <= 0 || m.Profile[0] <= 0 {
		t.Errorf("machine: %+v", m)
	}
	if plain := k.Describe().ISA == kernel.Plain; (r.Machine.Share > 0) == plain {
		t.Errorf("a share of %g of the peak; plain Go: %t", r.Machine.Share, plain)
	}
	for _, phase := range []string{"reading and writing", "cost of verifying", "answering"} {
		if !phases[phase] {
			t.Errorf("nobody was told of %q: %v", phase, phases)
		}
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tiny: 2 layers", "256 tokens, its chat template;", "behind 128 tokens", "     8 ", "1 prompts are too long", drafting} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	checkWritten(t, o.Write, r)
}

// tinyAsked asks two questions, and one that is too long.
func tinyAsked(t *testing.T) Asked {
	ask := func(question string) []chat.Message {
		return []chat.Message{{Role: "user", Content: question}}
	}
	return func(_ context.Context, count func(string) int, tokens int) ([][]chat.Message, error) {
		if n := count("a heron"); n < 1 || n > 7 || tokens < 100 || tokens >= 256-24 {
			t.Errorf("a heron has %d tokens, messages may have %d", n, tokens)
		}
		return [][]chat.Message{ask("Where is the heron?"), ask("What is a heron, a heron, a heron?"), ask(strings.Repeat("Who saw the heron? ", 60))}, nil
	}
}

// checkWritten compares what was written with the rows of plain decoding.
func checkWritten(t *testing.T, path string, r *GenerateReport) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	prompts, promptTokens := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		var w written
		if err := json.Unmarshal([]byte(line), &w); err != nil || len(w.Answer) == 0 || len(w.Answer) > 24 {
			t.Fatalf("%s: %v", line, err)
		}
		prompts[w.Set]++
		promptTokens[w.Set] += len(w.Prompt)
	}
	for _, row := range r.Speed {
		if prompts[row.Set] != row.Prompts || promptTokens[row.Set] != row.PromptTokens {
			t.Errorf("%s: %d prompts of %d tokens are written, want %d of %d", row.Set, prompts[row.Set], promptTokens[row.Set], row.Prompts, row.PromptTokens)
		}
	}
}

// With a model alone its speed is measured, and nothing is answered.
func TestGenerateWithoutPrompts(t *testing.T) {
	o := generateOptions(t)
	o.Pack = tinyWriter(t, "tokenizer_config.json")
	r, err := Generate(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "no chat template: prompts are continued as they are") {
		t.Errorf("%s, %v", text.String(), err)
	}
	if r.ChatTemplate || len(r.Speed) != 0 {
		t.Errorf("%+v", r)
	}
	data, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(data), `"speed":[]`) {
		t.Errorf("%s, %v", data, err)
	}
}

// Whenever it is stopped, a run ends at once and closes what it opened.
func TestGenerateIsCancelled(t *testing.T) {
	o := generateOptions(t)
	o.Asked = tinyAsked(t)
	for _, at := range []string{"reading and writing", "cost of verifying", "answering"} {
		ctx, cancel := context.WithCancel(t.Context())
		last := ""
		_, err := Generate(ctx, o, newKernel(t), func(phase string, _, _ int) {
			last = phase
			if phase == at {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) || last != at {
			t.Errorf("stopped while %s: ended while %s with %v", at, last, err)
		}
	}
}

func TestGenerateTellsWhatIsWrong(t *testing.T) {
	good := generateOptions(t)
	lost := func(context.Context, func(string) int, int) ([][]chat.Message, error) {
		return nil, errors.New("index gone")
	}
	tooLong := func(context.Context, func(string) int, int) ([][]chat.Message, error) {
		return [][]chat.Message{{{Role: "user", Content: "Where is the heron?"}}}, nil
	}
	for name, c := range map[string]struct {
		change func(o *GenerateOptions)
		want   string
	}{
		"queries": {func(o *GenerateOptions) { o.Queries = -1 }, "--queries wants a number from 0"},
		"tokens":  {func(o *GenerateOptions) { o.Tokens = 0 }, "--tokens wants a number from 1"},
		"rows":    {func(o *GenerateOptions) { o.Rows = 65 }, "--rows wants a number from 1 to 64"},
		"write":   {func(o *GenerateOptions) { o.Asked, o.Write = tinyAsked(t), "nosuch/file" }, "--write: open nosuch/file"},
		"asked":   {func(o *GenerateOptions) { o.Asked = lost }, "index gone"},
		"no room": {func(o *GenerateOptions) { o.Asked, o.Tokens = tooLong, 250 }, "no prompt fits into the model's window of 256 tokens"},
		"no pack": {func(o *GenerateOptions) { o.Pack = "nosuch" }, "the model tiny cannot be used"},
	} {
		o := good
		c.change(&o)
		if _, err := Generate(t.Context(), o, newKernel(t), silent); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestSame(t *testing.T) {
	want := generate.Result{Tokens: []int32{3, 4, 5}, Finish: generate.MaxTokens}
	if err := same(want, generate.Result{Tokens: []int32{3, 4, 5}, Finish: generate.MaxTokens}); err != nil {
		t.Errorf("the same answer: %v", err)
	}
	for got, words := range map[*generate.Result]string{
		{Tokens: []int32{3, 4, 6}, Finish: generate.MaxTokens}: "token 3 of the answer is 6, want 5",
		{Tokens: []int32{3, 4}, Finish: generate.MaxTokens}:    "2 tokens and",
		{Tokens: []int32{3, 4, 5}, Finish: generate.StopToken}: "3 tokens and",
	} {
		if err := same(want, *got); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v: %v, want %q", got.Tokens, err, words)
		}
	}
}
