package generate_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/generate/draft"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

const sharedData = "../../../shared/data"

var identityPrompts = flag.Int("identity-prompts", 480, "compare the answers of the model of DOWSE_TEST_DECODER to so many prompts of Spec-Bench")

// specPrompts are the first turns of the questions of Spec-Bench, n of them spread
// evenly over all, or the test is skipped.
func specPrompts(t *testing.T, n int) (prompts []string) {
	t.Helper()
	file, err := os.Open(filepath.Join(sharedData, "traces", "spec-bench", "data", "spec_bench", "question.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the shared data is not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // only read from
	for lines := json.NewDecoder(bufio.NewReader(file)); lines.More(); {
		var question struct {
			Turns []string `json:"turns"`
		}
		if err := lines.Decode(&question); err != nil {
			t.Fatal(err)
		}
		prompts = append(prompts, question.Turns[0])
	}
	picked := make([]string, min(n, len(prompts)))
	for i := range picked {
		picked[i] = prompts[i*len(prompts)/len(picked)]
	}
	return picked
}

// identityTokens bounds an answer, identityRows a draft.
const (
	identityTokens = 64
	identityRows   = 16
)

// checkIdentity answers prompts plainly and with everything there is to draft from,
// greedily and sampled so loosely that drafts are often wrong, and compares the
// tokens. A prompt that leaves no room for an answer is cut to its end. What is
// learned from one prompt is there for the next one, as in use.
func checkIdentity(t *testing.T, d *transformer.Decoder, prompts []string) {
	t.Helper()
	encode := func(text string) []int32 { return d.Tokenizer().EncodeDocument(text, 0) }
	if template, err := chat.Parse(d.ChatTemplate()); err == nil {
		encode = func(text string) []int32 {
			p, err := template.Render([]chat.Message{{Role: "user", Content: text}}, chat.Options{AddGenerationPrompt: true, Now: time.Unix(0, 0)})
			if err != nil {
				t.Fatal(err)
			}
			return p.Encode(d.Tokenizer())
		}
	} else if !errors.Is(err, chat.ErrNoTemplate) {
		t.Fatal(err)
	}
	g := newGenerator(t, d, d.Stop()...)
	costs, err := g.ProfileBehind(t.Context(), newSequence(t, d), min(512, d.MaxTokens()/2), identityRows)
	if err != nil {
		t.Fatal(err)
	}
	var o draft.Options
	o.Budget.Cost = costs.Passes
	o.Stop, o.Budget.Rows, o.History = d.Stop(), identityRows, draft.NewHistory(0)
	drafter := draft.NewDrafter(o)
	frequent := make([]int32, min(draft.DefaultFrequent, d.Vocabulary()))
	for i := range frequent {
		frequent[i] = int32(i)
	}
	accepted := 0
	for i, prompt := range prompts {
		ids := encode(prompt)
		ids = ids[max(0, len(ids)-(d.MaxTokens()-identityTokens)):]
		for _, s := range []generate.Sampling{{}, {Temperature: 0.8, Seed: uint64(i) + 1}} {
			plain := generated(t, d, g, ids, generate.Options{Sampling: s, MaxTokens: identityTokens})
			drafted := generated(t, d, g, ids, generate.Options{
				Sampling: s, MaxTokens: identityTokens, Nodes: identityRows, Drafter: drafter, Shortlist: frequent,
			})
			if !slices.Equal(plain.Tokens, drafted.Tokens) || plain.Finish != drafted.Finish {
				t.Errorf("%+v, %q: drafts changed %q (%s) to %q (%s)", s, prompt, plain.Text, plain.Finish, drafted.Text, drafted.Finish)
			}
			accepted += drafted.Stats.Accepted()
			if err := o.History.Add(fmt.Sprint(i, s.Temperature), drafted.Tokens); err != nil {
				t.Fatal(err)
			}
		}
	}
	if accepted == 0 {
		t.Error("no drafted token was accepted")
	}
	t.Logf("%d prompts, %d drafted tokens accepted", len(prompts), accepted)
}

// T-S1, T-S2: a small trained model on some of the prompts of Spec-Bench of each kind.
func TestS1S2_IdentityOfATrainedModel(t *testing.T) {
	if testing.Short() {
		t.Skip("answers twelve prompts four times")
	}
	prompts := specPrompts(t, 12)
	files, err := modeltest.Stories(filepath.Join(sharedData, "models", "stories260K"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the shared data is not there: %v", err)
	}
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "stories.pack")
	if err := errors.Join(err, modeltest.Write(folder, files), pack.Import(t.Context(), folder, path, nil)); err != nil {
		t.Fatal(err)
	}
	checkIdentity(t, openPack(t, path, transformer.DecoderOptions{Threads: 2}), prompts)
}

// T-S1, T-S2: a model of real size, if DOWSE_TEST_DECODER names its pack.
func TestS1S2_IdentityOfARealModel(t *testing.T) {
	path := os.Getenv("DOWSE_TEST_DECODER")
	if path == "" {
		t.Skip("set DOWSE_TEST_DECODER to the pack of a decoder")
	}
	checkIdentity(t, openPack(t, path, transformer.DecoderOptions{Threads: 2}), specPrompts(t, *identityPrompts))
}
