package lexical

import "context"

// Elsewhere is what collections on other machines hold that are searched as one with those of a
// Joint: they are counted here, and scored there with what was counted here.
type Elsewhere struct {
	Chunks    int
	Length    int64 // terms of them
	Languages Languages
	// Of is what they have of a term of a query.
	Of func(t *QueryTerm) Count
}

// Count is what collections have of a term of a query.
type Count struct {
	DF     int      // chunks
	Near   []Near   // terms spelt like it, where no chunk has it
	Longer []string // terms that begin with it, of one character of a script without spaces
}

// Near is a term that is spelt like a word that no chunk has.
type Near struct {
	Term     string
	Distance int
	Count    int // chunks with it in the languages of the query
	DF       int // in all
}

// With returns j with collections that are counted too.
func (j *Joint) With(e Elsewhere) *Joint {
	with := *j
	with.elsewhere = e
	with.chunks, with.length = j.chunks+e.Chunks, j.length+e.Length
	with.measure()
	return &with
}

// Chunks is how many live chunks there are, elsewhere too, and Length the terms of all of them.
func (j *Joint) Chunks() int { return j.chunks }

// Length is how many terms all chunks have.
func (j *Joint) Length() int64 { return j.length }

// measure finds the norms that follow from the average length.
func (j *Joint) measure() {
	j.average = 0
	if j.chunks > 0 {
		j.average = float64(j.length) / float64(j.chunks)
	}
	j.norms = normsOf(j.average)
}

// of is what is elsewhere of a term.
func (e *Elsewhere) of(t *QueryTerm) Count {
	if e.Of == nil {
		return Count{}
	}
	return e.Of(t)
}

// Count returns what a Joint of other collections needs to know of those of j.
func (j *Joint) Count(ctx context.Context, q Query) ([]Count, error) {
	counts := make([]Count, len(q))
	stats, err := j.Terms(ctx, q)
	if err != nil {
		return nil, err
	}
	for i := range q {
		c := &counts[i]
		c.DF = stats[i].DF
		if isSingleDense(q[i].Term) {
			if c.Longer, err = j.longer(ctx, q[i].Term); err != nil {
				return nil, err
			}
		}
		if c.DF > 0 || !q[i].guessable() {
			continue
		}
		near, err := j.near(ctx, &q[i])
		if err != nil {
			return nil, err
		}
		if c.Near, err = j.nearest(ctx, near, q[i].Asked); err != nil {
			return nil, err
		}
	}
	return counts, nil
}
