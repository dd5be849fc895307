package disk

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSpaceAgainstPages takes and gives room at random, beside a plain list of pages.
func TestSpaceAgainstPages(t *testing.T) {
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	var s space
	var held []extent
	used := map[int64]bool{}
	for range 4000 {
		if rng.IntN(5) < 3 || len(held) == 0 {
			pieces := make([]int64, 1+rng.IntN(6))
			for i := range pieces {
				pieces[i] = 1 + rng.Int64N(4)
			}
			near := rng.Int64N(s.end + 3)
			for i, page := range s.alloc(pieces, near) {
				for at := page; at < page+pieces[i]; at++ {
					if used[at] {
						t.Fatalf("page %d is taken twice", at)
					}
					used[at] = true
				}
				held = append(held, extent{page, pieces[i]})
			}
		} else {
			i := rng.IntN(len(held))
			s.give(held[i])
			for at := held[i].page; at < held[i].end(); at++ {
				delete(used, at)
			}
			held = slices.Delete(held, i, i+1)
		}
		free, last := int64(0), int64(-1)
		for _, e := range s.free {
			if e.page <= last || e.pages <= 0 || e.end() >= s.end {
				t.Fatalf("gaps %v of %d pages", s.free, s.end)
			}
			for at := e.page; at < e.end(); at++ {
				if used[at] {
					t.Fatalf("page %d is free and taken", at)
				}
			}
			last, free = e.end(), free+e.pages
		}
		if free != s.freePages() || free+int64(len(used)) != s.end {
			t.Fatalf("%d pages free, %d used, %d in all", free, len(used), s.end)
		}
	}
}

func TestRunsStayTogether(t *testing.T) {
	var s space
	if got := s.alloc([]int64{3, 3, 2}, -1); !slices.Equal(got, []int64{0, 3, 6}) {
		t.Errorf("%v", got)
	}
	other := s.alloc([]int64{3}, 0)
	if got := s.alloc([]int64{1}, s.end); !slices.Equal(got, []int64{11}) {
		t.Errorf("%v is not near the end", got)
	}
	s.give(extent{other[0], 3})
	if got := s.alloc([]int64{2}, 8); !slices.Equal(got, []int64{8}) {
		t.Errorf("%v is not near what was freed", got)
	}
	s.give(extent{0, 3})
	if got := s.alloc([]int64{1, 1, 1, 1}, -1); !slices.Equal(got, []int64{12, 13, 14, 15}) {
		t.Errorf("%v: a run that fits no gap", got)
	}
	s = space{end: 20, free: []extent{{0, 3}, {5, 4}, {11, 8}}}
	if got := s.alloc([]int64{3, 3, 3}, -1); !slices.Equal(got, []int64{0, 11, 14}) {
		t.Errorf("%v: the file grows while most of it is free", got)
	}
}
