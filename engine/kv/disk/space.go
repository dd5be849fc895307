package disk

import (
	"slices"
	"sort"
)

// pageBytes is the alignment of slots: the unit in which disks read and file systems free.
const pageBytes = 4096

// pagesOf returns the pages that bytes take.
func pagesOf(bytes int) int64 { return (int64(bytes) + pageBytes - 1) / pageBytes }

// extent is a range of pages.
type extent struct{ page, pages int64 }

func (e extent) end() int64 { return e.page + e.pages }

// space tracks the free pages of a file. Pages from end on do not exist.
type space struct {
	end  int64
	free []extent // by page, neither adjacent to each other nor to the end
}

// sparse: runs are split to fill gaps once more than 1/sparse of the file is free. One piece
// is read at once, and punched gaps cost nothing.
const sparse = 2

// alloc allocates adjacent pieces of these numbers of pages: at the page near if they fit,
// else in the smallest gap that is large enough, else at the end. It returns the first page
// of each.
func (s *space) alloc(pieces []int64, near int64) []int64 {
	total := int64(0)
	for _, n := range pieces {
		total += n
	}
	at, fits := s.place(total, near)
	if !fits && len(pieces) > 1 && s.freePages()*sparse > s.end && s.largest() >= slices.Min(pieces) {
		half := len(pieces) / 2
		first := s.alloc(pieces[:half], near)
		return append(first, s.alloc(pieces[half:], first[half-1]+pieces[half-1])...)
	}
	if !fits {
		at = s.end
	}
	s.use(extent{at, total})
	pages := make([]int64, len(pieces))
	for i, n := range pieces {
		pages[i], at = at, at+n
	}
	return pages
}

// place returns where pages fit; fits is false if only at the end.
func (s *space) place(pages, near int64) (at int64, fits bool) {
	if near == s.end {
		return near, true
	}
	best := int64(-1)
	for _, e := range s.free {
		if e.page <= near && near+pages <= e.end() {
			return near, true
		}
		if e.pages >= pages && (best < 0 || e.pages < best) {
			at, best = e.page, e.pages
		}
	}
	return at, best >= 0
}

// use marks pages as taken; they are free or lie behind the end.
func (s *space) use(want extent) {
	if want.page >= s.end {
		if want.page > s.end {
			s.free = append(s.free, extent{s.end, want.page - s.end})
		}
		s.end = want.end()
		return
	}
	i := s.after(want.page) - 1
	e := s.free[i]
	var left []extent
	if e.page < want.page {
		left = append(left, extent{e.page, want.page - e.page})
	}
	if want.end() < e.end() {
		left = append(left, extent{want.end(), e.end() - want.end()})
	}
	s.free = slices.Replace(s.free, i, i+1, left...)
}

// give frees pages. Free ones at the end are cut off.
func (s *space) give(e extent) {
	i := s.after(e.page)
	if i < len(s.free) && s.free[i].page == e.end() {
		e.pages += s.free[i].pages
		s.free = slices.Delete(s.free, i, i+1)
	}
	if i > 0 && s.free[i-1].end() == e.page {
		i--
		e = extent{s.free[i].page, s.free[i].pages + e.pages}
		s.free = slices.Delete(s.free, i, i+1)
	}
	if e.end() == s.end {
		s.end = e.page
		return
	}
	s.free = slices.Insert(s.free, i, e)
}

// after returns the number of gaps that begin at page or before it.
func (s *space) after(page int64) int {
	return sort.Search(len(s.free), func(i int) bool { return s.free[i].page > page })
}

func (s *space) freePages() (total int64) {
	for _, e := range s.free {
		total += e.pages
	}
	return total
}

func (s *space) largest() (most int64) {
	for _, e := range s.free {
		most = max(most, e.pages)
	}
	return most
}
