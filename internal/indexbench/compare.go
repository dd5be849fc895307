package indexbench

import (
	"context"
	"fmt"
)

// goals are the recalls that settings are to reach, in ascending order.
var goals = []float64{0.90, 0.95}

// MethodRow is a way to search and the cheapest settings of it.
type MethodRow struct {
	Method        string       `json:"method"`
	BytesPerChunk float64      `json:"bytes_per_chunk"`
	TextShare     float64      `json:"text_share"` // of the bytes of the text
	Results       []GoalResult `json:"results"`
}

// GoalResult is the cheapest setting that reaches a recall.
type GoalResult struct {
	Goal float64  `json:"goal"` // 0: the method has no setting
	Best *Outcome `json:"best"` // nil: no setting of the grid reaches it
}

// row describes a method without its results.
func (c *Collection) row(name string, bytes float64) MethodRow {
	return MethodRow{Method: name, BytesPerChunk: bytes / float64(c.Vectors.Len()), TextShare: bytes / float64(c.TextBytes)}
}

// results pairs outcomes with the goals.
func results(found []*Outcome) []GoalResult {
	out := make([]GoalResult, len(found))
	for i, o := range found {
		out[i] = GoalResult{goals[i], o}
	}
	return out
}

// compareMethods measures every way to search.
func (b *bench) compareMethods(ctx context.Context, c *Collection, g *graphSet, x *indexes) ([]MethodRow, error) {
	lists, err := NewInvertedFile(ctx, c.Vectors, func(done, total int) { b.report("cutting lists", done, total) })
	if err != nil {
		return nil, err
	}
	flat := c.row("flat scan, stored vectors", c.Vectors.vectorBytes(c.Vectors.Len()))
	flat.Results = []GoalResult{{0, &Outcome{Recall: 1, OwnMicros: c.scanMicros, Millis: c.scanMicros / 1000}}}
	codes := codesOnly(x.quantized)
	only, err := b.evaluate(ctx, c, codes, Setting{}, 1)
	if err != nil {
		return nil, err
	}
	onlyRow := c.row(codes.name, codes.bytes)
	onlyRow.Results = []GoalResult{{0, &only}}
	rows := []MethodRow{flat}
	for _, m := range []*method{storedWalk(c, g.full), probedLists(lists)} {
		if rows, err = b.swept(ctx, rows, c, m); err != nil {
			return nil, err
		}
	}
	rows = append(rows, onlyRow)
	own, err := b.ownIndex(ctx, c.Vectors, rotates(c))
	if err != nil {
		return nil, err
	}
	batch := 2 * workers()
	batched := twoLevel(fmt.Sprintf("%s, batches of %d", twoLevelName, batch), c, x, batch)
	for _, m := range []*method{
		scannedCodes(c, x.quantized), own, exactWalk(exactName, c, x.graph), twoLevel(twoLevelName, c, x, 1),
		seededWalk("two-level from scanned codes", c, x, batch), batched,
	} {
		if rows, err = b.swept(ctx, rows, c, m); err != nil {
			return nil, err
		}
	}
	return b.cachedRows(ctx, rows, c, x, batched)
}

// Names of methods that growth looks at too.
const (
	exactName    = "LEANN, a=1"
	twoLevelName = "LEANN, two-level"
)

// swept appends the row of a method.
func (b *bench) swept(ctx context.Context, rows []MethodRow, c *Collection, m *method) ([]MethodRow, error) {
	found, err := b.sweep(ctx, c, m, goals)
	row := c.row(m.name, m.bytes)
	row.Results = results(found)
	return append(rows, row), err
}

// cachedRows appends a row for every size of the hub cache, and one for a cache
// of what probes visit most. A cache changes no result, so the settings are
// those of the row before.
func (b *bench) cachedRows(ctx context.Context, rows []MethodRow, c *Collection, x *indexes, m *method) ([]MethodRow, error) {
	before := rows[len(rows)-1].Results
	for _, share := range hubShares {
		name := "  + upper levels kept"
		if share > 0 {
			name = fmt.Sprintf("  + upper levels and %g%% hubs kept", 100*share)
		}
		row, err := b.cachedRow(ctx, c, m, name, hubCache(x.graph, true, share), before)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	if before[0].Best == nil {
		return rows, nil
	}
	visits, err := countVisits(ctx, c, m, before[0].Best.Setting, x.probes)
	if err != nil {
		return nil, err
	}
	share := hubShares[len(hubShares)-1]
	row, err := b.cachedRow(ctx, c, m, fmt.Sprintf("  + %g%% most visited kept", 100*share), visitedCache(visits, share), before)
	return append(rows, row), err
}

// cachedRow is a method with some vectors kept.
func (b *bench) cachedRow(ctx context.Context, c *Collection, m *method, name string, kept []bool, before []GoalResult) (MethodRow, error) {
	cached := *m
	cached.cached = kept
	cached.bytes += c.Vectors.cacheBytes(kept)
	row := c.row(name, cached.bytes)
	for _, r := range before {
		result := GoalResult{Goal: r.Goal}
		if r.Best != nil {
			o, err := b.evaluate(ctx, c, &cached, r.Best.Setting, 1)
			if err != nil {
				return row, err
			}
			result.Best = &o
		}
		row.Results = append(row.Results, result)
	}
	return row, nil
}
