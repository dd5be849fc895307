package memory

import (
	"math/rand/v2"
	"testing"
)

// cache is an elastic holder that does what it is told at once, or when it looks.
type cache struct {
	*holder
	least, held int64
	busy        bool
}

func (c *cache) look() {
	most := c.Most()
	c.held = max(most, c.least)
	c.Held(most, c.held)
}

// holdCache takes bytes for a cache that needs a tenth of them.
func holdCache(t *testing.T, a *Arbiter, want int64) *cache {
	t.Helper()
	c := &cache{holder: hold(a), least: want / 10}
	got, err := c.Take(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	c.held = got
	c.Elastic(c.least, func() {
		if !c.busy {
			c.look()
		}
	})
	return c
}

func setBudget(t *testing.T, a *Arbiter, bytes int64) {
	t.Helper()
	if err := a.SetBudget(bytes); err != nil {
		t.Fatal(err)
	}
}

// TestArbiterShrinksElasticHolders before it has others close, and gives them back what
// they wanted.
func TestArbiterShrinksElasticHolders(t *testing.T) {
	a := NewArbiter(1000)
	a.Reserve(100)
	stiff, soft := hold(a), holdCache(t, a, 500)
	stiff.take(t, 300, 300)
	stiff.rest()
	setBudget(t, a, 600)
	if soft.held != 200 || stiff.gone || a.Excess() != 0 {
		t.Errorf("the cache has %d, the other one gave up: %t, %d too much", soft.held, stiff.gone, a.Excess())
	}
	setBudget(t, a, 800)
	if soft.held != 400 {
		t.Errorf("of 200 bytes more the cache has %d", soft.held)
	}
	setBudget(t, a, 350)
	if soft.held != 50 || !stiff.gone || a.Excess() != 0 {
		t.Errorf("the cache has %d, the other one gave up: %t, %d too much", soft.held, stiff.gone, a.Excess())
	}
	setBudget(t, a, 5000)
	if soft.held != 500 {
		t.Errorf("in memory for ten the cache has %d", soft.held)
	}
	setBudget(t, a, 0) // would be any number
	if a.Budget() != 5000 {
		t.Errorf("a budget of %d", a.Budget())
	}
}

// TestArbiterWaitsForNoHolderAtWork: one that is elastic gives back when it looks, and
// another one gives up what it has once it is idle.
func TestArbiterWaitsForNoHolderAtWork(t *testing.T) {
	a := NewArbiter(1000)
	stiff, soft := hold(a), holdCache(t, a, 500)
	soft.busy = true
	stiff.take(t, 500, 500)
	setBudget(t, a, 400)
	if soft.held != 500 || soft.Most() != 50 || stiff.gone || a.Excess() != 150 {
		t.Errorf("has %d of %d, gave up: %t, %d too much", soft.held, soft.Most(), stiff.gone, a.Excess())
	}
	soft.look()
	stiff.rest()
	if err := a.Enforce(); err != nil || !stiff.gone || a.Excess() != 0 || soft.held != 50 {
		t.Errorf("%v, gave up: %t, %d too much", err, stiff.gone, a.Excess())
	}
	soft.Busy() // a next use, which gets what is free by now
	if soft.look(); soft.held != 400 {
		t.Errorf("has %d", soft.held)
	}
}

// TestArbiterTakesFromCachesAtWork what they can do without, so that who needs it waits
// for no more than that.
func TestArbiterTakesFromCachesAtWork(t *testing.T) {
	a := NewArbiter(1000)
	soft := holdCache(t, a, 1000)
	hold(a).take(t, 300, 300)
	if soft.held != 700 || soft.gone {
		t.Errorf("has %d, gave up: %t", soft.held, soft.gone)
	}
}

// TestArbiterLearnsWhatAHolderNeeds where it cannot do what it is told.
func TestArbiterLearnsWhatAHolderNeeds(t *testing.T) {
	a := NewArbiter(1000)
	soft := holdCache(t, a, 1000)
	soft.least = 600
	setBudget(t, a, 300)
	if soft.held != 600 || a.Excess() != 300 {
		t.Errorf("has %d, %d too much", soft.held, a.Excess())
	}
	soft.rest()
	hold(a).take(t, 200, 200)
	if !soft.gone {
		t.Error("a holder that gives nothing is asked again and again")
	}
}

// TestArbiterKeepsToABudgetThatChanges at random, whoever is at work meanwhile.
func TestArbiterKeepsToABudgetThatChanges(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	a := NewArbiter(1000)
	caches := []*cache{holdCache(t, a, 300), holdCache(t, a, 300), holdCache(t, a, 300)}
	for step := range 2000 {
		c := caches[rng.IntN(len(caches))]
		switch rng.IntN(4) {
		case 0:
			c.busy = true
			c.Busy()
		case 1:
			c.busy = false
			c.look()
			c.Idle()
		default:
			setBudget(t, a, 90+rng.Int64N(1500))
		}
		promised := int64(0)
		for _, c := range caches {
			promised += min(c.held, max(c.Most(), c.least))
		}
		if promised > a.Budget() || a.Excess() != 0 {
			t.Fatalf("step %d: %d bytes of %d, %d too much", step, promised, a.Budget(), a.Excess())
		}
	}
}
