package generatebench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// tinyModel is the pack of a decoder with random weights, without some of its
// files.
func tinyModel(t *testing.T, without ...string) string {
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

// writeFolder writes files to a folder of their own.
func writeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// tinyTraces are two items of each kind.
func tinyTraces(t *testing.T) string {
	t.Helper()
	files := map[string]string{}
	for _, f := range traceFiles {
		var items []map[string]any
		for i := range 2 {
			var prompt any = fmt.Sprintf("[INST] The heron stands in lake %d. Where? [/INST]", i)
			if f.name == chats {
				prompt = []string{fmt.Sprintf("Where is heron %d?", i), "And the gull?"}
			}
			items = append(items, map[string]any{"prompt": prompt, "response_mistral7b": []map[string]any{
				{"gen_func": "greedy", "turn": 0, "response_text": fmt.Sprintf(" The heron stands in lake %d.", i), "num_tokens": 9},
				{"gen_func": "prompt lookup", "turn": 0, "response_text": "other", "num_tokens": 1},
			}})
		}
		data, err := json.Marshal(items)
		if err != nil {
			t.Fatal(err)
		}
		files[f.file] = string(data)
	}
	return writeFolder(t, files)
}

// tinySpec are questions of three categories, one of them too long for the tiny
// model.
func tinySpec(t *testing.T) string {
	t.Helper()
	return writeFolder(t, map[string]string{specFile: `{"category": "writing", "turns": ["Write of herons.", "Shorter."]}
{"category": "stem", "turns": ["What is a heron, a heron, a heron?"]}
{"category": "qa", "turns": ["Who saw the heron?"]}
{"category": "qa", "turns": ["` + strings.Repeat("Who saw the heron, and where? ", 60) + `"]}
`})
}

func tinyOptions(t *testing.T) Options {
	return Options{Pack: tinyModel(t), Model: "tiny", Queries: 2, Tokens: 24, Rows: 8, Threads: 2}
}

// runTiny runs with kernels of its own.
func runTiny(ctx context.Context, t *testing.T, o Options, progress func(string, int, int)) (*Report, error) {
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
	return Run(ctx, o, k, progress)
}

func TestRun(t *testing.T) {
	o := tinyOptions(t)
	o.Traces, o.Prompts = tinyTraces(t), tinySpec(t)
	o.Asked, o.Write = tinyAsked(t), filepath.Join(t.TempDir(), "written.json")
	phases := map[string]bool{}
	r, err := runTiny(t.Context(), t, o, func(phase string, _, _ int) { phases[phase] = true })
	if err != nil {
		t.Fatal(err)
	}
	sets := []string{"prompt-lookup summaries", "prompt-lookup rag", "spec-bench chat", "spec-bench questions", "asked"}
	prompts := map[string]int{sets[0]: 1, sets[1]: 1, sets[2]: 2, sets[3]: 1, sets[4]: 1}
	ways := speedWays(false)
	if len(r.Speed) != len(sets)*len(ways) {
		t.Fatalf("%d rows of speed, want %d sets in %d ways: %+v", len(r.Speed), len(sets), len(ways), r.Speed)
	}
	for i, row := range r.Speed {
		plain := r.Speed[i/len(ways)*len(ways)]
		if row.Set != sets[i/len(ways)] || row.Way != ways[i%len(ways)].Name || row.Prompts != prompts[row.Set] {
			t.Errorf("row %d is of %q, %q and %d prompts", i, row.Set, row.Way, row.Prompts)
		}
		if row.Tokens != plain.Tokens || row.PromptTokens != plain.PromptTokens || row.Tokens != row.Steps+row.Accepted || row.Speed <= 0 {
			t.Errorf("%s, %s: %+v beside %+v", row.Set, row.Way, row, plain)
		}
	}
	for i := 0; i < len(r.Speed); i += len(ways) {
		plain, lookup := r.Speed[i], r.Speed[i+1]
		if plain.Way != None || plain.Ratio != 1 || plain.Whole != 1 || plain.PerStep != 1 || plain.Drafted != 0 {
			t.Errorf("plain decoding: %+v", plain)
		}
		if lookup.Drafted == 0 || lookup.DraftMicros <= 0 {
			t.Errorf("prompt lookup drafted nothing: %+v", lookup)
		}
	}
	if len(r.LeftOut) != 1 || r.LeftOut[0] != (LeftOut{sets[3], 1}) {
		t.Errorf("left out: %+v", r.LeftOut)
	}
	if len(r.Replay) != 3*len(Ways()) || r.ReplayTokenizer != "tiny" || r.Replay[0].Answers != 1 || r.Replay[0].PerStep != 1 {
		t.Errorf("replay by %q: %+v", r.ReplayTokenizer, r.Replay)
	}
	m := r.Machine
	if m.Context != 128 || len(m.Curve) != 64 || len(m.Profile) != o.Rows || m.Prefill <= 0 || m.Decode <= 0 || m.Curve[0].Cost != 1 {
		t.Errorf("machine: %+v", m)
	}
	for _, p := range m.Curve {
		if p.Least <= 0 || p.Millis < p.Least || p.Most < p.Millis {
			t.Errorf("%d rows: %+v", p.Rows, p)
		}
	}
	for _, phase := range []string{"replaying rag", "reading and writing", "cost of verifying", "answering spec-bench questions"} {
		if !phases[phase] {
			t.Errorf("nobody was told of %q: %v", phase, phases)
		}
	}
	checkText(t, r)
	checkWritten(t, o.Write, r)
}

// tinyAsked asks one question, in two messages.
func tinyAsked(t *testing.T) Asked {
	return func(_ context.Context, count func(string) int, tokens int) ([]PromptSet, error) {
		if n := count("a heron"); n < 1 || n > 7 || tokens < 100 || tokens >= 256-24 {
			t.Errorf("a heron has %d tokens, messages may have %d", n, tokens)
		}
		return []PromptSet{{Name: "asked", Conversations: [][]chat.Message{
			{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "Where is the heron?"}},
		}}}, nil
	}
}

