package chunk

// piece is a run of atoms that becomes a chunk.
type piece struct{ first, last int }

// fits reports whether some atoms and their context are small enough, and of one
// document.
func (o *outline) fits(p piece) bool {
	return o.tokens(p.first, p.last)+o.contextTokens(p.first) <= o.opts.MaxTokens && o.together(p.first, p.last) == p.last
}

// divide returns the chunks of a section. from is its first atom, or an earlier
// one where a heading without a text of its own goes with it.
func (o *outline) divide(id uint32, from int) []piece {
	s := &o.sections[id]
	whole := piece{from, s.last}
	if o.fits(whole) {
		return []piece{whole}
	}
	if len(s.children) == 0 {
		return o.pack(whole)
	}
	var pieces []piece
	if s.body > from && o.tokens(from, s.body) >= o.opts.MinTokens/2 {
		pieces = o.pack(piece{from, s.body})
		from = s.body
	}
	for _, child := range s.children {
		first := o.sections[child].first
		for end := o.together(from, first+1); end <= first; end = o.together(from, first+1) {
			pieces = append(pieces, o.pack(piece{from, end})...)
			from = end
		}
		pieces = append(pieces, o.divide(child, from)...)
		from = o.sections[child].last
	}
	return o.merge(pieces)
}

// merge puts neighbours together where one of them is too small to stand alone.
func (o *outline) merge(pieces []piece) []piece {
	merged := pieces[:0]
	for _, p := range pieces {
		if n := len(merged); n > 0 && o.belongs(merged[n-1], p) {
			merged[n-1].last = p.last
			continue
		}
		merged = append(merged, p)
	}
	return merged
}

// belongs reports whether b is to be put together with a.
func (o *outline) belongs(a, b piece) bool {
	left, right := o.tokens(a.first, a.last), o.tokens(b.first, b.last)
	if left >= o.opts.MinTokens && right >= o.opts.MinTokens || !o.fits(piece{a.first, b.last}) {
		return false
	}
	// In a long run of small sections the content says where to stop, so that an
	// edit does not move all later boundaries.
	full := left*5 >= o.opts.MaxTokens*3
	return !full || o.atoms[b.first].jitter >= maxJitter/3
}

// pack cuts atoms that do not fit into chunks of good sizes at good places.
func (o *outline) pack(p piece) []piece {
	var pieces []piece
	for !o.fits(p) {
		cut := o.bestCut(p)
		if cut >= p.last {
			break
		}
		pieces = append(pieces, piece{p.first, cut})
		p.first = cut
	}
	return append(pieces, p)
}

// bestCut returns the atom before which the first chunk of p ends.
func (o *outline) bestCut(p piece) int {
	if end := o.together(p.first, p.last); end < p.last {
		if p.last = end; o.fits(p) {
			return end
		}
	}
	room := o.opts.MaxTokens - o.contextTokens(p.first)
	best, bestCost := p.first+1, int(^uint(0)>>1)
	for cut := p.first + 1; cut < p.last && o.tokens(p.first, cut) <= room; cut++ {
		if cost := o.cost(p, cut, room); cost <= bestCost {
			best, bestCost = cut, cost
		}
	}
	return best
}

// cost weighs a cut of p: what the place costs, what the emptiness of the chunk
// costs, and what a chunk too small for itself costs on either side.
func (o *outline) cost(p piece, cut, room int) int {
	left, right := o.tokens(p.first, cut), o.tokens(cut, p.last)
	cost := int(o.atoms[cut].penalty) + int(o.atoms[cut].jitter)
	if right <= room { // the last cut: the halves should be alike
		cost += 30 * abs(left-right) / room
	} else {
		cost += 60 * (room - left) / room
	}
	for _, n := range [...]int{left, right} {
		if n < o.opts.MinTokens {
			cost += 60 * (o.opts.MinTokens - n) / o.opts.MinTokens
		}
	}
	return cost
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
