package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/engine/transformer"
)

// restoreRow is what bringing one conversation back took, in milliseconds.
type restoreRow struct {
	Rate     float64 `json:"disk_mb_per_second"`
	Even     bool    `json:"even"` // a rate at which reading all takes as long as computing all
	Tokens   int     `json:"tokens"`
	Chunks   int     `json:"chunks"`
	Read     float64 `json:"read_ms"`
	Compute  float64 `json:"compute_ms"`
	Both     float64 `json:"both_ms"`
	Computed int     `json:"computed_chunks"` // of Both
	Ratio    float64 `json:"ratio"`           // of the better one alone to Both
}

// restoreRates are the speeds of disks in MB/s that bringing back is measured at, beside
// the even one.
var restoreRates = []float64{5, 20, 100, 500}

// restoreRounds is how often each way is measured, whose median counts.
const restoreRounds = 3

// The ways of bringing a conversation back.
const (
	readAll = iota
	computeAll
	readAndCompute
	restoreWays
)

// restoring is a measurement of bringing one conversation back.
type restoring struct {
	decoder *transformer.Decoder
	made    *made
	shape   kv.Shape
	meter   *kv.Meter
}

// restores measures, at each speed of the disk, reading all of a conversation, computing
// all of it, and what is planned of both.
func (s *switching) restores(ctx context.Context) (rows []restoreRow, err error) {
	longest := slices.MaxFunc(s.made, func(a, b *made) int { return a.sequence.Len() - b.sequence.Len() })
	r := &restoring{decoder: s.decoder, made: longest, shape: longest.sequence.Shape(), meter: kv.NewMeter(kv.Profile{})}
	even, err := r.learn(ctx, s.progress)
	if err != nil {
		return nil, err
	}
	for i, rate := range append(slices.Clone(restoreRates), even) {
		row := restoreRow{Rate: rate, Even: i == len(restoreRates), Tokens: longest.sequence.Len(), Chunks: longest.sequence.Chunks()}
		if err := r.measure(ctx, &row, fmt.Sprintf("bringing back (%d of %d)", i+1, len(restoreRates)+1), s.progress); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// learn computes parts of the conversation, so that plans know what that takes, and
// returns the speed of disk in MB/s at which reading takes as long as computing.
func (r *restoring) learn(ctx context.Context, progress Progress) (even float64, err error) {
	all, times := r.made.sequence.Chunks(), []float64(nil)
	for i := range 2 * restoreRounds {
		progress("learning what computing takes", i, 2*restoreRounds)
		share := all
		if i%2 == 1 {
			share = max(1, all/4)
		}
		took, stats, err := r.restore(ctx, leading(share), r.given)
		if err != nil {
			return 0, err
		}
		r.meter.Computed(stats.Tokens, stats.Positions, stats.Computing)
		if share == all {
			times = append(times, took.Seconds())
		}
	}
	return float64(all*r.shape.ChunkBytes(kv.Level8)) / median(times) / 1e6, nil
}

// leading returns the first numbers.
func leading(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// measure fills in a row.
func (r *restoring) measure(ctx context.Context, row *restoreRow, phase string, progress Progress) error {
	var times [restoreWays][]float64
	err := turns(phase, restoreRounds, restoreWays, progress, func(_, way int) error {
		compute, read := []int(nil), slowed(r.given, disk.NewThrottle(int64(row.Rate*1e6)))
		switch way {
		case computeAll:
			compute, read = leading(row.Chunks), r.given
		case readAndCompute:
			compute = r.plan(row.Rate)
			row.Computed = len(compute)
		}
		took, stats, err := r.restore(ctx, compute, read)
		if err == nil && stats.Computed != len(compute) {
			err = fmt.Errorf("%d chunks were computed, want %d", stats.Computed, len(compute))
		}
		times[way] = append(times[way], millis(took))
		return err
	})
	row.Read, row.Compute, row.Both = median(times[readAll]), median(times[computeAll]), median(times[readAndCompute])
	row.Ratio = ratio(min(row.Read, row.Compute), row.Both)
	return err
}

// plan chooses which chunks to compute beside a disk of so many MB/s.
func (r *restoring) plan(rate float64) []int {
	p := r.meter.Profile()
	p.Read, p.Byte = 0, 1/(rate*1e6)
	var missing []kv.MissingChunk
	for i := range r.made.sequence.Chunks() {
		missing = append(missing, r.made.sequence.Missed(i, true))
	}
	_, compute := kv.PlanRestore(missing, p)
	return compute
}

// restore brings the conversation back and compares it with what it was.
func (r *restoring) restore(ctx context.Context, compute []int, read transformer.ReadGroup) (took time.Duration, stats transformer.RestoreStats, err error) {
	s := r.decoder.NewConversation()
	defer func() { err = errors.Join(err, s.Free()) }()
	if err := s.Resume(r.made.sequence.Tokens()); err != nil {
		return 0, stats, err
	}
	start := time.Now()
	if stats, err = r.decoder.Restore(ctx, s, compute, read); err != nil {
		return 0, stats, err
	}
	took = time.Since(start)
	return took, stats, sameConversation(s.Cache, r.made)
}

// given reads a group of layers of a chunk as it was made.
func (r *restoring) given(_ context.Context, chunk, group int, dst []byte) error {
	from, to := r.shape.GroupBytes(group, kv.Level8)
	copy(dst, r.made.chunk(chunk)[from:to])
	return nil
}

// slowed makes reads as slow as a disk is.
func slowed(read transformer.ReadGroup, slow *disk.Throttle) transformer.ReadGroup {
	return func(ctx context.Context, chunk, group int, dst []byte) error {
		if err := slow.Pass(ctx, len(dst)); err != nil {
			return err
		}
		return read(ctx, chunk, group, dst)
	}
}

// writeRestores writes what bringing back took.
func (r *ContextsReport) writeRestores(w io.Writer) error {
	if len(r.Restores) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\na conversation of %d tokens, brought back\n", r.Restores[0].Tokens)
	t := newTable(w, "disk MB/s\tread ms\tcompute ms\tboth ms\tchunks computed\tratio")
	for _, row := range r.Restores {
		name := fmt.Sprintf("%g", row.Rate)
		if row.Even {
			name = fmt.Sprintf("%.1f (even)", row.Rate)
		}
		t.row("%s\t%.1f\t%.1f\t%.1f\t%d of %d\t%.2f", name, row.Read, row.Compute, row.Both, row.Computed, row.Chunks, row.Ratio)
	}
	return t.flush()
}
