package rerankbench

import (
	"context"
	"errors"
	"slices"

	"dowse/engine/memory"
	"dowse/engine/rerank"
)

// WayRow is what one way to run the model takes for a query.
type WayRow struct {
	Way        string  `json:"way"`
	Candidates int     `json:"candidates"`
	Tokens     float64 `json:"tokens"`  // of all candidates, mean
	Queries    int     `json:"queries"` // timed
	Millis     float64 `json:"ms"`      // median
	Least      float64 `json:"ms_least"`
	Most       float64 `json:"ms_most"`
	Ratio      float64 `json:"ratio"`  // of the median to that of the table's first row
	Layers     float64 `json:"layers"` // share of the full pass that was computed

	// Means for a query.
	LayerBytes  float64 `json:"layer_bytes_read"`
	WordBytes   float64 `json:"word_bytes_read"`
	WordHits    float64 `json:"word_hits"` // share of the different words
	StateBytes  float64 `json:"state_bytes_moved"`
	Stalls      float64 `json:"stalls"`
	StallMillis float64 `json:"stall_ms"`

	Pools []Pool `json:"pools"`
	Peak  int64  `json:"peak"` // sum of the pools' peaks
	// OfInt8 is the peak as a share of the table's resident model, OfFloat as
	// a share of that in float32.
	OfInt8  float64 `json:"of_resident_int8"`
	OfFloat float64 `json:"of_resident_float32"`
}

// Pool is the peak of a pool of the ledger.
type Pool struct {
	Name string `json:"name"`
	Peak int64  `json:"peak"`
}

// compareWays times all ways, in turns, on the queries with n candidates.
// Before that each answers another query, so that caches are what they are in
// use.
func (b *bench) compareWays(ctx context.Context, phase string, ways []way, n int, opts rerank.Options) (rows []WayRow, err error) {
	runners, err := b.model.openAll(ways)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeAll(runners)) }()
	timed := b.timed(n)
	steps := len(runners) * (len(timed) + 1)
	step := func(r *runner, q query, keep bool, done int) error {
		b.report(phase, done, steps)
		_, cost, err := r.ask(ctx, q, opts)
		if keep {
			r.samples = append(r.samples, cost)
		}
		return err
	}
	for i, r := range runners {
		if err := step(r, b.queries[0].first(n), false, i); err != nil {
			return nil, err
		}
	}
	for i, q := range timed {
		for j, r := range runners {
			if err := step(r, q, true, (i+1)*len(runners)+j); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range runners {
		rows = append(rows, r.row(n, timed))
	}
	b.compare(rows)
	return rows, nil
}

// row sums a runner's samples up.
func (r *runner) row(n int, timed []query) WayRow {
	row := WayRow{Way: r.way.name, Candidates: n, Queries: len(r.samples)}
	var millis []float64
	active, all, hits, words := 0, 0, 0, 0
	for i, s := range r.samples {
		millis = append(millis, s.millis)
		row.Tokens += float64(tokensOf(timed[i]))
		row.LayerBytes += float64(s.window.BytesRead)
		row.WordBytes += float64(s.words.BytesRead)
		row.StateBytes += float64(s.statesRead + s.statesWrite)
		row.Stalls += float64(s.window.Stalls)
		row.StallMillis += float64(s.window.StallTime.Microseconds()) / 1000
		active, all = active+s.active, all+s.full
		hits, words = hits+s.words.Hits, words+s.words.Hits+s.words.Misses+s.words.Surplus
	}
	count := float64(len(r.samples))
	for _, sum := range []*float64{&row.Tokens, &row.LayerBytes, &row.WordBytes, &row.StateBytes, &row.Stalls, &row.StallMillis} {
		*sum /= count
	}
	row.Layers = share(active, all)
	row.WordHits = share(hits, words)
	row.Millis, row.Least, row.Most = median(millis), slices.Min(millis), slices.Max(millis)
	for _, p := range r.ledger.Snapshot() {
		row.Pools = append(row.Pools, Pool{p.Name, p.Peak})
	}
	row.Peak = total(r.ledger)
	return row
}

// compare fills in the ratios, to the first row.
func (b *bench) compare(rows []WayRow) {
	first := rows[0]
	// Beside the weights a float32 model needs what the int8 one does.
	float := first.Peak - b.model.shape.Mapped + b.model.shape.Tokenizer + 4*weights(b.model.shape.Config)
	for i := range rows {
		rows[i].Ratio = rows[i].Millis / first.Millis
		rows[i].OfInt8 = float64(rows[i].Peak) / float64(first.Peak)
		rows[i].OfFloat = float64(rows[i].Peak) / float64(float)
	}
}

func total(l *memory.Ledger) (sum int64) {
	for _, p := range l.Snapshot() {
		sum += p.Peak
	}
	return sum
}

func tokensOf(q query) (n int) {
	for _, p := range q.pairs {
		n += len(p.IDs)
	}
	return n
}

// share is a part of a whole; 0 of nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// median is the middle value, or the mean of the two in the middle.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
