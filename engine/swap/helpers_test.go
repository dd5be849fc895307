package swap

import (
	"bytes"
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

	rows map[rowOf][pack.Bundles][]byte // [layer, channel]

	mu      sync.Mutex
	records int // rows' reads
	bundles int
	bytes   int64
	running int
	most    int // reads under way at a time
}

func (f *fakeRecords) Layout() pack.RowLayout { return f.layout }

// testRow returns the bytes of a row.
func testRow(l pack.RowLayout, layer int, b pack.Bundle, channel int) []byte {
	row := make([]byte, l.RowBytes(b))
	x := uint32(layer*4+int(b))*2654435761 + uint32(channel)*40503
	for n := range row {
		row[n] = byte((x + uint32(n)*97) >> 7)
	}
	return row
}

func newFakeRecords(l pack.RowLayout) *fakeRecords {
	f := &fakeRecords{layout: l, rows: map[rowOf][pack.Bundles][]byte{}}
	for layer := range l.Layers {
		for b := range pack.Bundles {
			for c := range l.Channels[b] {
				at := rowOf{int32(layer), int32(c)}
				rows := f.rows[at]
				rows[b] = testRow(l, layer, b, c)
				f.rows[at] = rows
			}
		}
	}
	return f
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

// fill writes rows of some layers, channel by channel.
func (f *fakeRecords) fill(first, layers int, b pack.Bundle, from, to int, buffer []byte, at int) []byte {
	start := at
	for c := from; c < to; c++ {
		for i := range layers {
			at += copy(buffer[at:], f.rows[rowOf{int32(first + i), int32(c)}][b])
		}
	}
	return buffer[start:at:at]
}

func (f *fakeRecords) ReadRecords(layer int, b pack.Bundle, from, to int, buffer []byte) ([]byte, error) {
	group := layer / f.layout.GroupLayers
	size := (to - from) * f.layout.RecordBytes(group, b)
	if len(buffer) < size+2*directio.Align {
		return nil, fmt.Errorf("a buffer of %d bytes for %d", len(buffer), size)
	}
	end, err := f.begin("records", group, b, from, to, int64(size))
	defer end()
	if err != nil {
		return nil, err
	}
	first, layers := layer, 1
	if b.Residual() {
		first, layers = group*f.layout.GroupLayers, f.layout.LayersOf(group)
	}
	return f.fill(first, layers, b, from, to, buffer, from*7%directio.Align), nil
}

func (f *fakeRecords) ReadRow(layer int, b pack.Bundle, channel int, buffer []byte) ([]byte, error) {
	group, row := layer/f.layout.GroupLayers, f.layout.RowBytes(b)
	end, err := f.begin("row", group, b, channel, channel+1, int64(row))
	defer end()
	if err != nil {
		return nil, err
	}
	if len(buffer) < row+2*directio.Align {
		return nil, fmt.Errorf("a buffer of %d bytes for a row of %d", len(buffer), row)
	}
	return buffer[:copy(buffer, f.rows[rowOf{int32(layer), int32(channel)}][b])], nil
}

func (f *fakeRecords) ReadBundle(group int, b pack.Bundle, buffer []byte) ([]byte, error) {
	end, err := f.begin("bundle", group, b, 0, f.layout.Channels[b], f.layout.BundleBytes(group, b))
	defer end()
	if err != nil {
		return nil, err
	}
	first, layers, at := group*f.layout.GroupLayers, f.layout.LayersOf(group), 0
	if b.Residual() {
		at = len(f.fill(first, layers, b, 0, f.layout.Channels[b], buffer, 0))
	}
	for i := 0; i < layers && !b.Residual(); i++ {
		at += len(f.fill(first+i, 1, b, 0, f.layout.Channels[b], buffer, at))
	}
	return buffer[:at:at], nil
}

// smallLayout has some layers whose bundles differ in every number.
func smallLayout(layers, group, bits int) pack.RowLayout {
	return pack.RowLayout{
		Layers: layers, GroupLayers: group, Bits: bits,
		Channels: [pack.Bundles]int{96, 80, 96, 160}, Outputs: [pack.Bundles]int{176, 96, 320, 96},
	}
}

// newTestSwapper returns a Swapper that is closed with the test, and leaves nothing.
func newTestSwapper(t *testing.T, r Records, o Options) *Swapper {
	t.Helper()
	s, err := New(r, o)
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
func checkLent(t *testing.T, s *Swapper, layer int, b pack.Bundle, channels []int32, rows []*int8) {
	t.Helper()
	for i, c := range channels {
		want := s.records.(*fakeRecords).rows[rowOf{int32(layer), c}][b]
		if got := unsafe.Slice((*byte)(unsafe.Pointer(rows[i])), len(want)); !bytes.Equal(got, want) {
			t.Fatalf("layer %d, %v, channel %d: %d, want %d", layer, b, c, got, want)
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
	checkLent(t, s, layer, b, channels, rows)
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
		checkLent(t, s, layer, b, channels, rows)
	}
}

// keepsTo fails the test if more is held than the budget.
func keepsTo(t *testing.T, ledger *memory.Ledger, budget int64) {
	t.Helper()
	if held := ledger.Total(); held > budget {
		t.Fatalf("%d bytes are held of %d: %v", held, budget, ledger.Snapshot())
	}
}