// checkWritten compares what was written with the rows of plain decoding.
func checkWritten(t *testing.T, path string, r *Report) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	prompts, promptTokens := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		var w Written
		if err := json.Unmarshal([]byte(line), &w); err != nil || len(w.Answer) > 24 {
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

// checkText compares a report as people see it with what it holds.
func checkText(t *testing.T, r *Report) {
	t.Helper()
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"tiny: 2 layers", "256 tokens, its chat template;", "behind 128 tokens", "\n64 ", "spec-bench questions: 1 prompts are too long",
		"+ calibration", "+ reuse", Everything, "tokens by tiny",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// Quickly, two ways are left.
func TestRunQuickly(t *testing.T) {
	o := tinyOptions(t)
	o.Asked, o.Quick = tinyAsked(t), true
	r, err := runTiny(t.Context(), t, o, silent)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Speed) != 2 || r.Speed[0].Way != None || r.Speed[1].Way != Everything || r.Speed[1].Tokens != r.Speed[0].Tokens {
		t.Errorf("%+v", r.Speed)
	}
}

// With a model alone its speed is measured, and nothing is answered.
func TestRunWithoutPrompts(t *testing.T) {
	o := tinyOptions(t)
	o.Pack = tinyModel(t, "tokenizer_config.json")
	r, err := runTiny(t.Context(), t, o, silent)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "no chat template: prompts are continued as they are") {
		t.Errorf("%s, %v", text.String(), err)
	}
	if r.Machine == nil || r.ChatTemplate || len(r.Speed) != 0 || len(r.Replay) != 0 {
		t.Errorf("%+v", r)
	}
	data, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(data), `"replay":[]`) || !strings.Contains(string(data), `"speed":[]`) {
		t.Errorf("%s, %v", data, err)
	}
}

