package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// judging is a reranker that leaves the order as it is and tells what it is told to.
type judging struct {
	relevance []float64
	err       error
	job       engine.RerankJob
}

func (*judging) Ready(context.Context) {}

func (*judging) Near(scores []float64) int { return len(scores) }

func (*judging) Depth() int { return engine.RerankDepth }

func (j *judging) Rerank(_ context.Context, job engine.RerankJob) (*engine.Reranking, error) {
	j.job = job
	if j.err != nil {
		return nil, j.err
	}
	done := &engine.Reranking{Scores: make([]float64, len(job.Passages))}
	for i := range job.Passages {
		done.Order = append(done.Order, i)
		done.Scores[i] = float64(-i)
	}
	if j.relevance != nil {
		done.Relevance = slices.Repeat([]float64{math.NaN()}, len(job.Passages))
		copy(done.Relevance, j.relevance)
	}
	return done, nil
}

// lineOf writes which passages are relevant.
func lineOf(r *engine.Result) string {
	var b strings.Builder
	for _, p := range r.Passages {
		b.WriteString(map[bool]string{true: "+", false: "-"}[p.Relevant])
	}
	return b.String()
}

// shelf is an index of passages that are ever further from "heron pond reeds".
func shelf(t *testing.T) *world {
	w := newWorld(t)
	for i, text := range []string{
		"heron pond reeds", "heron pond", "heron tax form filed yesterday", "tax form filed yesterday",
	} {
		w.index(file{path: fmt.Sprintf("%s/%d.md", root, i), text: text, modified: on(3, 1)})
	}
	return w
}

// TestRelevanceByCloseness draws the line at every place, and shows what lies above it
// in each mode.
func TestRelevanceByCloseness(t *testing.T) {
	w := shelf(t)
	const query = "heron pond reeds"
	w.opts.RelevantFrom = math.SmallestNonzeroFloat64
	w.opts.Reranker = &judging{}
	w.search(engine.Request{Query: query, Mode: engine.Reranked})
	closeness := w.opts.Reranker.(*judging).job.Closeness
	w.opts.Reranker = nil
	if len(closeness) != 4 || !slices.IsSortedFunc(closeness, func(a, b float64) int { return cmp.Compare(b, a) }) || closeness[0] < 1+wordShare-1e-6 {
		t.Fatalf("closeness %v", closeness)
	}
	for above, want := range []string{"+---", "+---", "++--", "+++-", "++++"} { // what holds every word stays
		from := 9.0
		if above > 0 {
			from = closeness[above-1]
		}
		w.opts.RelevantFrom = from
		r := w.search(engine.Request{Query: query, Mode: engine.Hybrid})
		if got := lineOf(r); got != want || r.Irrelevant() {
			t.Errorf("from %.3f: %s, want %s", from, got, want)
		}
	}
	w.opts.RelevantFrom = 9
	for name, req := range map[string]engine.Request{
		"words alone":         {Query: query, Mode: engine.Lexical},
		"meaning alone":       {Query: query, Mode: engine.Vector},
		"estimate":            {Query: query, Mode: engine.Hybrid, Estimate: true},
		"phrase":              {Query: `"tax form"`, Mode: engine.Hybrid},
		"filters alone":       {Query: "ext:md", Mode: engine.Hybrid},
		"one word that is in": {Query: "heron", Mode: engine.Hybrid, K: 3},
	} {
		if r := w.search(req); strings.Contains(lineOf(r), "-") || len(r.Passages) == 0 || r.Irrelevant() {
			t.Errorf("%s: %s", name, lineOf(r))
		} else if req.Estimate && !r.Stats.Estimated {
			t.Error("nobody would ask for the ranking that has a line")
		}
	}
	if r := w.search(engine.Request{Query: "submarine volcano", Mode: engine.Hybrid}); lineOf(r) != "----" || !r.Irrelevant() {
		t.Errorf("off the topic: %s", lineOf(r))
	}
	w.opts.RelevantFrom = 0
	if r := w.search(engine.Request{Query: "submarine volcano", Mode: engine.Hybrid}); lineOf(r) != "++++" || r.Irrelevant() {
		t.Errorf("an embedder that nobody measured: %s", lineOf(r))
	}
}

