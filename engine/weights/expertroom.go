package weights

// leastSlots are the fewest experts that there is memory for: one is computed while the
// next is read.
const leastSlots = 2

// leastExperts returns the bytes of the fewest experts; 0 where layers have none.
func (r *Room) leastExperts() int64 { return int64(min(leastSlots, r.experts)) * r.expert }

// Experts returns the bytes that experts may have beside conversations of held bytes and
// the states of a round of rows. What every token goes through comes before them: a layer
// that is kept saves its bytes with each token, an expert with some. Whatever the layers
// leave is theirs.
func (r *Room) Experts(held int64, rows int) int64 {
	if r.experts == 0 || r.resident {
		return 0
	}
	kept, _ := r.keep(held, rows)
	layers := int64(kept+min(2, r.layers-kept)) * r.layer
	slots := (r.budget - r.fixed.Total() - held - r.states(rows) - layers) / r.expert
	return min(slots, int64(r.experts)) * r.expert
}

// fewestRounds is RoundRows for a model with experts, of which nearly all are read in
// each round: as many rows at a time as there is room for.
func (r *Room) fewestRounds(held int64, tokens int) (rows int) {
	blocks := (tokens + BlockRows - 1) / BlockRows
	for n := 1; ; n++ {
		rows = min(tokens, (blocks+n-1)/n*BlockRows)
		if _, ok := r.keep(held, rows); ok || rows <= BlockRows {
			return rows
		}
	}
}