// Without a model the replay is left.
func TestRunWithoutAModel(t *testing.T) {
	o := Options{
		Traces: tinyTraces(t), Tokenizer: filepath.Join(shared, "models/llama2-spm/tokenizer.model"), Queries: 1, Tokens: 8, Rows: 8,
	}
	if _, err := os.Stat(o.Tokenizer); err != nil {
		t.Skipf("the shared data is not there: %v", err)
	}
	r, err := Run(t.Context(), o, nil, silent)
	if err != nil {
		t.Fatal(err)
	}
	if r.Machine != nil || len(r.Speed) != 0 || len(r.Replay) != 3*len(Ways()) || r.Replay[0].Tokens == 0 {
		t.Errorf("%+v", r)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "tokens by "+o.Tokenizer) {
		t.Errorf("%q, %v", text.String(), err)
	}
}

// Whenever it is stopped, a run ends at once and closes what it opened.
func TestRunIsCancelled(t *testing.T) {
	o := tinyOptions(t)
	o.Traces = tinyTraces(t)
	for _, at := range []string{"replaying rag", "reading and writing", "cost of verifying", "answering prompt-lookup rag"} {
		ctx, cancel := context.WithCancel(t.Context())
		last := ""
		_, err := runTiny(ctx, t, o, func(phase string, _, _ int) {
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

func TestRunTellsWhatIsWrong(t *testing.T) {
	good := tinyOptions(t)
	traces := tinyTraces(t)
	for name, c := range map[string]struct {
		change func(o *Options)
		want   string
	}{
		"queries":      {func(o *Options) { o.Queries = -1 }, "--queries wants a number from 0"},
		"tokens":       {func(o *Options) { o.Tokens = 0 }, "--tokens wants a number from 1"},
		"rows":         {func(o *Options) { o.Rows = 65 }, "--rows wants a number from 1 to 64"},
		"nothing":      {func(o *Options) { o.Pack = "" }, "no model to measure and nothing to replay"},
		"prompts":      {func(o *Options) { o.Pack, o.Traces, o.Prompts = "", traces, traces }, "--prompts are for a model"},
		"questions":    {func(o *Options) { o.Pack, o.Asked = "", tinyAsked(t) }, "--questions are for a model"},
		"write":        {func(o *Options) { o.Traces, o.Write = traces, "nosuch/file" }, "--write: open nosuch/file"},
		"tokenizer":    {func(o *Options) { o.Pack, o.Traces = "", traces }, "without a model a replay wants --tokenizer"},
		"no file":      {func(o *Options) { o.Traces, o.Tokenizer = traces, "nosuch" }, "--tokenizer: open nosuch"},
		"no traces":    {func(o *Options) { o.Traces = t.TempDir() }, "there is no cnn_dm_outputs.json in"},
		"no prompts":   {func(o *Options) { o.Prompts = t.TempDir() }, "there is no question.jsonl in"},
		"bad json":     {func(o *Options) { o.Prompts = writeFolder(t, map[string]string{specFile: "{"}) }, "question 1: unexpected EOF"},
		"no turns":     {func(o *Options) { o.Prompts = writeFolder(t, map[string]string{specFile: `{"turns": []}`}) }, "question 1: it has no turns"},
		"no room":      {func(o *Options) { o.Traces, o.Tokens = traces, 250 }, "no prompt fits into the model's window of 256 tokens"},
		"no pack":      {func(o *Options) { o.Pack = "nosuch" }, "the model tiny cannot be used"},
		"no such pack": {func(o *Options) { o.Pack = filepath.Join(traces, traceFiles[0].file) }, "not a dowse pack"},
	} {
		o := good
		c.change(&o)
		if _, err := runTiny(t.Context(), t, o, silent); err == nil || !strings.Contains(err.Error(), c.want) {
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

func TestSpread(t *testing.T) {
	list := []int{0, 1, 2, 3, 4, 5, 6}
	if got := fmt.Sprint(spread(list, 3), spread(list, 0), spread(list, 9), spread(list[:0], 2)); got != "[0 2 4] [0 1 2 3 4 5 6] [0 1 2 3 4 5 6] []" {
		t.Error(got)
	}
}
