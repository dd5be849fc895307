package lfu

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func newLFU(channels, capacity int, cached ...int32) *Cache {
	l := &Cache{
		Count: make([]int32, channels), Used: make([]int32, channels), State: make([]uint8, channels),
		Capacity: capacity, Cached: len(cached),
	}
	for _, c := range cached {
		l.State[c] = Kept
	}
	return l
}

func (l *Cache) kept() []int32 {
	var kept []int32
	for c, state := range l.State {
		if state == Kept {
			kept = append(kept, int32(c))
		}
	}
	return kept
}

// token brings the active channels of a token through the cache.
func (l *Cache) token(active ...int32) (hits int, victims []int32) {
	var misses []int32
	for _, c := range active {
		if l.State[c]&Kept == 0 {
			misses = append(misses, c)
		}
	}
	l.Touch(active)
	l.Admit(misses, nil, func(c int32) { victims = append(victims, c) })
	return len(active) - len(misses), victims
}

// The published example: a quarter of the first token hits, three quarters of the
// second, whose miss takes the place of channel 1.
func TestA5_PublishedExample(t *testing.T) {
	l := newLFU(8, 4, 0, 2, 3, 5)
	l.Reset()
	if hits, _ := l.token(0, 1, 4, 6); hits != 1 || !slices.Equal(l.kept(), []int32{0, 1, 4, 6}) {
		t.Errorf("token 1: %d hits, cached %v", hits, l.kept())
	}
	if hits, victims := l.token(0, 4, 6, 7); hits != 3 || !slices.Equal(victims, []int32{1}) || !slices.Equal(l.kept(), []int32{0, 4, 6, 7}) {
		t.Errorf("token 2: %d hits, victims %v, cached %v", hits, victims, l.kept())
	}
	l.Reset()
	if slices.Max(l.Count) != 0 || len(l.kept()) != 4 {
		t.Errorf("a new text: counts %v, cached %v", l.Count, l.kept())
	}
}

// slowLFU is the rule as it is said: miss after miss looks at all that are cached.
type slowLFU struct {
	capacity, clock int
	count, used     map[int32]int
	cached          []int32
}

func (s *slowLFU) token(active []int32) (hits int) {
	s.clock++
	var misses []int32
	for _, c := range active {
		s.count[c]++
		s.used[c] = s.clock
		if slices.Contains(s.cached, c) {
			hits++
		} else {
			misses = append(misses, c)
		}
	}
	for _, c := range misses {
		if len(s.cached) < s.capacity {
			s.cached = append(s.cached, c)
			continue
		}
		victim := -1
		for i, v := range s.cached {
			if victim < 0 || s.less(v, s.cached[victim]) {
				victim = i
			}
		}
		if victim < 0 {
			continue
		}
		if v := s.cached[victim]; s.count[c] > s.count[v] || s.count[c] == s.count[v] && s.used[v] < s.clock {
			s.cached[victim] = c
		}
	}
	return hits
}

func (s *slowLFU) less(a, b int32) bool {
	if s.count[a] != s.count[b] {
		return s.count[a] < s.count[b]
	}
	if s.used[a] != s.used[b] {
		return s.used[a] < s.used[b]
	}
	return a < b
}

func TestA5_CacheFollowsTheRule(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for trial := range 60 {
		channels, capacity := 1+rng.IntN(60), rng.IntN(30)
		l := newLFU(channels, capacity)
		slow := &slowLFU{capacity: capacity, count: map[int32]int{}, used: map[int32]int{}}
		for token := range 80 {
			if rng.IntN(25) == 0 {
				l.Reset()
				clear(slow.count)
			}
			if rng.IntN(20) == 0 { // who goes first is who would be the next victim
				slow.capacity = rng.IntN(30)
				slices.SortFunc(slow.cached, func(a, b int32) int {
					if slow.less(a, b) {
						return 1
					}
					return -1
				})
				slow.cached = slow.cached[:min(len(slow.cached), slow.capacity)]
				l.Shrink(slow.capacity, func(int32) {})
			}
			now := active(rng, channels, rng.Float64())
			hits, _ := l.token(now...)
			want := slow.token(now)
			slices.Sort(slow.cached)
			if hits != want || !slices.Equal(l.kept(), slow.cached) || l.Cached != len(slow.cached) || l.Cached > max(l.Capacity, 0) {
				t.Fatalf("trial %d, token %d: %d hits and %v, want %d and %v", trial, token, hits, l.kept(), want, slow.cached)
			}
		}
	}
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
