package swap_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"dowse/engine/memory"
	"dowse/engine/swap"
	"dowse/models/modeltest"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

// rowFile is a row pack, whose single rows are cut out of their records.
type rowFile struct{ *pack.Rows }

func (f rowFile) ReadRow(layer int, b pack.Bundle, channel int, buffer []byte) ([]byte, error) {
	l := f.Layout()
	record, err := f.ReadRecords(layer, b, channel, channel+1, directio.AlignedBytes(l.RecordsBuffer(0, b, 1)))
	if err != nil {
		return nil, err
	}
	at := 0
	if b.Residual() {
		at = layer % l.GroupLayers * l.RowBytes(b)
	}
	return buffer[:copy(buffer, record[at:at+l.RowBytes(b)])], nil
}

// openRows converts a small decoder, and returns the row pack and its path.
func openRows(t *testing.T, group, bits int) (file rowFile, path string) {
	t.Helper()
	model := modeltest.Decoders()["llama"]
	model.Layers = 9
	files, err := model.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(filepath.Join(folder, "source"), files); err != nil {
		t.Fatal(err)
	}
	if err := pack.Import(t.Context(), filepath.Join(folder, "source"), filepath.Join(folder, "model.pack"), nil); err != nil {
		t.Fatal(err)
	}
	p, err := pack.Open(filepath.Join(folder, "model.pack"))
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(folder, "model.rows")
	if err := pack.WriteRows(context.Background(), p, path, pack.RowOptions{GroupLayers: group, Bits: bits}, nil); err != nil {
		t.Fatal(err)
	}
	rows, err := pack.OpenRows(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(rows.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return rowFile{rows}, path
}

// Rows of a file come as they lie in it, one by one and as whole layers, whatever the
// group and the width.
func TestA3_RowsOfAFile(t *testing.T) {
	for _, c := range [][2]int{{1, 8}, {4, 8}, {2, 4}} {
		file, _ := openRows(t, c[0], c[1])
		l := file.Layout()
		var ledger memory.Ledger
		s, err := swap.New(file, swap.Options{Budget: swap.Least(l), Ledger: &ledger})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 0))
		for range 3 {
			for layer := range l.Layers {
				for b := range pack.Bundles {
					var channels []int32
					for c := range l.Channels[b] {
						if rng.IntN(3) == 0 {
							channels = append(channels, int32(c))
						}
					}
					rows := make([]*int8, len(channels))
					if err := s.Rows(t.Context(), layer, b, channels, rows); err != nil {
						t.Fatal(err)
					}
					for i, channel := range channels {
						want, err := file.ReadRow(layer, b, int(channel), directio.AlignedBytes(1<<16))
						if err != nil {
							t.Fatal(err)
						}
						if got := unsafe.Slice((*byte)(unsafe.Pointer(rows[i])), len(want)); !slices.Equal(got, want) {
							t.Fatalf("layer %d, %v, channel %d differs", layer, b, channel)
						}
					}
					s.Hint(layer, b, channels)
				}
				s.Release(layer)
			}
		}
		for layer := range l.Layers {
			d, err := s.AcquireDense(t.Context(), layer)
			if err != nil {
				t.Fatal(err)
			}
			for b := range pack.Bundles {
				last := l.Channels[b] - 1
				want, err := file.ReadRow(layer, b, last, directio.AlignedBytes(1<<16))
				if err != nil {
					t.Fatal(err)
				}
				got := d.Weights[b][last*d.Stride[b]:][:len(want)]
				if string(want) != string(unsafe.Slice((*byte)(unsafe.Pointer(&got[0])), len(got))) {
					t.Fatalf("layer %d, %v: the last row differs", layer, b)
				}
			}
			s.ReleaseDense(layer)
		}
		if err := s.Close(); err != nil || ledger.Total() != 0 || ledger.Peak() > swap.Least(l) {
			t.Errorf("%d bytes at most of %d, %v, %v", ledger.Peak(), swap.Least(l), ledger.Snapshot(), err)
		}
	}
}

// A file that is cut while it is open is an error, and never a wrong row.
func TestRowsOfACutFile(t *testing.T) {
	file, path := openRows(t, 4, 8)
	var ledger memory.Ledger
	s, err := swap.New(file, swap.Options{Budget: swap.Least(file.Layout()), Ledger: &ledger})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	if err := s.Rows(t.Context(), 8, pack.DownBundle, []int32{1}, make([]*int8, 1)); !errors.Is(err, pack.ErrTruncated) {
		t.Errorf("a row: %v", err)
	}
	s.Release(8)
	if _, err := s.AcquireDense(t.Context(), 8); !errors.Is(err, pack.ErrTruncated) {
		t.Errorf("a layer: %v", err)
	}
	if err := s.Close(); err != nil || ledger.Total() != 0 {
		t.Errorf("%v, %v", ledger.Snapshot(), err)
	}
}
