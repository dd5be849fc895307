package measure

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/kernel"
	"dowse/engine/rerank"
	"dowse/engine/rerank/crossencoder"
	"dowse/engine/search"
	"dowse/internal/eval"
	"dowse/models"
)

var (
	pruneOut     = flag.String("prune-out", "", "file to write the thresholds to, such as models/bundled/NAME/pruning.json")
	pruneShipped = flag.Bool("prune-shipped", false, "choose nothing, and print what the thresholds in use do")
	pruneAt      = flag.String("prune-at", fmt.Sprint(engine.RerankDepth), "numbers of candidates to choose for, apart by commas, each at most those of the traces")
)

// pruneLoss is the nDCG that pruning may take, in the mean of the questions. The
// first of pruneTargets that holds it chooses: what agrees to .99 with the full pass
// is mostly no worse than that, which errs as well.
const pruneLoss = 0.002

var pruneTargets = []float64{rerank.DefaultTarget, 0.993, 0.995, 0.997, 0.998, 0.999}

// pruneSeed is of the order of traces, and of halves of them.
const pruneSeed = 20261122

// TestFitPruning chooses the thresholds that a reranker comes with, on questions
// that it was not trained on, and prints what they cost in layers and in nDCG:
//
//	DOWSE_TEST_FIT_CACHE=CACHE go test ./lab/measure -run TestFitPruning -v -timeout 0 \
//	    -prune DIR -prune-traces TRACES -prune-model NAME -prune-out models/bundled/NAME/pruning.json
//
// It needs the default embedder and the reranker in the cache.
// train/README.md says how the collections are made.
func TestFitPruning(t *testing.T) {
	if *pruneOn == "" {
		t.Skip("chooses only when told on what: -prune DIR")
	}
	t.Setenv("XDG_CACHE_HOME", fitCache(t))
	judged := gatherTraces(t, false)
	pruning, base := measuredReranker(t)
	if *pruneShipped {
		reportShipped(t, judged, pruning, base)
		return
	}
	var all []judgedTrace
	for _, name := range slices.Sorted(maps.Keys(judged)) {
		all = append(all, judged[name]...)
	}
	random := rand.New(rand.NewPCG(pruneSeed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	t.Logf("%d questions of %d collections, seed %d; the answer is the full pass's i-th result in %s", len(all), len(judged), pruneSeed, placesOf(all))
	for _, n := range candidatesToPrune(t) {
		pruning.Thresholds = append(pruning.Thresholds, chooseThreshold(t, sharingOfEach(judged, n), sharing(all, n), base, n)...)
	}
	data, err := json.MarshalIndent(pruning, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", data)
	if *pruneOut != "" {
		if err := os.WriteFile(*pruneOut, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// chooseThreshold chooses the one for the best that searches of so many candidates want, if there is one that
// loses little enough.
func chooseThreshold(t *testing.T, judged map[string][]judgedTrace, all []judgedTrace, base rerank.Options, candidates int) []models.Threshold {
	t.Helper()
	pooled, opts := map[string][]judgedTrace{"": all}, base
	opts.K = search.RerankWanted(candidates)
	for _, target := range pruneTargets {
		c := fitThreshold(t, all, opts, target)
		worth := worthOfPruning(t, pooled, c.Apply(opts))
		t.Logf("best %d of %d, target %.4f: sure of %d from layer %d, tau %.4g, lower %.4f; %s", opts.K, candidates, target, c.Sure, c.MinLayers, c.Tau, c.Lower, worth)
		if c.Cost >= 1 || worth.loss() > pruneLoss {
			continue
		}
		reportChoice(t, judged, all, opts, c)
		return []models.Threshold{{
			Candidates: candidates, K: opts.K, Sure: c.Sure, MinLayers: c.MinLayers, Tau: c.Tau, Traces: c.Traces,
			Agreement: rounded(c.Agreement), Cost: rounded(c.Cost),
		}}
	}
	return nil
}

// reportShipped prints what the thresholds in use do to each collection.
func reportShipped(t *testing.T, judged map[string][]judgedTrace, measured models.Pruning, base rerank.Options) {
	t.Helper()
	shipped, err := models.BundledPruning(rerankerToPrune())
	if err != nil {
		t.Fatal(err)
	}
	tuning := crossencoder.NewTuning(t.TempDir(), measured.Model, base, rerank.DefaultTarget)
	tuning.Ship(shipped, measured.Prior)
	for _, n := range candidatesToPrune(t) {
		cut, opts := sharingOfEach(judged, n), tuning.Options(n, search.RerankWanted(n))
		for _, name := range slices.Sorted(maps.Keys(cut)) {
			t.Logf("%d candidates, %-12s %d questions: %s", n, name, len(cut[name]), worthOfPruning(t, map[string][]judgedTrace{name: cut[name]}, opts))
		}
		t.Logf("%d candidates, mean of them: %s", n, worthOfPruning(t, cut, opts))
	}
}

// rerankerToPrune is the reranker that is measured.
func rerankerToPrune() string {
	if *pruneModel != "" {
		return *pruneModel
	}
	return models.DefaultReranker
}

// fitSeed is of the bootstrap, so that the same traces give the same threshold.
const fitSeed = 20261121

func rounded(share float64) float64 { return math.Floor(1e4*share) / 1e4 }

// measuredReranker names the weights and the prior that are measured, and the
// options that searches prune with.
func measuredReranker(t *testing.T) (models.Pruning, rerank.Options) {
	t.Helper()
	a, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	a.Config.Reranker = rerankerToPrune()
	machine := a.Machine(nil)
	if machine.Kernel, err = kernel.New(kernel.Options{Library: a.RuntimeLibrary()}); err != nil {
		t.Fatal(err)
	}
	r := crossencoder.New(machine, a.RerankerOptions())
	model, done, err := r.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, base := models.Pruning{Model: model.Tuning.Model, Prior: model.Prior}, model.Tuning.Base
	if err := errors.Join(done(), r.Close(), machine.Kernel.Close()); err != nil {
		t.Fatal(err)
	}
	return p, base
}

// reportChoice prints what a choice does to each collection, and what half of the
// traces would have chosen does to the other half.
func reportChoice(t *testing.T, judged map[string][]judgedTrace, all []judgedTrace, opts rerank.Options, c rerank.Calibration) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(judged)) {
		t.Logf("    %-12s %s", name, worthOfPruning(t, map[string][]judgedTrace{name: judged[name]}, c.Apply(opts)))
	}
	half := len(all) / 2
	for _, halves := range [][2][]judgedTrace{{all[:half], all[half:]}, {all[half:], all[:half]}} {
		c := fitThreshold(t, halves[0], opts, rerank.DefaultTarget)
		t.Logf("    by one half: sure of %d from layer %d, tau %.3f; on the other: %s", c.Sure, c.MinLayers, c.Tau, worthOfPruning(t, map[string][]judgedTrace{"": halves[1]}, c.Apply(opts)))
	}
}

// fitThreshold calibrates on the traces of judged questions.
func fitThreshold(t *testing.T, all []judgedTrace, opts rerank.Options, target float64) rerank.Calibration {
	t.Helper()
	c, err := rerank.Calibrate(t.Context(), tracesOf(all), opts, target, fitSeed)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func tracesOf(all []judgedTrace) []rerank.Trace {
	traces := make([]rerank.Trace, len(all))
	for i := range all {
		traces[i] = all[i].trace
	}
	return traces
}

// worth is what a choice does, in the mean of the collections.
type worth struct {
	hybrid, full, pruned float64 // nDCG of the first k
	agreement, layers    float64
}

func (w worth) loss() float64 { return w.full - w.pruned }

func (w worth) String() string {
	return fmt.Sprintf("nDCG hybrid %.4f, full %.4f, pruned %.4f (%+.4f), agreement %.4f, layers %.3f", w.hybrid, w.full, w.pruned, -w.loss(), w.agreement, w.layers)
}

// worthOfPruning is what options do to the collections.
func worthOfPruning(t *testing.T, judged map[string][]judgedTrace, opts rerank.Options) (sum worth) {
	t.Helper()
	exact := opts
	exact.Tau = math.Inf(1)
	for _, list := range judged {
		for i := range list {
			j, share := &list[i], 1/float64(len(list)*len(judged))
			order := make([]rerank.Candidate, j.trace.Candidates)
			for id := range order {
				order[id].ID = id
			}
			want, got := replayed(t, j.trace, exact), replayed(t, j.trace, opts)
			sum.hybrid += share * j.worth(order, opts.K)
			sum.full += share * j.worth(want.Ranking, opts.K)
			sum.pruned += share * j.worth(got.Ranking, opts.K)
			sum.agreement += share * rerank.Agreement(opts.Mode, want.Top, got.Top)
			sum.layers += share * got.Cost()
		}
	}
	return sum
}

func replayed(t *testing.T, trace rerank.Trace, opts rerank.Options) rerank.Result {
	t.Helper()
	result, err := rerank.Replay(trace, opts)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// documents are those that the first k of a ranking are or lie in, each once.
func (j *judgedTrace) documents(ranking []rerank.Candidate, k int) (found []eval.Ranked) {
	seen := map[string]bool{}
	for _, c := range ranking[:min(k, len(ranking))] {
		if d := j.Documents[c.ID]; !seen[d] {
			seen[d] = true
			found = append(found, eval.Ranked{ID: d})
		}
	}
	return found
}

// worth is nDCG of the first k.
func (j *judgedTrace) worth(ranking []rerank.Candidate, k int) float64 {
	return eval.Score(j.documents(ranking, k), j.Grades).NDCG10
}

// placesOf tells how often the first answer is each of the first ten results of
// the full pass: what Agreement takes to be as the reciprocal square of the place.
func placesOf(all []judgedTrace) string {
	var at [10]float64
	found := 0.0
	for i := range all {
		j := &all[i]
		result, err := rerank.Replay(j.trace, rerank.Options{K: 10, Mode: rerank.Order, Tau: math.Inf(1)})
		if err != nil {
			return err.Error()
		}
		place := slices.IndexFunc(j.documents(result.Ranking, 10), func(d eval.Ranked) bool { return j.Grades[d.ID] > 0 })
		if place >= 0 {
			at[place]++
			found++
		}
	}
	for i := range at {
		at[i] /= found
	}
	return fmt.Sprintf("%.3f of those that find it", at)
}

// TestShippedOnRecordedTraces: on full passes of the default reranker over
// questions that it was not trained on, what comes with it drops candidates and
// keeps the best. Thresholds of other weights would not be used at all.
func TestShippedOnRecordedTraces(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p, base := measuredReranker(t)
	shipped, err := models.BundledPruning(models.DefaultReranker)
	if err != nil || shipped.Model != p.Model {
		t.Fatalf("thresholds are of the weights %+v, the program carries %s: choose again (TestFitPruning); %v", shipped, p.Model, err)
	}
	tuning := crossencoder.NewTuning(t.TempDir(), p.Model, base, rerank.DefaultTarget)
	tuning.Ship(shipped, p.Prior)
	recorded := readJudged(t, filepath.Join("testdata", "reranked.jsonl"))
	for _, k := range []int{1, 3, 5, 7, 10} {
		opts := tuning.Options(engine.RerankDepth, k)
		got := worthOfPruning(t, map[string][]judgedTrace{"": recorded}, opts)
		t.Logf("best %d of %d: sure of %d, %s", k, engine.RerankDepth, opts.Sure, got)
		if got.layers > 0.85 || got.agreement < 0.95 || math.Abs(got.loss()) > 0.005 {
			t.Errorf("the best %d: %s", k, got)
		}
	}
}
