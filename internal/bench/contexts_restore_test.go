package bench

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

// What comes back is compared with what was made, by all three ways, within restores.
func TestContextsRestores(t *testing.T) {
	o := contextsOptions(t)
	o.Restore = true
	r, err := Contexts(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Restores) != len(restoreRates)+1 {
		t.Fatalf("%d rows", len(r.Restores))
	}
	for i, row := range r.Restores {
		if row.Even != (i == len(restoreRates)) || row.Rate <= 0 || row.Chunks == 0 || row.Computed > row.Chunks ||
			row.Read <= 0 || row.Compute <= 0 || row.Both <= 0 || row.Ratio != min(row.Read, row.Compute)/row.Both {
			t.Errorf("%+v", row)
		}
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "(even)") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// A conversation that comes back with another bit is told of.
func TestSameConversation(t *testing.T) {
	o := contextsOptions(t)
	s := openSwitching(t, o)
	m := s.made[0]
	c := s.decoder.NewConversation()
	defer c.Free() //nolint:errcheck // what is compared was found
	if err := errors.Join(m.give(c.Cache, 0, 20), m.give(c.Cache, 20, m.sequence.Len()), sameConversation(c.Cache, m)); err != nil {
		t.Fatal(err)
	}
	if err := m.give(c.Cache, 0, 4); err == nil {
		t.Error("tokens are given to a conversation that has other ones")
	}
	c.Data(1)[7] ^= 1
	if err := sameConversation(c.Cache, m); err == nil || !strings.Contains(err.Error(), "chunk 1 came back as another one") {
		t.Errorf("%v", err)
	}
}

func TestSlowedReads(t *testing.T) {
	given := func(_ context.Context, _, _ int, dst []byte) error {
		dst[0] = 7
		return nil
	}
	dst, start := make([]byte, 1000), time.Now()
	if err := slowed(given, disk.NewThrottle(1e9))(t.Context(), 0, 0, dst); err != nil || dst[0] != 7 || time.Since(start) < time.Microsecond {
		t.Errorf("%v, read %d", err, dst[0])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := slowed(given, disk.NewThrottle(1))(ctx, 0, 0, dst); !errors.Is(err, context.Canceled) {
		t.Errorf("%v of a read that would take 1,000 seconds", err)
	}
	if err := slowed(given, disk.NewThrottle(0))(t.Context(), 0, 0, dst); err != nil {
		t.Error(err)
	}
}

// Two conversations of four chunks share the memory of five. Only what is missing comes
// back, at the level that it has.
func TestEvictions(t *testing.T) {
	o := contextsOptions(t)
	o.Evict, o.Calls, o.Shares = true, 20, []int{40}
	r, err := Contexts(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Evictions) != len(evictionOrders) {
		t.Fatalf("%d rows", len(r.Evictions))
	}
	for i, row := range r.Evictions {
		if row.Order != evictionOrders[i].name || row.Switches == 0 || row.Chunks == 0 || row.Bytes == 0 || row.Millis <= 0 {
			t.Errorf("%+v", row)
		}
	}
	if r.Evictions[0].Ratio != 1 || r.Evictions[0].Order != oldestFirst {
		t.Errorf("%+v", r.Evictions[0])
	}
}

// An eviction never holds more than its limit once a call is over, but for the
// conversation of the call, and knows what it holds.
func TestEvictionCounts(t *testing.T) {
	s := openSwitching(t, contextsOptions(t))
	for _, order := range evictionOrders {
		e := s.newEviction(order, len(s.made), kv.UsualProfile, 0)
		size := int64(e.shape.ChunkBytes(kv.Level8))
		e.limit = 7 * e.inMemory(kv.Level8) // an open chunk of the other conversation stays
		for i, c := range []call{
			{conversation: 0, delta: 64}, {conversation: 1, delta: 40}, {conversation: 0, before: 64, delta: 20},
			{conversation: 1, before: 40, delta: 30}, {conversation: 1, fresh: true, delta: 16},
		} {
			e.call(c)
			held := int64(0)
			for _, k := range e.kept {
				for chunk, gone := range k.missing {
					if !gone {
						held += e.inMemory(k.levels[chunk])
					}
				}
			}
			if held != e.held || held > e.limit {
				t.Errorf("call %d: %d bytes are held, counted as %d, of at most %d", i, held, e.held, e.limit)
			}
		}
		if e.row.Switches != 2 || e.row.Chunks == 0 || e.row.Bytes != int64(e.row.Chunks)*size || e.seconds <= 0 {
			t.Errorf("%+v in %g s", e.row, e.seconds)
		}
	}
}

// The reference order of LCTRU: the most bits first, and of as many the chunk that was used
// the longest time ago. LRU looks at that alone, and who knows the future at that. The
// chunks of this model fill no page at any level, so that those of fewer bits take fewer
// seconds to bring back as many bytes.
func TestK8_EvictionOrders(t *testing.T) {
	s := openSwitching(t, contextsOptions(t))
	for order, want := range map[string]string{
		oldestFirst: "DBCEA", heaviestFirst: "CABED", cheapestFirst: "DBECA", lastCalled: "BAECD",
	} {
		i := slices.IndexFunc(evictionOrders, func(o evictionOrder) bool { return o.name == order })
		e := s.newEviction(evictionOrders[i], 5, kv.UsualProfile, 0)
		e.profile.Read = 0
		for used, c := range []struct {
			name  byte
			level kv.Level
		}{{'D', kv.Level2}, {'B', kv.Level4}, {'C', kv.Level8}, {'E', kv.Level4}, {'A', kv.Level8}} {
			at := chunkPlace{conversation: int(c.name - 'A')}
			e.kept[at.conversation].levels = []kv.Level{c.level}
			e.used[at] = used
			e.queue.Use(at, e.inMemory(c.level))
			e.recency.call(at.conversation)
		}
		for _, called := range "DDCE" {
			e.next = append(e.next, call{conversation: int(called - 'A')})
		}
		e.next = append(e.next, call{conversation: 0, fresh: true}, call{conversation: 0})
		e.sort()
		got := ""
		for _, at := range e.queue.Evict(1<<60, nil) {
			got += string(rune('A' + at.conversation))
		}
		if got != want {
			t.Errorf("%s: %s, want %s", order, got, want)
		}
	}
}

// What is called longer ago is never expected sooner, but for the last one called.
func TestRecency(t *testing.T) {
	var r recency
	for _, c := range []int{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 2} {
		r.call(c)
	}
	chances := r.chances(5)
	if !slices.Equal(r.recent, []int{2, 3, 1, 0}) || chances[3] != chances[1] || chances[1] != chances[0] ||
		chances[2] >= chances[0] || chances[4] != 0 {
		t.Errorf("%v of %v", chances, r.recent)
	}
}

// openSwitching makes the conversations of options.
func openSwitching(t *testing.T, o ContextsOptions) *switching {
	t.Helper()
	s, err := newSwitching(t.Context(), o, newKernel(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.make(t.Context(), s.settings(), &ContextsReport{}); err != nil {
		t.Fatal(err)
	}
	return s
}
