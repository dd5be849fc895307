package disk_test

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/internal/testwait"
)

// Reads run beside writes, lowering and deletions. One that succeeds has the bytes that
// were put.
func TestReadsBesideWrites(t *testing.T) {
	d := open(t, t.TempDir(), quota(60))
	tokens := [][]int32{text(1, 120), text(2, 120), append(text(1, 60), text(3, 60)...)}
	var all []disk.ChunkID
	for _, of := range tokens {
		all = append(all, ids(d, of, "")...)
	}
	var readers sync.WaitGroup
	end := make(chan struct{})
	counts := make([]atomic.Int64, 3)
	for r := range counts {
		readers.Go(func() {
			rng := rand.New(rand.NewPCG(11, uint64(r)))
			for ended := false; !ended; {
				select {
				case <-end:
					ended = true
				default:
				}
				id := all[rng.IntN(len(all))]
				d.Conversations()
				entry, there := d.Find(id)
				if !there {
					continue
				}
				data, err := read(d, id, entry.Level)
				if err == nil && !bytes.Equal(data, bytesOf(id, entry.Level)) || err != nil && !lost(err) {
					t.Errorf("read: %v", err)
					return
				}
				if err == nil {
					counts[r].Add(1)
				}
			}
		})
	}
	rng := rand.New(rand.NewPCG(12, 0))
	hasRead := func() bool {
		for i := range counts {
			if counts[i].Load() == 0 {
				return false
			}
		}
		return true
	}
	// A busy machine may give a reader its first turn late.
	for step, begun := 0, time.Now(); step < 120 || !hasRead() && time.Since(begun) < testwait.Patience; step++ {
		i := step % len(tokens)
		name := string('a' + rune(i))
		of := ids(d, tokens[i], "")
		have, err := d.Tokens(name)
		must(t, err)
		if len(have) == 0 {
			keep(t, d, name, tokens[i], kv.Level8)
			continue
		}
		if rng.IntN(6) == 0 {
			must(t, d.Delete(name))
			continue
		}
		from := rng.IntN(len(of))
		must(t, put(d, name, from, []kv.Level{kv.Level8, kv.Level4, kv.Level2}[rng.IntN(3)], of[from:]...))
	}
	close(end)
	readers.Wait()
	requireSound(t, d)
	if !hasRead() {
		t.Error("one read nothing: the test shows nothing")
	}
}
