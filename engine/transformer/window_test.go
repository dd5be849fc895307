package transformer

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"dowse/engine/memory"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// smallStream opens a model of random weights for streaming.
func smallStream(t *testing.T, layers int) *pack.Stream {
	t.Helper()
	files, err := modeltest.Reranker{Layers: layers}.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "model.pack")
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	if err := pack.Import(t.Context(), folder, path, nil); err != nil {
		t.Fatal(err)
	}
	stream, err := pack.OpenStream(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stream.Close(); err != nil {
			t.Error(err)
		}
	})
	return stream
}

// networkOf returns the arithmetic of a model; its kernels are not called.
func networkOf(t *testing.T, stream *pack.Stream) architecture {
	t.Helper()
	n, err := newEncoderNetwork(nil, stream.Config())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// While layer l is in use, layer l+1 is read without being asked for, and
// layer l+2 as soon as l is released.
func TestG3_WindowReadsOneLayerAhead(t *testing.T) {
	const count = 5
	var ledger memory.Ledger
	stream := smallStream(t, count)
	w, err := newWindow(stream, networkOf(t, stream), &ledger, false)
	if err != nil {
		t.Fatal(err)
	}
	config := stream.Config()
	want := func(slot, i int) {
		t.Helper()
		if i >= count {
			if len(w.arrived[slot]) != 0 {
				t.Errorf("something was read after the last layer")
			}
			return
		}
		views, err := stream.ReadLayer(i, alignedBuffer(t, config.LayerBuffer()))
		if err != nil {
			t.Fatal(err)
		}
		if len(w.arrived[slot]) != 1 || w.current[slot].(*encoderLayer).up.Bias[0] != views.Up.Bias[0] {
			t.Errorf("layer %d is not there yet", i)
		}
	}
	for i := range count {
		w.reads.Wait()
		want(i%2, i)
		if _, err := w.acquire(t.Context(), i); err != nil {
			t.Fatal(err)
		}
		want((i+1)%2, i+1)
		w.release(i)
	}
	if w.stats.Stalls != 0 || w.stats.LayersRead != count {
		t.Errorf("%+v", w.stats)
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	if ledger.Total() != 0 {
		t.Errorf("%v", ledger.Snapshot())
	}
}

// A synchronous window reads what it is asked for, and the same.
func TestSynchronousWindowReadsNothingAhead(t *testing.T) {
	const count = 4
	stream := smallStream(t, count)
	config := stream.Config()
	w, err := newWindow(stream, networkOf(t, stream), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range count {
		w.reads.Wait()
		if len(w.arrived[0])+len(w.arrived[1]) != 0 {
			t.Errorf("something was read before layer %d was wanted", i)
		}
		l, err := w.acquire(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		views, err := stream.ReadLayer(i, alignedBuffer(t, config.LayerBuffer()))
		if err != nil {
			t.Fatal(err)
		}
		if l.(*encoderLayer).up.Bias[0] != views.Up.Bias[0] {
			t.Errorf("layer %d is another one", i)
		}
		w.release(i)
	}
	if w.stats.LayersRead != count {
		t.Errorf("%+v", w.stats)
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
}

func alignedBuffer(t *testing.T, size int) []byte {
	t.Helper()
	buffer, err := memory.NewBuffer(nil, "", size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := buffer.Free(); err != nil {
			t.Error(err)
		}
	})
	return buffer.Bytes()
}

// Hidden states lie in a file that no folder shows, and without a place for
// one there is an error and nothing is held.
func TestOffloadFileIsHidden(t *testing.T) {
	var ledger memory.Ledger
	lengths := []int{3, 500, 2, 9, 40, 1}
	options := CrossEncoderOptions{Ledger: &ledger, Spill: t.TempDir(), Limits: Limits{Threads: 2}}
	s, err := newStates(lengths, 64, Plan{Offload: true, ChunkRows: 12}, &options)
	if err != nil {
		t.Fatal(err)
	}
	fill := func(pieces []piece) error {
		for _, p := range pieces {
			for i := range p.hidden {
				p.hidden[i] = float32(p.candidates[0])
			}
		}
		return nil
	}
	if err := s.each(t.Context(), create, fill); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(options.Spill)
	if runtime.GOOS == "windows" { // an open file cannot be removed there
		files = nil
	}
	if err != nil || len(files) != 0 {
		t.Errorf("the folder shows %v (%v)", files, err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	options.Spill = filepath.Join(options.Spill, "absent")
	if _, err := newStates(lengths, 64, Plan{Offload: true, ChunkRows: 12}, &options); err == nil {
		t.Error("a folder that does not exist is written to")
	}
	if ledger.Total() != 0 {
		t.Errorf("%v", ledger.Snapshot())
	}
}

// Any number of layers that are kept leaves the others spread over the model.
func TestKeptLayersAreSpread(t *testing.T) {
	for layers := 1; layers <= 70; layers++ {
		rank := keepRanks(layers)
		for keep := range layers + 1 {
			run, longest, kept := 0, 0, 0
			for _, r := range rank {
				if run++; r < keep {
					run, kept = 0, kept+1
				}
				longest = max(longest, run)
			}
			if kept != keep {
				t.Fatalf("%d of %d layers are kept, want %d", kept, layers, keep)
			}
			if even := (layers + keep) / (keep + 1); longest > 3*even {
				t.Errorf("%d of %d layers kept: %d in a row are read, %d if they were even", keep, layers, longest, even)
			}
		}
	}
}
