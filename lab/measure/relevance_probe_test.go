package measure

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/engine/rerank/crossencoder"
	"dowse/engine/search"
	"dowse/internal/home"
	"dowse/internal/indexes"
	"dowse/store"
)

// relevanceProbe is an engine.Reranker that notes what a search tells it, and what the
// model behind it thinks, as relevance above a line of 0.
type relevanceProbe struct {
	model *crossencoder.Reranker
	job   engine.RerankJob
	done  *engine.Reranking
}

// leastLine is as good as 0, which stands for no line.
const leastLine = math.SmallestNonzeroFloat64

func (*relevanceProbe) Ready(context.Context) {}

func (*relevanceProbe) Near(scores []float64) int { return len(scores) }

func (*relevanceProbe) Depth() int { return engine.RerankDepth }

func (p *relevanceProbe) Rerank(ctx context.Context, job engine.RerankJob) (*engine.Reranking, error) {
	model, done, err := p.model.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	model.Line = leastLine
	p.job = job
	p.done, err = p.model.Rerank(ctx, job)
	return p.done, errors.Join(err, done())
}

// probed is an index of notes that are asked.
type probed struct {
	*indexes.Stack
	probe    *relevanceProbe
	analyzer *lexical.Analyzer
}

// openProbed indexes a folder in a home of its own.
func openProbed(t *testing.T, folder string) *probed {
	t.Helper()
	t.Setenv(home.Variable, t.TempDir())
	a, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	ledger := &memory.Ledger{}
	m, err := a.OpenModels(ledger)
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(a.Home.Index(), store.Options{Fingerprint: indexes.Fingerprint(m.Embedder.Fingerprint())})
	if err != nil {
		t.Fatal(err)
	}
	probe := &relevanceProbe{model: m.Chosen().Reranker}
	m.Chosen().Reranker.Exact = true
	p := &probed{a.Assemble(db, m, ledger, false, search.Options{}), probe, lexical.NewAnalyzer()}
	p.Use(search.Models{Reranker: probe, Answerer: m.Extractor})
	if _, err := p.Index(t.Context(), []string{folder}, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// ask judges one query. Evidence says whether a passage holds it; nil for queries
// without.
func (p *probed) ask(t *testing.T, kind queryKind, query string, evidence func(text string) bool) []judgedQuery {
	t.Helper()
	p.probe.done = nil
	if _, err := p.Search(t.Context(), engine.Request{Query: query, Mode: engine.Reranked}, nil); err != nil {
		t.Logf("%s: %v", query, err) // what the syntax of queries refuses
		return nil
	}
	if p.probe.done == nil { // too little was found to be reranked
		return nil
	}
	job, done := p.probe.job, p.probe.done
	straight := make([]int, len(job.Passages))
	for i := range straight {
		straight[i] = i
	}
	words := p.analyzer.Query(query).Terms()
	least := func(order []int, value []float64) float64 {
		best, from := math.NaN(), evidence == nil
		for _, n := range order[:min(engine.DefaultK, len(order))] {
			v := value[n]
			held := p.analyzer.Append(nil, job.Passages[n])
			if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(held, w) }) {
				v = math.Inf(1)
			}
			if from = from || evidence(job.Passages[n]); from && !(best >= v) {
				best = v
			}
		}
		return best
	}
	return []judgedQuery{{kind, least(straight, job.Closeness), least(done.Order, done.Relevance)}}
}
