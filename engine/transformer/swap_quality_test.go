package transformer_test

import (
	"flag"
	"math"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/swap"
	"dowse/engine/swap/calibrate"
	"dowse/engine/transformer"
	"dowse/models"
	"dowse/models/pack"
)

var (
	swapOn     = flag.String("swap", "", "folder of SQuAD in BEIR layout: what the model of DOWSE_TEST_DECODER loses by sparsity on its articles, and what its rows cost in memory of several sizes")
	swapTexts  = flag.Int("swap-texts", 4, "articles that perplexity is measured on; as many others are calibrated on")
	swapTokens = flag.Int("swap-tokens", 1024, "tokens of each")
	swapRows   = flag.Int("swap-decoded", 64, "tokens that are decoded one by one in each budget")
)

// What is left out costs perplexity, as a whole and by projection; what is active in one
// token is mostly in memory, or read ahead (E-A3, E-A4).
func TestSwappedModel(t *testing.T) {
	if *swapOn == "" {
		t.Skip("run with -swap FOLDER, that of eval/squad of the shared data, and DOWSE_TEST_DECODER")
	}
	path := decoderPack(t)
	for _, group := range []int{1, 2, 4} {
		rows := rowsOf(t, path, group, 8)
		d := openDecoder(t, rows, transformer.DecoderOptions{Threads: 2, MaxTokens: 2048})
		*levelsOn = *swapOn
		texts := articles(t, d, 2**swapTexts, *swapTokens)
		var calibrated []string
		for _, text := range texts[*swapTexts:] {
			calibrated = append(calibrated, d.Tokenizer().Decode(text))
		}
		found, err := calibrate.Run(t.Context(), d, calibrated, calibrate.Options{Text: "articles", Levels: []float64{.3, .4, .5, .6, .7}, Tokens: *swapTokens - 16}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if group == 1 {
			sparseLosses(t, d, found, texts[:*swapTexts])
		}
		swapCounts(t, rows, found, texts[0])
	}
}

// sparseLosses prints what each level costs on texts that it was not calibrated on.
func sparseLosses(t *testing.T, d *transformer.Decoder, found *models.Thresholds, texts [][]int32) {
	t.Helper()
	dense := decodedLoss(t, d, texts)
	t.Logf("dense: perplexity %.3f, on the calibrated text %.3f", math.Exp(dense), found.Perplexity)
	for _, level := range found.Levels {
		all := thresholdsOf(level)
		transformer.MaskResident(d, &swap.Sparsity{Thresholds: all})
		loss := decodedLoss(t, d, texts)
		t.Logf("sparsity %g (%.3f measured): perplexity %.3f, %+.1f%%", level.Sparsity, level.Measured, math.Exp(loss), 100*(math.Exp(loss-dense)-1))
		if level.Sparsity != .5 {
			continue
		}
		for b := range pack.Bundles {
			one := make(swap.Thresholds, len(all))
			for i := range one {
				one[i][b] = all[i][b]
			}
			transformer.MaskResident(d, &swap.Sparsity{Thresholds: one})
			loss := decodedLoss(t, d, texts)
			t.Logf("sparsity %g of %v alone: perplexity %.3f, %+.1f%%", level.Sparsity, b, math.Exp(loss), 100*(math.Exp(loss-dense)-1))
		}
	}
	transformer.MaskResident(d, &swap.Sparsity{})
}

func thresholdsOf(l models.SparsityLevel) swap.Thresholds {
	var all swap.Thresholds
	for _, layer := range l.Thresholds {
		all = append(all, [pack.Bundles]float32(layer))
	}
	return all
}

// decodedLoss is the mean surprise of the second halves of texts, which are decoded.
func decodedLoss(t *testing.T, d *transformer.Decoder, texts [][]int32) float64 {
	t.Helper()
	total, n, v := 0.0, 0, d.Vocabulary()
	for _, text := range texts {
		c, half := d.NewSequence(), len(text)/2
		if err := d.Append(t.Context(), c, text[:half], nil); err != nil {
			t.Fatal(err)
		}
		logits := chained(t, d, c, text[half:len(text)-1], 64)
		for i, id := range text[half+1:] {
			total += surprise(logits[i*v:(i+1)*v], id)
			n++
		}
		freeSequence(t, c)
	}
	return total / float64(n)
}

// swapCounts prints what decoding a text reads, in budgets that hold some of the rows.
func swapCounts(t *testing.T, rows string, found *models.Thresholds, text []int32) {
	t.Helper()
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{.25, .5} {
		o := transformer.DecoderOptions{Threads: 2, MaxTokens: 1024, Passes: swap.SparsePasses, Sparsity: &swap.Sparsity{Level: .5, Thresholds: thresholdsOf(*found.Level(.5))}}
		o.Budget = rowBudget(t, rows, o, share)
		d, err := transformer.OpenDecoder(t.Context(), rows, k, o)
		if err != nil {
			t.Fatal(err)
		}
		c, half := d.NewSequence(), len(text)/2
		appendAll(t, d, c, text[:half-1], half-1)
		appendAll(t, d, c, text[half-1:half], 1)
		before := d.Stats().Swap
		chained(t, d, c, text[half:half+*swapRows], 1)
		s := d.Stats().Swap
		t.Logf("%.0f%% of the rows' memory, %.1f MiB in all: %d KiB read a token, %d stalls", 100*share, float64(o.Budget)/(1<<20), (s.BytesRead-before.BytesRead)/int64(*swapRows)>>10, s.Stalls)
		for b := range pack.Bundles {
			logCounts(t, b, s.ByBundle[b], before.ByBundle[b])
		}
		freeSequence(t, c)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func logCounts(t *testing.T, b pack.Bundle, s, before swap.Counts) {
	t.Helper()
	hits, misses := s.Hits-before.Hits, s.Misses-before.Misses
	t.Logf("  %v: %.3f of %d active rows were cached; of the others %d of %d that were read ahead were used, %d were read on demand",
		b, float64(hits)/float64(hits+misses), hits+misses, s.PreloadUsed-before.PreloadUsed, s.Preloaded-before.Preloaded, s.OnDemand-before.OnDemand)
}
