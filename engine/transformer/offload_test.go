package transformer

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"dowse/engine/memory"
)

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
