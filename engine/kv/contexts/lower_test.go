package contexts

import (
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/kv"
)

// TestK5_OlderChunksAreLowered to the ratio, the last ones stay at 8 bits, and no chunk
// ever has more bits than before.
func TestK5_OlderChunksAreLowered(t *testing.T) {
	h := newWideHome(t)
	h.ratio = 0.5
	w := h.open(t, true)
	before := map[int]kv.Level{}
	for _, given := range script(11, 6, 120, w.decoder.Vocabulary()) {
		w.say(t, "talk", given)
		w.drain(t)
		c := w.conversations["talk"]
		s, full := c.sequence, len(c.chunks)-kv.Residual
		shape, bytes := s.Shape(), 0
		for i := range c.chunks {
			level := c.chunks[i].level
			switch was, known := before[i]; {
			case level != s.Level(i):
				t.Fatalf("chunk %d has %d bits, and is called one of %d", i, s.Level(i), level)
			case known && level > was:
				t.Errorf("chunk %d goes from %d bits to %d", i, was, level)
			case i >= full && level != kv.Level8:
				t.Errorf("chunk %d of %d has %d bits", i, s.Chunks(), level)
			}
			before[i] = level
			if i < full {
				bytes += shape.ChunkBytes(level)
			}
		}
		if most := full * shape.ChunkBytes(kv.Level8) / 2; full > 0 && bytes > most {
			t.Errorf("%d bytes of %d older chunks, at most %d", bytes, full, most)
		}
	}
	if use, _ := w.Use("talk"); use.Chunks[kv.Level4]+use.Chunks[kv.Level2] == 0 || use.Chunks[kv.Level8] < kv.Residual-1 {
		t.Errorf("%+v", use)
	}
	written := w.disk.Chunks("talk")
	for i, owned := range written {
		if entry, there := w.disk.Find(owned.ID); !there || entry.Level != before[i] || owned.Level != before[i] || owned.Density <= 0 {
			t.Errorf("chunk %d lies at %d bits, want %d: %+v", i, entry.Level, before[i], owned)
		}
	}
}

// TestK2_LoweredConversationGoesOn as one that never left, whether it was dropped, or
// another process opens it.
func TestK2_LoweredConversationGoesOn(t *testing.T) {
	h := newWideHome(t)
	h.ratio = 0.5
	w := h.open(t, true)
	turns := script(12, 6, 90, w.decoder.Vocabulary())
	want := w.plainly(t, turns)
	for i, given := range turns {
		requireSaid(t, i, w.say(t, "talk", given), want[i])
		w.drain(t)
		if i%2 == 0 {
			w.Reclaim(w.Stats().Memory)
			continue
		}
		w.close(t)
		w = h.open(t, true)
	}
	if s := w.Stats(); s.Inexact != 0 || s.Failed != 0 {
		t.Errorf("%+v", s)
	}
}

// TestK3_LostChunksBehindLoweredOnesAreDeclared: they are computed from what there is,
// counted, and then kept as what they are.
func TestK3_LostChunksBehindLoweredOnesAreDeclared(t *testing.T) {
	h := newWideHome(t)
	h.ratio = 0.5
	w := h.open(t, true)
	turns := script(13, 5, 150, w.decoder.Vocabulary())
	for _, given := range turns[:3] {
		w.say(t, "talk", given)
	}
	w.drain(t)
	w.close(t)
	removeSlots(t, h.folder)
	w = h.open(t, true)
	w.say(t, "talk", turns[3])
	w.drain(t)
	s := w.Stats()
	if s.Inexact == 0 || s.Inexact >= s.Computed || s.Dirty != 0 {
		t.Errorf("%+v", s)
	}
	w.Reclaim(s.Memory)
	w.say(t, "talk", turns[4])
	if again := w.Stats(); again.Inexact != s.Inexact || again.Failed != 0 {
		t.Errorf("%+v after %+v", again, s)
	}
}

// TestDamageIsFound by its checksum, and computed again: the same tokens follow.
func TestDamageIsFound(t *testing.T) {
	h := newHome(t)
	w := h.open(t, true)
	turns := script(14, 4, 100, w.decoder.Vocabulary())
	want := w.plainly(t, turns)
	for i, given := range turns {
		requireSaid(t, i, w.say(t, "talk", given), want[i])
		w.drain(t)
		w.close(t)
		damage(t, h.folder, int64(i))
		w = h.open(t, true)
	}
	s, err := w.Open(t.Context(), "talk")
	if err != nil {
		t.Fatal(err)
	}
	if s.Restored.Failed == 0 || s.Restored.Read == 0 || s.Restored.Inexact != 0 {
		t.Errorf("%+v", s.Restored)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w.drain(t)
	w.Reclaim(w.Stats().Memory)
	if got := w.say(t, "talk", turns[0]); len(got) == 0 || w.Stats().Failed != s.Restored.Failed {
		t.Errorf("what was damaged was not written again: %+v", w.Stats())
	}
}

// TestDamagedTokensAreLost, and the conversation begins anew: who asks has its text.
func TestDamagedTokensAreLost(t *testing.T) {
	h := newHome(t)
	w := h.open(t, true)
	turns := script(15, 1, 100, w.decoder.Vocabulary())
	said := w.say(t, "talk", turns[0])
	w.drain(t)
	logs, err := filepath.Glob(filepath.Join(h.folder, "*.tokens"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%v, %v", logs, err)
	}
	if err := os.Truncate(logs[0], 100); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.Manager = New(Options{Decoder: w.decoder, Disk: w.disk})
	requireSaid(t, 0, w.say(t, "talk", turns[0]), said)
	w.drain(t)
	if s := w.Stats(); s.Problem == "" || s.Dirty != 0 || s.Written == 0 {
		t.Errorf("%+v", s)
	}
}
