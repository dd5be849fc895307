package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"dowse/engine/kv"
	"dowse/engine/transformer"
	"dowse/models"
	"dowse/models/pack"
)

// ShapeSparsity reads what a row pack of random weights leaves out; nil where path is "".
func ShapeSparsity(file, path string) (*transformer.Sparsity, error) {
	if path == "" {
		return nil, nil
	}
	rows, err := pack.OpenRows(file)
	if err != nil {
		return nil, err
	}
	sum, c := rows.Fingerprint(), rows.Config()
	if err := rows.Close(); err != nil {
		return nil, err
	}
	found, err := models.ReadThresholds(path, sum, c)
	if err != nil {
		return nil, err
	}
	if len(found.Levels) == 0 {
		return nil, fmt.Errorf("%s: no thresholds", path)
	}
	s := &transformer.Sparsity{Level: found.Levels[0].Sparsity}
	for _, layer := range found.Levels[0].Thresholds {
		s.Thresholds = append(s.Thresholds, [pack.Bundles]float32(layer))
	}
	return s, nil
}

// draw decodes tokens that are drawn at random: a model of random weights would soon
// repeat itself, and want the same experts and rows each time.
func (r *SwapRun) draw(ctx context.Context, d *transformer.Decoder, m *SwapMeasured) (err error) {
	s := d.NewSequence()
	defer func() { err = errors.Join(err, s.Free()) }()
	rng := rand.New(rand.NewPCG(shapeSeed, 9))
	ids := make([]int32, r.Prompt+r.Tokens)
	for i := range ids {
		ids[i] = int32(rng.IntN(d.Vocabulary()))
	}
	logits, start := make([]float32, d.Vocabulary()), time.Now()
	r.step(0)
	if err := d.Append(ctx, s, ids[:r.Prompt], logits); err != nil {
		return err
	}
	m.First = time.Since(start).Seconds()
	before, read, start := d.Stats(), readFromDisk(), time.Now()
	for i, id := range ids[r.Prompt:] {
		r.step(i)
		if err := d.Verify(ctx, s, kv.Tree{Tokens: []int32{id}, Parents: []int32{-1}}, logits); err != nil {
			return err
		}
		if err := s.Keep([]int32{0}); err != nil {
			return err
		}
	}
	m.Tokens, m.Speed = r.Tokens, float64(r.Tokens)/time.Since(start).Seconds()
	after := d.Stats()
	m.count(before, after)
	e, b := after.Experts, before.Experts
	if chosen := e.Chosen - b.Chosen; chosen > 0 {
		m.Hits = float64(e.Hits-b.Hits) / float64(chosen)
		m.PreloadUsed = ratio(e.Foreseen-b.Foreseen, e.Foreseen-b.Foreseen+e.Wasted-b.Wasted)
		m.OnDemand = float64(e.Demanded-b.Demanded) / float64(chosen)
		m.Stalls += (e.StallTime - b.StallTime).Seconds()
	}
	if bytes := readFromDisk() - read; bytes > 0 {
		m.BytesPerToken = float64(bytes) / float64(r.Tokens)
	} else {
		m.BytesPerToken += float64(e.BytesRead-b.BytesRead) / float64(r.Tokens)
	}
	return nil
}

// step says how far a run is.
func (r *SwapRun) step(done int) {
	if r.Progress != nil {
		r.Progress(fmt.Sprintf(stepFormat, done, r.Tokens), 0, 0)
	}
}

// readFromDisk returns the bytes that this process had read from a disk so far, pages of
// mapped files included; 0 where that is unknown.
func readFromDisk() int64 {
	data, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(data) {
		if field, value, _ := bytes.Cut(line, []byte(":")); string(field) == "read_bytes" {
			n, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}

// middle returns the one of middle speed.
func middle(found []SwapMeasured) SwapMeasured {
	slices.SortFunc(found, func(a, b SwapMeasured) int { return cmp.Compare(a.Speed, b.Speed) })
	return found[len(found)/2]
}
