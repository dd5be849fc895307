package measure

import (
	"context"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/lexical"
	"dowse/internal/eval"
	"dowse/lab/collection"
)

var fitOn = flag.String("fit", "", "folder of collections to fit the odds of fusion on")

// fitQueries is how many questions of a collection are looked at.
const fitQueries = 800

// fitGrid are the odds that are tried, those in use first.
func fitGrid() (grid []fusion.Odds) {
	grid = append(grid, fusion.Fitted)
	for _, log := range []float64{-0.7, -0.55, -0.4, -0.25, -0.1, 0.05, 0.2, 0.35, 0.5} {
		for _, standout := range []float64{0, 0.09, 0.18, 0.27, 0.36} {
			for _, unknown := range []float64{0, 1.1, 2.2, 3.3, 4.4} {
				grid = append(grid, fusion.Odds{Log: log, Standout: standout, Unknown: unknown})
			}
		}
	}
	return grid
}

// TestFitFusion prints what each way of fusing is worth on judged collections,
// fitted on all of them and on all but the one that is judged:
//
//	go test ./lab/measure -run TestFitFusion -v -timeout 0 -fit DIR
//
// It needs the default embedder in the cache. train/README.md says how the
// collections are made.
func TestFitFusion(t *testing.T) {
	if *fitOn == "" {
		t.Skip("fits only when told on what: -fit DIR")
	}
	folders, err := filepath.Glob(filepath.Join(*fitOn, "*", "corpus.jsonl"))
	if err != nil || len(folders) < 2 {
		t.Fatalf("%d collections below %s, want two at least: %v", len(folders), *fitOn, err)
	}
	t.Setenv("XDG_CACHE_HOME", fitCache(t))
	grid := fitGrid()
	worth := make([][]float64, len(folders)) // nDCG@10, [collection][odds]
	for i, corpus := range folders {
		all := listsOf(t, filepath.Dir(corpus))
		worth[i] = worthOf(all, grid)
		alone := func(pick func(q askedTwice) []fusion.Scored) float64 {
			return meanOf(all, func(q askedTwice) float64 { return q.score(pick(q)) })
		}
		t.Logf("%s: BM25 %.4f, vectors %.4f, RRF %.4f", filepath.Base(filepath.Dir(corpus)),
			alone(func(q askedTwice) []fusion.Scored { return q.words }), alone(func(q askedTwice) []fusion.Scored { return q.meaning }),
			alone(func(q askedTwice) []fusion.Scored { return fusion.RRF(fusion.ReferenceK, q.words, q.meaning) }))
	}
	t.Logf("in use: %+v, %.4f", grid[0], meanWorth(worth, 0, -1))
	for name, allowed := range map[string]func(fusion.Odds) bool{
		"constant":             func(o fusion.Odds) bool { return o.Standout == 0 && o.Unknown == 0 },
		"standout":             func(o fusion.Odds) bool { return o.Unknown == 0 },
		"unknown":              func(o fusion.Odds) bool { return o.Standout == 0 },
		"standout and unknown": func(fusion.Odds) bool { return true },
	} {
		best := bestOdds(grid, worth, allowed, -1)
		out := 0.0
		for i := range worth {
			out += worth[i][bestOdds(grid, worth, allowed, i)] / float64(len(worth))
		}
		t.Logf("%s: %+v, fitted on all %.4f, each left out %.4f", name, grid[best], meanWorth(worth, best, -1), out)
	}
}

// fitCache is a cache that holds the default embedder: the person's own.
func fitCache(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("DOWSE_TEST_FIT_CACHE")
	if dir == "" {
		t.Skip("name a cache that holds the default embedder by DOWSE_TEST_FIT_CACHE, such as ~/.cache")
	}
	return dir
}

// bestOdds is the best of the grid for all collections but one.
func bestOdds(grid []fusion.Odds, worth [][]float64, allowed func(fusion.Odds) bool, without int) int {
	best := -1
	for i, o := range grid {
		if allowed(o) && (best < 0 || meanWorth(worth, i, without) > meanWorth(worth, best, without)) {
			best = i
		}
	}
	return best
}

func meanWorth(worth [][]float64, odds, without int) float64 {
	sum, n := 0.0, 0
	for i := range worth {
		if i != without {
			sum, n = sum+worth[i][odds], n+1
		}
	}
	return sum / float64(n)
}

// askedTwice is a question with its two lists.
type askedTwice struct {
	words, meaning []fusion.Scored
	features       fusion.Features
	names          []string // of documents, by id
	grades         map[string]int
}

func (q askedTwice) score(list []fusion.Scored) float64 {
	found := make([]eval.Ranked, min(10, len(list)))
	for i := range found {
		found[i] = eval.Ranked{ID: q.names[list[i].ID], Score: list[i].Score}
	}
	return eval.Score(found, q.grades).NDCG10
}

func meanOf(all []askedTwice, f func(askedTwice) float64) float64 {
	sum := 0.0
	for _, q := range all {
		sum += f(q)
	}
	return sum / float64(len(all))
}

// worthOf measures all odds, on two processors.
func worthOf(all []askedTwice, grid []fusion.Odds) []float64 {
	worth := make([]float64, len(grid))
	var both sync.WaitGroup
	for half := range 2 {
		both.Go(func() {
			for i := half; i < len(grid); i += 2 {
				worth[i] = meanOf(all, func(q askedTwice) float64 {
					fused, _ := grid[i].Fuse(q.words, q.meaning, q.features)
					return q.score(fused)
				})
			}
		})
	}
	both.Wait()
	return worth
}

// listsOf asks the questions of a collection by words and by meaning.
func listsOf(t *testing.T, dir string) (all []askedTwice) {
	t.Helper()
	ds, err := collection.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.openCollection(ds, EvalOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.fill(t.Context(), ds, func(string, int, int) {}); err != nil {
		t.Fatal(err)
	}
	analyzer, known, ids := lexical.NewAnalyzer(), map[string]bool{}, map[string]uint32{}
	var names []string
	for i, d := range ds.Documents {
		for _, term := range analyzer.Append(nil, d.Passage()) {
			known[term] = true
		}
		ids[d.ID], names = uint32(i), append(names, d.ID)
	}
	for _, query := range eval.Spread(ds.Queries, fitQueries) {
		q := askedTwice{names: names, grades: maps.Clone(query.Grades)}
		q.words = retrieved(t.Context(), t, s, query.Text, engine.Lexical, ids)
		q.meaning = retrieved(t.Context(), t, s, query.Text, engine.Vector, ids)
		for _, term := range slices.Compact(slices.Sorted(slices.Values(analyzer.Query(query.Text).Terms()))) {
			q.features.Terms++
			if !known[term] {
				q.features.Unknown++
			}
		}
		all = append(all, q)
	}
	return all
}

func retrieved(ctx context.Context, t *testing.T, s *indexed, text string, mode engine.Mode, ids map[string]uint32) []fusion.Scored {
	t.Helper()
	found, _, err := s.Retrieve(ctx, text, mode, fusion.Depth)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]fusion.Scored, len(found))
	for i, f := range found {
		list[i] = fusion.Scored{ID: ids[f.Path], Score: f.Score}
	}
	return list
}
