package scores

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/endpoint"
	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// local is a reranker that turns the order round.
type local struct{ asked int }

func (*local) Ready(context.Context) {}

func (*local) Near(scores []float64) int { return len(scores) }

func (l *local) Depth() int { return 12 }
func (l *local) Rerank(_ context.Context, job engine.RerankJob) (*engine.Reranking, error) {
	l.asked++
	done := &engine.Reranking{Scores: make([]float64, len(job.Passages)), Stats: engine.RerankStats{Model: "own"}, Relevance: make([]float64, len(job.Passages))}
	for i := range job.Passages {
		done.Order, done.Scores[i] = append([]int{i}, done.Order...), float64(i)
	}
	return done, nil
}

func start(t *testing.T, f endpointtest.Flavour, reserve engine.Reranker) (*endpointtest.Vectors, *Reranker) {
	t.Helper()
	server := endpointtest.StartVectors(f)
	t.Cleanup(server.Close)
	url := server.URL
	if f == endpointtest.TEI {
		url = server.Root()
	}
	r, err := Open(Options{Server: endpoint.Server{URL: url, Model: "m"}, Local: reserve, Time: 20 * time.Second, Rest: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return server, r
}

var job = engine.RerankJob{
	Query: "who wrote grep", K: 2,
	Passages:  []string{"the heron stands", "Ken Thompson wrote grep", "who stands there", "sed is not grep"},
	Prior:     []float64{.9, .6, .7, .5},
	Closeness: []float64{.9, .5, .7, .5},
}

// TestScoresAreBlended: probabilities and logits make one order, by the server's scores and
// what the passages came with, and nothing is said of the topic.
func TestScoresAreBlended(t *testing.T) {
	for _, f := range []endpointtest.Flavour{endpointtest.LlamaCpp, endpointtest.VLLM, endpointtest.TEI} {
		server, r := start(t, f, nil)
		var layers []engine.RerankLayer
		job := job
		job.Observe = func(l engine.RerankLayer) { layers = append(layers, l) }
		done, err := r.Rerank(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		if done.Order[0] != 1 || done.Relevance != nil || done.Stats.Instead != "" || !slices.IsSortedFunc(done.Order, func(a, b int) int {
			return int(math.Copysign(1, done.Scores[b]-done.Scores[a]))
		}) {
			t.Errorf("%s: %+v", f, done)
		}
		// Equal scores of the server keep their distance: 10 for a whole unit of the prior.
		if d := done.Scores[2] - done.Scores[3]; math.Abs(d-10*(.7-.5)) > 1e-5 {
			t.Errorf("%s: %g", f, d)
		}
		if s := done.Stats.Sent; s == nil || s.Passages != 4 || s.Remote || s.To == "" || done.Stats.Model != "m at "+strings.TrimPrefix(server.Root(), "http://") {
			t.Errorf("%s: %+v", f, done.Stats)
		}
		if len(layers) != 1 || len(layers[0].Scores) != 4 {
			t.Errorf("%s: %+v", f, layers)
		}
	}
}

// TestManyPassages are asked for in several requests.
func TestManyPassages(t *testing.T) {
	server, r := start(t, endpointtest.TEI, nil)
	many := engine.RerankJob{Query: "grep"}
	for i := range 70 {
		text := "heron"
		if i == 65 {
			text = "grep"
		}
		many.Passages, many.Prior = append(many.Passages, text), append(many.Prior, 0)
	}
	done, err := r.Rerank(t.Context(), many)
	if err != nil || done.Order[0] != 65 || len(done.Order) != 70 {
		t.Errorf("%+v, %v", done, err)
	}
	if requests, _ := server.Asked(); requests != 4 { // the first says that texts are wanted
		t.Errorf("%d requests", requests)
	}
}

func TestLogitsOfProbabilities(t *testing.T) {
	r := &Reranker{}
	got := r.asLogits([]float64{0, .5, 1, .9})
	if got[1] != 0 || math.Abs(got[0]+got[2]) > 1e-6 || math.IsInf(got[2], 0) || math.Abs(got[3]-math.Log(9)) > 1e-9 {
		t.Errorf("%v", got)
	}
	if got := r.asLogits([]float64{-3, .5}); !slices.Equal(got, []float64{-3, .5}) {
		t.Errorf("%v", got)
	}
	if got := r.asLogits([]float64{.25, .5}); !slices.Equal(got, []float64{.25, .5}) {
		t.Errorf("a server of logits: %v", got)
	}
}

// TestLocalTakesOver where the server fails, and says so; the server is then left alone for a
// while. Without a reserve the failure is the answer.
func TestLocalTakesOver(t *testing.T) {
	reserve := &local{}
	server, r := start(t, endpointtest.VLLM, reserve)
	server.Break(endpointtest.Away, -1)
	for i := range 3 {
		done, err := r.Rerank(t.Context(), job)
		if err != nil || done.Order[0] != 3 || done.Relevance == nil || !strings.Contains(done.Stats.Instead, "so own of this machine put the passages in order") ||
			done.Stats.Model != "own" || (done.Stats.Sent != nil) != (i == 0) {
			t.Errorf("%+v, %v", done, err)
		}
	}
	if requests, _ := server.Asked(); requests != 1 || reserve.asked != 3 {
		t.Errorf("%d requests, the reserve was asked %d times", requests, reserve.asked)
	}
	server, alone := start(t, endpointtest.VLLM, nil)
	server.Break(endpointtest.Fewer, -1)
	if _, err := alone.Rerank(t.Context(), job); err == nil || !strings.Contains(err.Error(), "for 3 texts of 4") {
		t.Error(err)
	}
}

// TestSlowServer: the local reranker takes over when the time is over; a search that is
// given up takes no reserve, and a search with little time of its own does not tell that the
// server is away.
func TestSlowServer(t *testing.T) {
	reserve := &local{}
	server, r := start(t, endpointtest.VLLM, reserve)
	server.Break(endpointtest.Stall, -1)
	hurried := job
	hurried.Deadline = time.Now().Add(20 * time.Millisecond)
	done, err := r.Rerank(t.Context(), hurried)
	if err != nil || !strings.Contains(done.Stats.Instead, "in the time that the search had") || r.why != nil {
		t.Errorf("%+v, %v", done, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := r.Rerank(ctx, job); !errors.Is(err, context.DeadlineExceeded) || reserve.asked != 1 {
		t.Errorf("%v, asked %d", err, reserve.asked)
	}
	options := r.options
	options.Time = 20 * time.Millisecond
	quick, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	if done, err := quick.Rerank(t.Context(), job); err != nil || done.Stats.Model != "own" || quick.why == nil {
		t.Errorf("%+v, %v", done, err)
	}
}