// TestRelevanceByReranker: what a reranker read to the end it judges, and the line is one.
// No passage is close to the query here.
func TestRelevanceByReranker(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name  string
		fake  judging
		query string
		depth int
		k     int
		want  string
	}{
		{"all of them", judging{relevance: []float64{2, 0, 1, 0.1}}, "volcano", 4, 4, "++++"},
		{"some", judging{relevance: []float64{2, 0, -0.1, -3}}, "volcano", 4, 4, "++--"},
		{"a gap", judging{relevance: []float64{2, -1, 0.5, -3}}, "volcano", 4, 4, "+++-"},
		{"a gap that ends out of sight", judging{relevance: []float64{2, -1, 0.5, -3}}, "volcano", 4, 2, "+-"},
		{"none", judging{relevance: []float64{-2, -1, -0.5, -3}}, "volcano", 4, 4, "----"},
		{"none, and dropped ones", judging{relevance: []float64{-2, -1, nan, nan}}, "heron", 4, 4, "+++-"}, // they hold the word
		{"dropped ones", judging{relevance: []float64{2, 1, nan, nan}}, "volcano", 4, 4, "++--"},
		{"cut", judging{relevance: []float64{nan}}, "volcano", 4, 4, "----"},
		{"beyond its depth", judging{relevance: []float64{2, 1}}, "volcano", 2, 4, "++--"},
		{"not calibrated", judging{}, "volcano", 4, 4, "++++"},
		{"failed", judging{err: errors.New("the pack vanished")}, "volcano", 4, 4, "----"},
	} {
		w := shelf(t)
		w.opts.RelevantFrom, w.opts.Reranker, w.opts.RerankDepth = 9, &tt.fake, tt.depth
		r := w.search(engine.Request{Query: tt.query, K: tt.k})
		if got := lineOf(r); got != tt.want || r.Irrelevant() != !strings.Contains(tt.want, "+") {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestRelevanceOfDropped: closeness judges what the reranker did not read to the end, if
// something that it did is relevant. All passages are close to the query here.
func TestRelevanceOfDropped(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		relevance   []float64
		query, want string
	}{
		{[]float64{2, nan, nan, nan}, "volcano", "++++"},
		{[]float64{2, -1, nan, nan}, "volcano", "++++"},
		{[]float64{2, -1, -1, -1}, "volcano", "+---"},
		{[]float64{-1, nan, nan, nan}, "volcano", "----"},
		{[]float64{-1, nan, nan, nan}, "heron pond reeds", "++++"}, // the first holds every word
		{[]float64{nan, -1, -1, -1}, "heron pond reeds", "+---"},
		{[]float64{nan, nan, nan, nan}, "volcano", "++++"},
	} {
		w := shelf(t)
		w.opts.RelevantFrom, w.opts.Reranker = -9, &judging{relevance: tt.relevance}
		if got := lineOf(w.search(engine.Request{Query: tt.query, K: 4})); got != tt.want {
			t.Errorf("%s, read %v: %s, want %s", tt.query, tt.relevance, got, tt.want)
		}
	}
}

// TestNothingRelevantDeclines without asking anybody.
func TestNothingRelevantDeclines(t *testing.T) {
	w, f := shelf(t), &teller{says: engine.Answer{Text: "Heron. [1]", Confidence: engine.Sure, Citations: []engine.AnswerCitation{{N: 1}}}}
	w.opts.RelevantFrom, w.opts.Answerer = 9, f
	r := w.search(engine.Request{Query: "submarine volcano", Answer: true})
	if a := r.Answer; f.calls != 0 || a.Confidence != engine.None || !a.Declined || a.Text != engine.DeclinedText || len(r.Passages) != 4 {
		t.Errorf("%+v, %d calls", a, f.calls)
	}
	if r := w.search(engine.Request{Query: "heron", Answer: true}); f.calls != 1 || r.Answer.Confidence != engine.Sure || len(f.job.Passages) != 4 {
		t.Errorf("%+v, %d calls, from %d passages", r.Answer, f.calls, len(f.job.Passages))
	}
}
