package draft

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func linear(rows int, first, each float64) []float64 {
	cost := make([]float64, rows)
	for i := range cost {
		cost[i] = first + each*float64(i)
	}
	return cost
}

// T-S9: never more than W_max rows, and nothing where rows cost as much as steps.
func TestBudgetNeverExceedsItsRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 500 {
		paths := make([]float32, r.IntN(40))
		for i := range paths {
			paths[i] = r.Float32()
		}
		slices.Sort(paths)
		slices.Reverse(paths)
		b := Budget{Rows: r.IntN(20), Cost: linear(r.IntN(30), 1, r.Float64())}
		most := b.Rows
		if most == 0 {
			most = defaultRows
		}
		if len(b.Cost) > 0 {
			most = min(most, len(b.Cost))
		}
		if got := b.choose(paths, 1+2*r.Float64()); got < 1 || got > most || got > len(paths)+1 {
			t.Fatalf("%d rows of at most %d for %d nodes", got, most, len(paths))
		}
	}
}

func TestBudgetDraftsNothingWhereItDoesNotPay(t *testing.T) {
	low := []float32{.3, .2, .1, .05}
	for name, test := range map[string]struct {
		budget Budget
		rate   float64
		paths  []float32
		want   int
	}{
		"rows cost as much as steps":      {Budget{Cost: linear(16, 1, 1)}, 1, low, 1},
		"and even sure tokens do not pay": {Budget{Cost: linear(16, 1, 1)}, 1, []float32{.99, .98, .97}, 1},
		"rows are cheap":                  {Budget{Cost: linear(16, 1, .01)}, 1, low, 5},
		"rows cost .15 of a step":         {Budget{Cost: linear(16, 1, .15)}, 1, low, 3},
		"the same while others do better": {Budget{Cost: linear(16, 1, .15)}, 2.5, low, 1},
		"less than 5% is gained":          {Budget{Cost: linear(16, 1, .26)}, 1, low, 1},
		"rows are free":                   {Budget{}, 1, low, 5},
		"a flat part after a step":        {Budget{Cost: []float64{1, 1.4, 1.4, 1.4, 3}}, 1, low, 4},
		"nothing to draft":                {Budget{Cost: linear(16, 1, .01)}, 1, nil, 1},
	} {
		if got := test.budget.choose(test.paths, test.rate); got != test.want {
			t.Errorf("%s: %d rows, want %d", name, got, test.want)
		}
	}
}

// On a convex curve the choice is that of the marginal rule.
func TestBudgetIsTheMarginalRuleOnConvexCurves(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for range 500 {
		cost := []float64{1}
		for step := .05 * r.Float64(); len(cost) < 16; step += .1 * r.Float64() {
			cost = append(cost, cost[len(cost)-1]+step)
		}
		paths := make([]float32, 15)
		for i := range paths {
			paths[i] = r.Float32()
		}
		slices.Sort(paths)
		slices.Reverse(paths)
		rate := 1 + r.Float64()
		want, emitted := 1, 1.
		for want < 16 && float64(paths[want-1]) > (cost[want]-cost[want-1])*rate {
			emitted += float64(paths[want-1])
			want++
		}
		if emitted/cost[want-1] < leastGain {
			want = 1
		}
		if got := (Budget{Cost: cost}).choose(paths, rate); got != want {
			t.Fatalf("%d rows, want %d: %v at %v, rate %f", got, want, paths, cost, rate)
		}
	}
}

// Where one row costs little and a second one much, as where one reads the rows of weights
// that are active and several read all, the choice looks past the step: of all sizes it
// is the one that gains most over decoding without drafts.
func TestBudgetLooksPastAStepAfterTheFirstRow(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	r, beyond, single := rand.New(rand.NewPCG(seed, seed)), 0, 0
	for range 500 {
		cost := []float64{1}
		for at := 1 + 2*r.Float64(); len(cost) < 16; at += .05 * r.Float64() {
			cost = append(cost, at)
		}
		paths := make([]float32, 15)
		paths[0] = r.Float32()
		for i := 1; i < len(paths); i++ {
			paths[i] = paths[i-1] * (.8 + .2*r.Float32())
		}
		want, gain, expected := 1, 0., 1.
		for rows := 2; rows <= 16; rows++ {
			emitted := 1.
			for _, p := range paths[:rows-1] {
				emitted += float64(p)
			}
			if more := emitted - cost[rows-1]; more > gain+1e-9 {
				want, gain, expected = rows, more, emitted
			}
		}
		if expected/cost[want-1] < leastGain {
			want = 1
		}
		got := (Budget{Cost: cost}).choose(paths, 1)
		if got != want {
			t.Fatalf("%d rows, want %d: %v at %v", got, want, paths, cost)
		}
		if got == 1 {
			single++
		} else if float64(paths[0]) < cost[1]-cost[0] {
			beyond++ // the second row alone does not pay
		}
	}
	if beyond < 50 || single < 50 {
		t.Errorf("%d choices beyond a step that does not pay by itself, %d of one row", beyond, single)
	}
}

func TestCountersLearn(t *testing.T) {
	c := newCounters()
	e := matched(fromText, 3, 1, 1, false)
	for range 3 * mostTrials {
		c.learn(e, true)
	}
	if p := c.probability(e); p < .95 || p > 1 {
		t.Errorf("always accepted: %f", p)
	}
	if c.trials[e] > mostTrials+1 {
		t.Errorf("%f trials are kept, at most %d", c.trials[e], mostTrials)
	}
	for range mostTrials {
		c.learn(e, false)
	}
	if p := c.probability(e); p > .5 {
		t.Errorf("no longer accepted: %f", p)
	}
}

func TestEvidenceIsInRange(t *testing.T) {
	seen := map[evidence]bool{}
	for from := fromText; from < sources; from++ {
		for length := int32(1); length < 40; length++ {
			for total := int32(1); total < 30; total++ {
				for count := int32(1); count <= total; count++ {
					seen[matched(from, length, count, total, count%2 == 0)] = true
				}
			}
		}
	}
	for depth := range 20 {
		seen[calibrated(1, depth)], seen[calibrated(.05, depth)], seen[calibrated(1.2, depth)] = true, true, true
	}
	for e := range seen {
		if int(e) >= evidences || prior(e) <= 0 || prior(e) >= 1 {
			t.Fatalf("evidence %d of %d has prior %f", e, evidences, prior(e))
		}
	}
}
