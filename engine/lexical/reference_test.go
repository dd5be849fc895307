package lexical_test

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"dowse/engine/lexical"
	"dowse/internal/testcache"
)

// evaluationSet is a retrieval set in BEIR layout.
type evaluationSet struct {
	ids     []string
	texts   []string // title and text
	queries []evaluationQuery
}

type evaluationQuery struct {
	text  string
	gains map[string]float64
}

const sharedData = "../../../shared/data"

func readLines(t testing.TB, path string, line func(text string)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("evaluation data is not here: %v", err)
	}
	defer func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		line(scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
}

func loadSet(t testing.TB, name string) *evaluationSet {
	t.Helper()
	folder := filepath.Join(sharedData, "eval", name)
	set := &evaluationSet{}
	type record struct {
		ID    string `json:"_id"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	parse := func(text string) (r record) {
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	readLines(t, filepath.Join(folder, "corpus.jsonl"), func(line string) {
		r := parse(line)
		set.ids = append(set.ids, r.ID)
		set.texts = append(set.texts, r.Title+" "+r.Text)
	})
	gains := map[string]map[string]float64{}
	header := true
	readLines(t, filepath.Join(folder, "qrels", "test.tsv"), func(line string) {
		if header {
			header = false
			return
		}
		f := strings.Split(line, "\t")
		gain, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if gains[f[0]] == nil {
			gains[f[0]] = map[string]float64{}
		}
		gains[f[0]][f[1]] = gain
	})
	readLines(t, filepath.Join(folder, "queries.jsonl"), func(line string) {
		r := parse(line)
		if len(gains[r.ID]) > 0 {
			set.queries = append(set.queries, evaluationQuery{text: r.Text, gains: gains[r.ID]})
		}
	})
	return set
}

// measure ranks every query and averages nDCG@10 and recall@20.
func (set *evaluationSet) measure(t testing.TB, limit int) (ndcg, recall float64, perQuery time.Duration) {
	t.Helper()
	store, analyzer := newMemoryStore(), lexical.NewAnalyzer()
	builder := lexical.NewBuilder()
	for i, text := range set.texts {
		builder.Add(uint32(i), analyzer.Append(nil, text))
	}
	if _, err := builder.Write(store); err != nil {
		t.Fatal(err)
	}
	sorted := newSortedReader(store)
	c, err := lexical.NewCollection(sorted, nil)
	if err != nil {
		t.Fatal(err)
	}
	queries := set.queries[:min(limit, len(set.queries))]
	start := time.Now()
	for _, q := range queries {
		result, err := c.Search(context.Background(), sorted, analyzer.Query(q.text), 20, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, r := set.judge(q, result.Hits)
		ndcg += n
		recall += r
	}
	n := float64(len(queries))
	return ndcg / n, recall / n, time.Since(start) / time.Duration(len(queries))
}

func (set *evaluationSet) judge(q evaluationQuery, hits []lexical.Hit) (ndcg, recall float64) {
	var dcg, ideal float64
	for rank, hit := range hits {
		gain := q.gains[set.ids[hit.Chunk]]
		if rank < 10 {
			dcg += gain / math.Log2(float64(rank+2))
		}
		if gain > 0 {
			recall++
		}
	}
	var best []float64
	relevant := 0.0
	for _, gain := range q.gains {
		best = append(best, gain)
		if gain > 0 {
			relevant++
		}
	}
	sort.Sort(sort.Reverse(sort.Float64Slice(best)))
	for rank, gain := range best[:min(10, len(best))] {
		ideal += gain / math.Log2(float64(rank+2))
	}
	return dcg / ideal, recall / relevant
}

// sortedReader looks blocks up in sorted lists, as a real store does.
type sortedReader struct {
	*memoryStore
	firsts map[uint32][]string
}

func newSortedReader(m *memoryStore) *sortedReader {
	s := &sortedReader{memoryStore: m, firsts: map[uint32][]string{}}
	for id, blocks := range m.blocks {
		for first := range blocks {
			s.firsts[id] = append(s.firsts[id], first)
		}
		sort.Strings(s.firsts[id])
	}
	return s
}

func (s *sortedReader) Seek(id uint32, term string) (string, []byte, error) {
	firsts := s.firsts[id]
	i := sort.Search(len(firsts), func(i int) bool { return firsts[i] > term })
	if i == 0 {
		return "", nil, nil
	}
	return firsts[i-1], s.blocks[id][firsts[i-1]], nil
}

// TestReferenceQuality holds the ranking against what a common BM25 library
// with English stop words and the Snowball stemmer reaches, less 0.01.
func TestReferenceQuality(t *testing.T) {
	for _, want := range []struct {
		set          string
		ndcg, recall float64
		limit        int
		large        bool
	}{
		{"sitedocs", .6276, .845, 1000, false},
		{"code", .5998, .839, 1000, false},
		{"hotpot100", .7885, .935, 1000, true},
		{"squad", .8625, .977, 10000, true},
		{"cranfield", .3517, .488, 1000, false},
		{"scifact", .6762, .845, 1000, true},
		{"npl", .4449, .301, 1000, false},
	} {
		t.Run(want.set, func(t *testing.T) {
			if want.large && os.Getenv(testcache.FullVariable) == "" {
				t.Skip("indexes thousands of passages: make test-full does it")
			}
			ndcg, recall, took := loadSet(t, want.set).measure(t, want.limit)
			t.Logf("nDCG@10 %.4f (reference %.4f), recall@20 %.3f (reference %.3f), %v a query", ndcg, want.ndcg, recall, want.recall, took)
			if ndcg < want.ndcg-0.01 || recall < want.recall-0.015 {
				t.Errorf("below the reference")
			}
		})
	}
}
