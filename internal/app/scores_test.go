package app_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
)

// scoresSeed chooses the requests.
const scoresSeed = 20261127

// read is a passage that was read to the end for a query, whatever else was asked for.
type read struct {
	query, path string
	line        int
}

// TestScoresDoNotMove asks the same questions for few and for many results, of few and of
// many candidates, on a machine with time for few and for many, in a hurry, with all layers
// computed, and as estimates: a passage that was read to the end has one score, and two of
// them stand in one order. Those that were not read rank behind.
func TestScoresDoNotMove(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers, of forty searches")
	}
	t.Logf("seed %d", scoresSeed)
	random := rand.New(rand.NewPCG(scoresSeed, 0))
	a, root := sampleNotes(t)
	queries := someQueries(t, filepath.Join(root, "queries.tsv"), 6)
	scores, partly := map[read]float64{}, 0
	for _, way := range []struct {
		depth int
		time  time.Duration // that candidates may take, where no depth is set
	}{{depth: 3}, {depth: 12}, {depth: 20}, {depth: 40}, {time: time.Nanosecond}, {time: time.Minute}} {
		a.Config.Depth, a.Config.Time = way.depth, way.time
		t.Run(fmt.Sprint(way), func(t *testing.T) {
			s := testapp.Own(t, a)
			for _, query := range queries {
				req := engine.Request{Query: query, K: 1 + random.IntN(50), Fold: random.IntN(2) == 0}
				switch random.IntN(6) {
				case 0:
					req.K = 101 + random.IntN(100) // more than each list has candidates
				case 1:
					req.Trace = true
				case 2:
					req.RerankMillis = 1 + random.IntN(10)
				case 3:
					req.Estimate, req.Mode = true, engine.Reranked
				}
				partly += checkScores(t, s, req, scores)
			}
		})
	}
	if len(scores) < 4*len(queries) || partly == 0 {
		t.Errorf("%d scores, %d passages that were not read to the end: the test shows nothing", len(scores), partly)
	}
}

// checkScores searches, compares what was read to the end with the scores known, and
// returns how many candidates were not.
func checkScores(t *testing.T, s *indexes.Owner, req engine.Request, scores map[read]float64) (partly int) {
	t.Helper()
	r, err := s.Search(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	final := 0
	for i, p := range r.Passages {
		switch {
		case i > 0 && p.Score > r.Passages[i-1].Score:
			t.Errorf("%+v: the score rises to %v at place %d", req, p.Score, i+1)
		case p.RerankScore == 0:
			continue
		case final < i:
			t.Errorf("%+v: place %d was read to the end, and a better one not", req, i+1)
		}
		final++
		key := read{req.Query, p.Path, p.LineStart}
		if known, ok := scores[key]; ok && known != p.RerankScore || p.Score != p.RerankScore {
			t.Errorf("%+v: %s:%d scores %v (%v), and %v before", req, filepath.Base(p.Path), p.LineStart, p.RerankScore, p.Score, known)
		}
		scores[key] = p.RerankScore
	}
	st := r.Stats.Rerank
	switch {
	case st == nil && final > 0:
		t.Errorf("%+v: %d passages were read, and nothing was reranked", req, final)
	case st == nil: // an estimate, or too few are near the first to be read
		return 0
	case st.Problem != "":
		t.Fatal(st.Problem)
	case final > st.Read || st.Read > st.Candidates, !req.Fold && req.K >= st.Candidates && final != st.Read:
		t.Errorf("%+v: %d of the results were read to the end, the statistics say %+v", req, final, st)
	}
	return st.Candidates - st.Read
}

// someQueries are n of a file's, from its whole length.
func someQueries(t *testing.T, path string, n int) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(string(data)))
	var queries []string
	for i := range n {
		query, _, _ := strings.Cut(lines[i*len(lines)/n], "\t")
		queries = append(queries, query)
	}
	return queries
}
