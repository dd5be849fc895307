package leann

import (
	"slices"
	"testing"
)

// TestQueueAgainstSorting mixes all operations of a queue and compares it
// with a slice that is sorted after each. Scores are few, so ties are many.
func TestQueueAgainstSorting(t *testing.T) {
	rng := seeded(t, 31)
	for round := range 200 {
		q := queue{worst: round%2 == 0}
		var twin []scored // root first
		for next := range uint32(200) {
			s := scored{next, float32(rng.IntN(9))}
			switch op := rng.IntN(4); {
			case op == 0 && len(twin) > 0:
				if got := q.pop(); got != twin[0] {
					t.Fatalf("popped %v, want %v", got, twin[0])
				}
				twin = twin[1:]
			case op == 1 && len(twin) > 0:
				if got := q.replace(s); got != twin[0] {
					t.Fatalf("replaced %v, want %v", got, twin[0])
				}
				twin = append(twin[1:], s)
			default:
				q.push(s)
				twin = append(twin, s)
			}
			slices.SortFunc(twin, compareScored)
			if q.worst {
				slices.Reverse(twin)
			}
			if q.len() != len(twin) || q.len() > 0 && q.root() != twin[0] {
				t.Fatalf("%d items, want %v", q.len(), twin)
			}
		}
		if q.clear(); q.len() != 0 {
			t.Fatal("items after clear")
		}
	}
}

func TestQueueOffer(t *testing.T) {
	rng := seeded(t, 32)
	for _, n := range []int{0, 1, 7, 500} {
		q := queue{worst: true}
		var all []scored
		for node := range uint32(300) {
			s := scored{node, float32(rng.IntN(20))}
			all = append(all, s)
			slices.SortFunc(all, compareScored)
			want := slices.Contains(all[:min(n, len(all))], s)
			if got := q.offer(s, n); got != want {
				t.Fatalf("best %d: %v kept is %v, want %v", n, s, got, want)
			}
		}
		slices.SortFunc(q.items, compareScored)
		if want := all[:min(n, len(all))]; !slices.Equal(q.items, want) {
			t.Fatalf("best %d: %v, want %v", n, q.items, want)
		}
	}
}

func TestMarks(t *testing.T) {
	rng := seeded(t, 33)
	var m marks
	for round := range 100 {
		size := 1 + rng.IntN(500)
		m.reset(size)
		twin := map[uint32]bool{}
		for range 100 {
			node := uint32(rng.IntN(size))
			if m.has(node) != twin[node] {
				t.Fatalf("round %d: has %d is %v", round, node, m.has(node))
			}
			if rng.IntN(2) == 0 {
				if isNew := m.add(node); isNew == twin[node] {
					t.Fatalf("round %d: add %d says %v", round, node, isNew)
				}
				twin[node] = true
			}
		}
	}
}

func BenchmarkQueue(b *testing.B) {
	rng := seeded(b, 34)
	items := make([]scored, 1024)
	for i := range items {
		items[i] = scored{uint32(i), rng.Float32()}
	}
	var q queue
	for b.Loop() {
		for _, s := range items {
			q.push(s)
		}
		for q.len() > 0 {
			q.pop()
		}
	}
}
