package weights

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"dowse/engine/memory"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

// fakeRecords are rows whose bytes follow from where they belong. Reads of records lie
// in the buffer as those of a file do, at any offset in a page.
type fakeRecords struct {
	layout pack.RowLayout
	before func(kind string, group int, b pack.Bundle, from, to int) error // of each read; may block

	mu      sync.Mutex
	records int // rows' reads
	bundles int
	bytes   int64
	running int
	most    int // reads under way at a time
}

func (f *fakeRecords) Layout() pack.RowLayout { return f.layout }

// weight is the byte n of a row.
func weight(layer int, b pack.Bundle, channel, n int) int8 {
	x := uint32(layer*4+int(b))*2654435761 + uint32(channel)*40503 + uint32(n)*97
	return int8(x >> 7)
}

func (f *fakeRecords) begin(kind string, group int, b pack.Bundle, from, to int, bytes int64) (end func(), err error) {
	f.mu.Lock()
	f.running++
	f.most = max(f.most, f.running)
	f.mu.Unlock()
	if f.before != nil {
		err = f.before(kind, group, b, from, to)
	}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.running--
		if err != nil {
			return
		}
		f.bytes += bytes
		if kind == "bundle" {
			f.bundles++
		} else {
			f.records++
		}
	}, err
}

func (f *fakeRecords) fill(group int, b pack.Bundle, from, to int, buffer []byte, at int) []byte {
	row := f.layout.RowBytes(b)
	to8 := unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(buffer))), len(buffer))
	start := at
	for c := from; c < to; c++ {
		for i := range f.layout.LayersOf(group) {
			for n := range row {
				to8[at] = weight(group*f.layout.GroupLayers+i, b, c, n)
				at++
			}
		}
	}
	return buffer[start:at:at]
}

func (f *fakeRecords) ReadRecords(group int, b pack.Bundle, from, to int, buffer []byte) ([]byte, error) {
	bytes := (to - from) * f.layout.RecordBytes(group, b)
	if len(buffer) < bytes+2*directio.Align {
		return nil, fmt.Errorf("a buffer of %d bytes for %d", len(buffer), bytes)
	}
	end, err := f.begin("records", group, b, from, to, int64(bytes))
	defer end()
	if err != nil {
		return nil, err
	}
	return f.fill(group, b, from, to, buffer, from*7%directio.Align), nil
}

func (f *fakeRecords) ReadRow(layer int, b pack.Bundle, channel int, buffer []byte) ([]byte, error) {
	group, row := layer/f.layout.GroupLayers, f.layout.RowBytes(b)
	end, err := f.begin("row", group, b, channel, channel+1, int64(row))
	defer end()
	if err != nil {
		return nil, err
	}
	at := layer % f.layout.GroupLayers * row
	if len(buffer) < row+2*directio.Align {
		return nil, fmt.Errorf("a buffer of %d bytes for a row of %d", len(buffer), row)
	}
	record := directio.AlignedBytes(f.layout.RecordBytes(group, b))
	return buffer[:copy(buffer, f.fill(group, b, channel, channel+1, record, 0)[at:at+row])], nil
}

func (f *fakeRecords) ReadBundle(group int, b pack.Bundle, buffer []byte) ([]byte, error) {
	bytes := f.layout.BundleBytes(group, b)
	end, err := f.begin("bundle", group, b, 0, f.layout.Channels[b], bytes)
	defer end()
	if err != nil {
		return nil, err
	}
	return f.fill(group, b, 0, f.layout.Channels[b], buffer, 0), nil
}

// smallLayout has some layers whose bundles differ in every number.
func smallLayout(layers, group, bits int) pack.RowLayout {
	return pack.RowLayout{
		Layers: layers, GroupLayers: group, Bits: bits,
		Channels: [pack.Bundles]int{96, 80, 96, 160}, Outputs: [pack.Bundles]int{176, 96, 320, 96},
	}
}

// newTestSwapper returns a Swapper that is closed with the test, and leaves nothing.
func newTestSwapper(t *testing.T, r Records, o SwapOptions) *Swapper {
	t.Helper()
	s, err := NewSwapper(r, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil || o.Ledger.Total() != 0 {
			t.Errorf("close: %v, %v", o.Ledger.Snapshot(), err)
		}
	})
	return s
}

// active draws channels that ascend.
func active(rng *rand.Rand, of int, share float64) []int32 {
	var channels []int32
	for c := range of {
		if rng.Float64() < share {
			channels = append(channels, int32(c))
		}
	}
	return channels
}

// checkLent compares rows with what they should be.
func checkLent(t *testing.T, l pack.RowLayout, layer int, b pack.Bundle, channels []int32, rows []*int8) {
	t.Helper()
	for i, c := range channels {
		row := unsafe.Slice(rows[i], l.RowBytes(b))
		for n, got := range row {
			if want := weight(layer, b, int(c), n); got != want {
				t.Fatalf("layer %d, %v, channel %d, byte %d: %d, want %d", layer, b, c, n, got, want)
			}
		}
	}
}

// lendRows asks for rows and compares them.
func lendRows(ctx context.Context, t *testing.T, s *Swapper, layer int, b pack.Bundle, channels []int32) {
	t.Helper()
	rows := make([]*int8, len(channels))
	if err := s.Rows(ctx, layer, b, channels, rows); err != nil {
		t.Fatalf("layer %d, %v: %v", layer, b, err)
	}
	checkLent(t, s.layout, layer, b, channels, rows)
}

// lendDense asks for a layer and compares its rows.
func lendDense(t *testing.T, s *Swapper, layer int) {
	t.Helper()
	d, err := s.AcquireDense(t.Context(), layer)
	if err != nil {
		t.Fatal(err)
	}
	for b := range pack.Bundles {
		channels, rows := make([]int32, s.layout.Channels[b]), make([]*int8, s.layout.Channels[b])
		for c := range channels {
			channels[c], rows[c] = int32(c), &d.Weights[b][c*d.Stride[b]]
		}
		checkLent(t, s.layout, layer, b, channels, rows)
	}
}

// keepsTo fails the test if more is held than the budget.
func keepsTo(t *testing.T, ledger *memory.Ledger, budget int64) {
	t.Helper()
	if held := ledger.Total(); held > budget {
		t.Fatalf("%d bytes are held of %d: %v", held, budget, ledger.Snapshot())
	}
}
