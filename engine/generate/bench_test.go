package generate_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/generate/draft"
	"dowse/engine/transformer"
)

// article is something to be asked about.
const article = `The lighthouse of Cordouan stands in the mouth of the Gironde estuary, seven kilometres from the shore.
It was built between 1584 and 1611 by the engineer Louis de Foix and was raised by twenty metres in 1789.
It is sixty-seven metres high and has three hundred and one steps. The last keepers left it in 2012.
Visitors reach it by boat from Royan or Le Verdon at low tide, when a causeway of stone comes out of the water.`

// TestARealModelTalks runs a model of real size, if DOWSE_TEST_DECODER names its
// pack, plainly and with drafts, and compares the tokens.
func TestARealModelTalks(t *testing.T) {
	path := os.Getenv("DOWSE_TEST_DECODER")
	if path == "" {
		t.Skip("set DOWSE_TEST_DECODER to the pack of a decoder")
	}
	d := openPack(t, path, transformer.DecoderOptions{Threads: 2, MaxTokens: 2048})
	template, err := chat.Parse(d.ChatTemplate())
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := template.Render([]chat.Message{
		{Role: "user", Content: "Repeat this text word by word:\n" + article},
	}, chat.Options{AddGenerationPrompt: true, Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	ids := prompt.Encode(d.Tokenizer())
	if encoded := d.Tokenizer().Encode(prompt.String()); !slices.Equal(ids, encoded) {
		t.Errorf("the prompt's ids are %v, those of its text %v", ids, encoded)
	}
	g := newGenerator(t, d, d.Stop()...)
	var options draft.Options
	if options.Budget.Cost, err = g.Profile(t.Context(), newSequence(t, d), generate.UsualNodes); err != nil {
		t.Fatal(err)
	}
	t.Logf("seconds by nodes: %.4f", options.Budget.Cost)
	for name, sampling := range map[string]generate.Sampling{"greedy": {}, "sampled": {Temperature: 0.7, Seed: 5}} {
		o := generate.Options{Sampling: sampling, MaxTokens: 96}
		plain := generated(t, d, g, ids, o)
		o.Drafter = draft.NewDrafter(options)
		o.Shortlist = make([]int32, 2000)
		for i := range o.Shortlist {
			o.Shortlist[i] = int32(i)
		}
		drafted := generated(t, d, g, ids, o)
		if !slices.Equal(plain.Tokens, drafted.Tokens) || plain.Finish != drafted.Finish {
			t.Errorf("%s: drafts changed %q (%s) to %q (%s)", name, plain.Text, plain.Finish, drafted.Text, drafted.Finish)
		}
		t.Logf("%s: %q (%s)", name, plain.Text, plain.Finish)
		for _, r := range []generate.Result{plain, drafted} {
			s := r.Stats
			t.Logf("%d tokens of a prompt at %.0f/s, first after %v, then %.1f tokens/s in %d steps; %d of %d drafted accepted, %v for drafts",
				s.PromptTokens, s.PromptSpeed(), s.FirstToken.Round(time.Millisecond), s.DecodeSpeed(), len(s.Steps), s.Accepted(), s.Drafted(), s.DraftTime.Round(time.Microsecond))
		}
	}
}
