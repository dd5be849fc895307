package bench

import (
	"context"
	"errors"
	"fmt"
	"os"

	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// cacheRow is how many active rows two caches of equal size hold.
type cacheRow struct {
	Share      int     `json:"share"` // percent of the rows that are cached
	Operator   string  `json:"operator"`
	Active     int     `json:"active_rows"`
	Static     float64 `json:"static"` // share of them that a fixed cache holds
	Contextual float64 `json:"contextual"`
	Best       float64 `json:"best"` // that of a fixed cache chosen with knowledge of what follows
}

// What the caches are compared on: a half of the texts says what is hot, the other half
// is read behind prompts of its own.
const (
	cacheTexts  = 8
	cacheTokens = 192
	cachePrompt = 128
)

// activeTexts are the active channels of each bundle of each layer, by text.
type activeTexts [][pack.Bundles][]weights.ActiveText // [layers]

// caches compares a contextual cache with a static one on what is active in the text.
func (s *swapBench) caches(ctx context.Context, k *kernel.Kernel) (err error) {
	d, err := transformer.OpenDecoder(ctx, s.opts.Rows, k, transformer.DecoderOptions{Threads: 1, MaxTokens: cacheTokens})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	texts, err := s.activeTexts(ctx, d)
	if err != nil {
		return err
	}
	for _, share := range s.opts.Shares {
		if share < 100 {
			s.report.Caches = append(s.report.Caches, texts.compare(share, d.RowChannels())...)
		}
	}
	return nil
}

// activeTexts computes what is active in pieces of the text.
func (s *swapBench) activeTexts(ctx context.Context, d *transformer.Decoder) (activeTexts, error) {
	text, err := os.ReadFile(s.opts.Text)
	if err != nil {
		return nil, err
	}
	ids := d.Tokenizer().EncodeDocument(string(text), 0)
	apart := len(ids) / cacheTexts
	if apart < cacheTokens {
		return nil, fmt.Errorf("%s has %d tokens, comparing caches takes %d; name a longer text", s.opts.Text, len(ids), cacheTexts*cacheTokens)
	}
	active := make(activeTexts, d.Layers())
	for i := range cacheTexts {
		s.progress("active rows", i, cacheTexts)
		for layer := range active {
			for b := range active[layer] {
				active[layer][b] = append(active[layer][b], nil)
			}
		}
		err := d.Active(ctx, ids[i*apart:][:cacheTokens], s.opts.Sparsity.Thresholds, func(layer int, b pack.Bundle, channels []int32) {
			text := &active[layer][b][i]
			*text = append(*text, append([]int32(nil), channels...))
		})
		if err != nil {
			return nil, err
		}
	}
	return active, nil
}

// compare counts the hits in caches of some percents of the rows, by operator and in all.
func (a activeTexts) compare(share int, channels [pack.Bundles]int) (rows []cacheRow) {
	var all cacheCounts
	for b := range pack.Bundles {
		var counts cacheCounts
		capacity := channels[b] * share / 100
		for layer := range a {
			learned, judged := a[layer][b][:cacheTexts/2], a[layer][b][cacheTexts/2:]
			c := cacheCounts{
				weights.ReplayStatic(learned, judged, cachePrompt, channels[b], capacity),
				weights.ReplayContextual(judged, cachePrompt, channels[b], capacity),
			}
			for _, text := range judged {
				c[2].Add(weights.ReplayStatic([]weights.ActiveText{text[cachePrompt:]}, []weights.ActiveText{text}, cachePrompt, channels[b], capacity))
			}
			counts.add(&c)
		}
		all.add(&counts)
		rows = append(rows, counts.row(share, b.String()))
	}
	return append(rows, all.row(share, "all"))
}

// cacheCounts are those of a static cache, a contextual one, and the best fixed one.
type cacheCounts [3]weights.RowCounts

func (c *cacheCounts) add(more *cacheCounts) {
	for i := range c {
		c[i].Add(more[i])
	}
}

// row says what share of the active rows each cache held.
func (c *cacheCounts) row(share int, operator string) cacheRow {
	hits := func(i int) float64 { return ratio(float64(c[i].Hits), float64(c[i].Hits+c[i].Misses)) }
	return cacheRow{
		Share: share, Operator: operator, Active: c[0].Hits + c[0].Misses,
		Static: hits(0), Contextual: hits(1), Best: hits(2),
	}
}
