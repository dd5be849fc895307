package rerank_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"dowse/engine/rerank"
)

// TestG10Replay is T-G10: a trace replayed takes the decisions of the live
// run, for every threshold and all other options.
func TestG10Replay(t *testing.T) {
	eachTrial(t, func(_ *rand.Rand, s *script, opts rerank.Options) {
		recorded := record(t, s)
		if want := s.trace(); !reflect.DeepEqual(recorded, want) {
			t.Fatalf("recorded %+v instead of %+v", recorded, want)
		}
		for _, tau := range []float64{0, 0.05, 0.2, opts.Tau, 1, 5, math.Inf(1)} {
			opts.Tau = tau
			live := s.run(opts)
			late := opts
			late.Deadline = time.Now().Add(-time.Hour) // not for replays
			replayed, err := rerank.Replay(recorded, late)
			if err != nil || !reflect.DeepEqual(live, replayed) {
				t.Fatalf("tau %v: %v\nlive     %+v\nreplayed %+v", tau, err, live, replayed)
			}
		}
	})
}

// record takes the trace of a full run.
func record(t *testing.T, s *script) rerank.Trace {
	t.Helper()
	s.active = nil
	opts := rerank.Exact(1)
	opts.Mode = rerank.Order
	recorder := rerank.NewRecorder(s, s.n())
	if _, err := rerank.Run(context.Background(), recorder, s.n(), opts); err != nil {
		t.Fatal(err)
	}
	trace, err := recorder.Trace()
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// TestRecorderIncomplete: what was not seen is not made up.
func TestRecorderIncomplete(t *testing.T) {
	s := timed(t, 6, 10)
	recorder := rerank.NewRecorder(s, 10)
	if _, err := rerank.Run(context.Background(), recorder, 10, rerank.Options{K: 3, Literal: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := recorder.Trace(); err == nil {
		t.Error("a pruned run gives a trace")
	}
	if _, err := rerank.NewRecorder(s, 0).Trace(); err == nil {
		t.Error("no candidates give a trace")
	}
}

// TestTraceRoundTrip: a stored trace comes back, and that of 20 candidates in
// 30 layers stays under 4 KiB.
func TestTraceRoundTrip(t *testing.T) {
	r := random(t)
	for range 50 {
		want := randomScript(t, r, 1+r.IntN(40), 1+r.IntN(30), false).trace()
		data, err := want.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got rerank.Trace
		if err := got.UnmarshalBinary(data); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %+v instead of %+v", err, got, want)
		}
	}
	data, err := randomScript(t, r, 20, 30, false).trace().MarshalBinary()
	if err != nil || len(data) > 4096 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// TestTraceDamage: no flipped bit and no cut end goes unnoticed.
func TestTraceDamage(t *testing.T) {
	data := storedTrace(t)
	for bit := range 8 * len(data) {
		damaged := bytes.Clone(data)
		damaged[bit/8] ^= 1 << (bit % 8)
		checkRefused(t, damaged, rerank.ErrCorrupt)
	}
	for length := range data {
		checkRefused(t, data[:length], rerank.ErrCorrupt)
	}
	checkRefused(t, append(bytes.Clone(data), 0), rerank.ErrCorrupt)

	later := bytes.Clone(data)
	later[3]++
	checkRefused(t, summed(later), rerank.ErrVersion)
	wider := bytes.Clone(data)
	wider[4]++
	checkRefused(t, summed(wider), rerank.ErrCorrupt)
	endless := bytes.Clone(data)
	binary.LittleEndian.PutUint32(endless[8:], math.Float32bits(float32(math.Inf(1))))
	checkRefused(t, summed(endless), rerank.ErrCorrupt)
}

// storedTrace is a small one.
func storedTrace(t testing.TB) []byte {
	t.Helper()
	data, err := rerank.Trace{Candidates: 3, Layers: 2, Margins: []float32{1, -2, 3, 1.5, -2.5, 0}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// summed puts the right checksum at the end.
func summed(data []byte) []byte {
	body := data[:len(data)-4]
	return binary.LittleEndian.AppendUint32(slices.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

// checkRefused reads what must not be read.
func checkRefused(t *testing.T, data []byte, want error) {
	t.Helper()
	before := rerank.Trace{Candidates: 1, Layers: 1, Margins: []float32{7}}
	trace := before
	if err := trace.UnmarshalBinary(data); !errors.Is(err, want) || !reflect.DeepEqual(trace, before) {
		t.Errorf("%x: %v, %+v", data, err, trace)
	}
}

// TestTraceInvalid: a trace that no run leaves is neither stored nor replayed.
func TestTraceInvalid(t *testing.T) {
	for _, trace := range []rerank.Trace{
		{},
		{Candidates: 2, Layers: 2, Margins: make([]float32, 3)},
		{Candidates: -1, Layers: -1, Margins: make([]float32, 1)},
		{Candidates: 1 << 16, Layers: 1, Margins: make([]float32, 1<<16)},
		{Candidates: 1, Layers: 1, Margins: []float32{float32(math.NaN())}},
	} {
		if data, err := trace.MarshalBinary(); err == nil {
			t.Errorf("%d candidates, %d layers: %d bytes", trace.Candidates, trace.Layers, len(data))
		}
		if _, err := rerank.Replay(trace, rerank.Exact(1)); err == nil {
			t.Errorf("%d candidates, %d layers: replayed", trace.Candidates, trace.Layers)
		}
	}
}

// FuzzTrace: whatever is read was written so, and replays.
func FuzzTrace(f *testing.F) {
	data := storedTrace(f)
	f.Add(data)
	f.Add(data[:9])
	f.Add([]byte("RTR"))
	f.Fuzz(func(t *testing.T, data []byte) {
		// Most inputs would end at the checksum; the second try gets past it.
		for range 2 {
			var trace rerank.Trace
			if err := trace.UnmarshalBinary(data); err == nil {
				again, err := trace.MarshalBinary()
				if err != nil || !bytes.Equal(again, data) {
					t.Fatalf("%x: written as %x, %v", data, again, err)
				}
				if _, err := rerank.Replay(trace, rerank.Options{K: 2, Literal: true}); err != nil {
					t.Fatal(err)
				}
			}
			if len(data) < 4 {
				return
			}
			data = summed(data)
		}
	})
}
