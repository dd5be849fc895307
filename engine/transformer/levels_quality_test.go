package transformer_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/transformer"
)

var (
	levelsOn     = flag.String("levels", "", "folder of SQuAD in BEIR layout: how well the model of DOWSE_TEST_DECODER continues its articles, with pasts of several levels")
	levelsTexts  = flag.Int("levels-texts", 6, "articles")
	levelsTokens = flag.Int("levels-tokens", 4000, "tokens of each")
	levelsScored = flag.Int("levels-scored", 256, "how many of them, the last ones, are predicted")
)

// levelPlan is a way to choose levels for what was said.
type levelPlan struct {
	name   string
	levels func(c *kv.Cache) []kv.Level
}

// planned is kv.Cache.LowerPlan.
func planned(ratio float64) func(c *kv.Cache) []kv.Level {
	return func(c *kv.Cache) []kv.Level { return c.LowerPlan(ratio) }
}

// uniform is one level for all chunks that may have one.
func uniform(l kv.Level) func(c *kv.Cache) []kv.Level {
	return func(c *kv.Cache) []kv.Level {
		return slices.Concat(slices.Repeat([]kv.Level{l}, c.Chunks()-kv.Residual), slices.Repeat([]kv.Level{kv.Level8}, kv.Residual))
	}
}

// E-K4: perplexity of the end of articles, whose beginnings come back at several levels,
// beside that with all of them at 8 bits. With a ratio of 0.5 the choice by distortion is
// to stay within 2% of it, and below that of 4 bits for all at the bytes that those take.
func TestPerplexityOfLoweredPasts(t *testing.T) {
	if *levelsOn == "" {
		t.Skip("run with -levels FOLDER, that of eval/squad of the shared data, and DOWSE_TEST_DECODER")
	}
	d := openDecoder(t, decoderPack(t), transformer.DecoderOptions{Threads: 1, ChunkTokens: 16})
	four := fourRatio(d)
	plans := []levelPlan{
		{"8 bits", uniform(kv.Level8)},
		{"distortion, 0.5", planned(0.5)},
		{"distortion, as 4 bits", planned(four)},
		{"4 bits", uniform(kv.Level4)},
		{"2 bits", uniform(kv.Level2)},
	}
	losses := make([]float64, len(plans))
	texts := articles(t, d, *levelsTexts, *levelsTokens)
	for i, text := range texts {
		past := d.NewSequence()
		past.TrackDensity()
		known := len(text) - *levelsScored - 1
		if err := d.Append(t.Context(), past, text[:known], nil); err != nil {
			t.Fatal(err)
		}
		for j, plan := range plans {
			loss, counts, ratio := pastLoss(t, d, past, plan, text[known:])
			losses[j] += loss / float64(len(texts))
			t.Logf("text %d, %s: %v chunks at 8, 4 and 2 bits, ratio %.3f: perplexity %.3f", i, plan.name, counts, ratio, math.Exp(loss))
		}
		freeSequence(t, past)
	}
	for j, plan := range plans {
		t.Logf("%s: perplexity %.4f, %+.2f%%", plan.name, math.Exp(losses[j]), 100*(math.Exp(losses[j]-losses[0])-1))
	}
	if losses[1] > losses[0]+math.Log(1.02) {
		t.Error("the perplexity at half the bytes is more than 2% above that of 8 bits")
	}
	if losses[2] >= losses[3] {
		t.Error("at the bytes of 4 bits for all, the choice by distortion is no better")
	}
}

// fourRatio is the bytes of a chunk of 4 bits over those of one of 8.
func fourRatio(d *transformer.Decoder) float64 {
	c := d.NewSequence()
	s := c.Shape()
	return float64(s.ChunkBytes(kv.Level4)) / float64(s.ChunkBytes(kv.Level8))
}

// articles returns the tokens at the beginnings of articles that have as many.
func articles(t *testing.T, d *transformer.Decoder, texts, tokens int) [][]int32 {
	t.Helper()
	corpus, err := os.ReadFile(filepath.Join(*levelsOn, "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	all := map[string]*strings.Builder{}
	for line := range bytes.Lines(corpus) {
		var p struct{ Title, Text string }
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		if all[p.Title] == nil {
			all[p.Title] = &strings.Builder{}
			titles = append(titles, p.Title)
		}
		all[p.Title].WriteString(p.Text + "\n\n")
	}
	var found [][]int32
	for _, title := range titles {
		if ids := d.Tokenizer().Encode(all[title].String()); len(ids) >= tokens && len(found) < texts {
			t.Logf("text %d is %s", len(found), title)
			found = append(found, ids[:tokens])
		}
	}
	if len(found) < texts {
		t.Fatalf("%d articles of %d tokens, want %d", len(found), tokens, texts)
	}
	return found
}

// pastLoss is the mean surprise of the tokens of rest but the first behind a past whose
// chunks a plan lowers. The past stays as it is.
func pastLoss(t *testing.T, d *transformer.Decoder, past *transformer.Sequence, plan levelPlan, rest []int32) (loss float64, counts [3]int, ratio float64) {
	t.Helper()
	c, v := d.NewSequence(), d.Vocabulary()
	defer freeSequence(t, c)
	if err := c.Resume(past.Tokens()); err != nil {
		t.Fatal(err)
	}
	for i := range c.Chunks() {
		memory, err := c.Place(i, kv.Level8)
		if err != nil {
			t.Fatal(err)
		}
		copy(memory, past.Data(i))
	}
	levels := plan.levels(past.Cache)
	if _, err := c.LowerTo(levels); err != nil {
		t.Fatal(err)
	}
	shape := c.Shape()
	for _, l := range levels[:len(levels)-kv.Residual] {
		counts[slices.Index(kv.Levels[:], l)]++
		ratio += float64(shape.ChunkBytes(l)) / float64((len(levels)-kv.Residual)*shape.ChunkBytes(kv.Level8))
	}
	logits := make([]float32, 64*v)
	for at := 0; at < len(rest)-1; at += 64 {
		n := min(64, len(rest)-1-at)
		if err := d.Append(t.Context(), c, rest[at:at+n], logits[:n*v]); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			loss += surprise(logits[i*v:(i+1)*v], rest[at+i+1])
		}
	}
	return loss / float64(len(rest)-1), counts, ratio
}
