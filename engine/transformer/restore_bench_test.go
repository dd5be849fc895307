package transformer_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"dowse/engine/kv"
	"dowse/engine/transformer"
)

// bucket lets a number of bytes a second through.
type bucket struct {
	mu      sync.Mutex
	perByte time.Duration
	free    time.Time // when what was let through is paid for
}

// take waits until so many bytes may pass.
func (b *bucket) take(ctx context.Context, bytes int) error {
	b.mu.Lock()
	if now := time.Now(); b.free.Before(now) {
		b.free = now
	}
	b.free = b.free.Add(time.Duration(bytes) * b.perByte)
	timer := time.NewTimer(time.Until(b.free))
	b.mu.Unlock()
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// BenchmarkRestore brings 2000 tokens back: by computing all, by reading all from a disk
// that is so slow that this takes as long, and by computing some while others are read,
// as a plan from what both took says. The least time of each is in milliseconds; gain is
// that of the faster alone by that of both together.
func BenchmarkRestore(b *testing.B) {
	const tokens = 2000
	d := openDecoder(b, decoderPack(b), transformer.DecoderOptions{Threads: 2, MaxTokens: 2048, ChunkTokens: recomputeChunk})
	s := d.NewSequence()
	defer freeSequence(b, s)
	appendAll(b, d, s, randomIDs(rand.New(rand.NewPCG(1, 0)), tokens, d.Vocabulary()), tokens)
	r := &restoreBench{decoder: d, sequence: s, chunks: keep(s), least: map[string]time.Duration{}, meter: kv.NewMeter(kv.Profile{})}
	for i := range s.Chunks() {
		r.all = append(r.all, i)
	}
	for b.Loop() {
		r.time(b, "ms/computed", r.all)
		r.disk.perByte = r.least["ms/computed"] / time.Duration(len(r.all)*len(r.chunks.data[0]))
		r.time(b, "ms/read", nil)
		missing := make([]kv.MissingChunk, len(r.all))
		drop(b, s, r.all)
		for i := range r.all {
			missing[i] = s.Missed(i, true)
		}
		_, compute := kv.PlanRestore(missing, r.meter.Profile())
		r.time(b, "ms/both", compute)
		b.ReportMetric(float64(len(compute)), "computed")
	}
	for name, took := range r.least {
		b.ReportMetric(took.Seconds()*1000, name)
	}
	b.ReportMetric(min(r.least["ms/computed"], r.least["ms/read"]).Seconds()/r.least["ms/both"].Seconds(), "gain")
}

// restoreBench is a conversation that comes back again and again.
type restoreBench struct {
	decoder  *transformer.Decoder
	sequence *transformer.Sequence
	chunks   *kept
	all      []int
	disk     bucket
	meter    *kv.Meter
	least    map[string]time.Duration
}

// time drops all chunks, brings them back, and notes what that takes.
func (r *restoreBench) time(b *testing.B, name string, compute []int) {
	b.Helper()
	drop(b, r.sequence, r.all)
	begin := time.Now()
	stats, err := r.decoder.Restore(b.Context(), r.sequence, compute, func(ctx context.Context, chunk, group int, dst []byte) error {
		if err := r.disk.take(ctx, len(dst)); err != nil {
			return err
		}
		return r.chunks.read(ctx, chunk, group, dst)
	})
	took := time.Since(begin)
	if err != nil {
		b.Fatal(err)
	}
	r.meter.Computed(stats.Tokens, stats.Positions, stats.Computing)
	r.meter.Read(stats.Reads, stats.Bytes, stats.Reading)
	if least := r.least[name]; least == 0 || took < least {
		r.least[name] = took
	}
}
