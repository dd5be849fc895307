package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/kv"
)

// run is three pieces in pages that follow each other, two of which end within a page.
func run(fill byte) []piece {
	pieces := []piece{{extent{1, 1}, make([]byte, 4000)}, {extent{2, 2}, make([]byte, 8192)}, {extent{4, 1}, make([]byte, 10)}}
	for i, p := range pieces {
		for at := range p.data {
			p.data[at] = fill * byte(i+1)
		}
	}
	return pieces
}

// TestTransfer compares calls that write a few bytes at a time with those of this system.
func TestTransfer(t *testing.T) {
	few := func(call vector) vector {
		return func(file *os.File, buffers [][]byte, offset int64) (int, error) {
			first := buffers[0]
			return call(file, [][]byte{first[:min(len(first), 777)]}, offset)
		}
	}
	for name, call := range map[string]vector{"all": writeVector, "few": few(writeVector)} {
		file, err := os.Create(filepath.Join(t.TempDir(), "slots"))
		if err != nil {
			t.Fatal(err)
		}
		written := run(1)
		if err := transfer(file, written, call); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, p := range written {
			read := make([]byte, len(p.data))
			if _, err := file.ReadAt(read, p.page*pageBytes); err != nil || !bytes.Equal(read, p.data) {
				t.Errorf("%s: piece %d has other bytes (%v)", name, i, err)
			}
		}
		if info, err := file.Stat(); err != nil || info.Size() != 4*4096+10 {
			t.Errorf("%s: %d bytes, %v", name, info.Size(), err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestScrub removes pages by holes, and by zeroes as systems without holes do.
func TestScrub(t *testing.T) {
	for name, remove := range map[string]func(*os.File, extent) error{"scrub": scrub, "zero": zero} {
		file, err := os.Create(filepath.Join(t.TempDir(), "slots"))
		if err != nil {
			t.Fatal(err)
		}
		want := bytes.Repeat([]byte{7}, 40*4096+10)
		if _, err := file.WriteAt(want, 0); err != nil {
			t.Fatal(err)
		}
		clear(want[2*4096 : 30*4096])
		clear(want[40*4096:])
		for _, e := range []extent{{2, 28}, {40, 5}, {50, 1}} {
			if err := remove(file, e); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got, err := os.ReadFile(file.Name()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s leaves other bytes (%v)", name, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A checksum says whose the bytes are, not only which.
func TestSumsCoverWhatBytesAreOf(t *testing.T) {
	data := []byte("keys and values")
	sums := map[uint32]bool{}
	for _, id := range []ChunkID{{1}, {2}, {31: 1}} {
		for _, level := range []kv.Level{kv.Level8, kv.Level4} {
			for group := range kv.Groups {
				sums[sum(id, level, group, data)] = true
			}
		}
	}
	if len(sums) != 3*2*kv.Groups {
		t.Errorf("%d checksums of %d", len(sums), 3*2*kv.Groups)
	}
}
