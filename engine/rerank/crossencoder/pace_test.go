package crossencoder

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/rerank"
)

// paceOf notes passes in which a candidate takes so long.
func paceOf(path string, most time.Duration, each ...time.Duration) *pace {
	p := &pace{path: path, build: "1", most: most}
	for _, took := range each {
		p.add(took)
	}
	return p
}

// same is one time, often.
func same(took time.Duration) []time.Duration {
	all := make([]time.Duration, paceSamples)
	for i := range all {
		all[i] = took
	}
	return all
}

// TestPaceFitsTheTime: the faster the machine, the more candidates are read.
func TestPaceFitsTheTime(t *testing.T) {
	const most = 150 * time.Millisecond
	for each, want := range map[time.Duration]int{
		50 * time.Millisecond: 12, 17 * time.Millisecond: 12, 12 * time.Millisecond: 12, 5500 * time.Microsecond: 20,
		3 * time.Millisecond: 40, time.Microsecond: 40,
	} {
		if got := paceOf("", most, same(each)...).depth(); got != want {
			t.Errorf("%v for each: %d candidates, want %d", each, got, want)
		}
	}
	if got := paceOf("", 0, same(time.Microsecond)...).depth(); got != engine.RerankDepth {
		t.Errorf("without a limit: %d candidates", got)
	}
}

// TestPaceNeedsPasses: before there are some, and after few that were disturbed, it is
// what it was.
func TestPaceNeedsPasses(t *testing.T) {
	const most = 150 * time.Millisecond
	p := paceOf("", most)
	for n := range paceSamples {
		want := engine.RerankDepth
		if n >= paceNeeded {
			want = 40
		}
		if got := p.depth(); got != want {
			t.Errorf("after %d passes: %d candidates, want %d", n, got, want)
		}
		p.add(3 * time.Millisecond)
	}
	for range paceSamples/2 - 1 {
		p.add(time.Second)
	}
	if got := p.depth(); got != 40 {
		t.Errorf("after a busy moment: %d candidates", got)
	}
	p.add(time.Second)
	p.add(time.Second)
	if got := p.depth(); got != 12 {
		t.Errorf("on a machine that became slow: %d candidates", got)
	}
}

// TestPaceStaysWhereItNearlyFits, so that equal queries give equal results.
func TestPaceStaysWhereItNearlyFits(t *testing.T) {
	const most = 100 * time.Millisecond
	p := paceOf("", most, same(4900*time.Microsecond)...)
	for _, each := range []time.Duration{5900 * time.Microsecond, 4 * time.Millisecond, 2 * time.Millisecond} {
		for _, took := range same(each) {
			p.add(took)
		}
		if got := p.depth(); got != 20 {
			t.Errorf("%v for each: %d candidates, want 20 as before", each, got)
		}
	}
	for _, took := range same(1800 * time.Microsecond) {
		p.add(took)
	}
	if got := p.depth(); got != 40 {
		t.Errorf("of a much faster one: %d candidates", got)
	}
}

// TestPaceIsKept for other processes of this version; what no version wrote is not used.
func TestPaceIsKept(t *testing.T) {
	const most = 150 * time.Millisecond
	path := filepath.Join(t.TempDir(), "pace", "r.json")
	paceOf(path, most, same(3*time.Millisecond)...)
	if got := paceOf(path, most).depth(); got != 40 {
		t.Errorf("the next process reads %d candidates", got)
	}
	if got := paceOf(path, 10*time.Millisecond).depth(); got != 12 {
		t.Errorf("with less time: %d candidates", got)
	}
	other := &pace{path: path, build: "2", most: most}
	if got := other.depth(); got != engine.RerankDepth {
		t.Errorf("another version reads %d candidates", got)
	}
	for _, damaged := range []string{"", "{", `{"version":"1","depth":21,"seconds":[1]}`, `{"version":"1","depth":12,"seconds":[-1]}`} {
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		p := paceOf(path, most)
		if got := p.depth(); got != engine.RerankDepth {
			t.Errorf("%q: %d candidates", damaged, got)
		}
		for _, took := range same(time.Second) {
			p.add(took)
		}
		if got := paceOf(path, most).depth(); got != 12 {
			t.Errorf("after %q nothing is kept: %d candidates", damaged, got)
		}
	}
}

// TestCostOf counts the layers that were computed, and passes over what does not tell.
func TestCostOf(t *testing.T) {
	pruned := &rerank.Result{ActiveLayers: 60, FullLayers: 120}
	if got := costOf(pruned, 20, 100*time.Millisecond); got != 10*time.Millisecond {
		t.Errorf("half of the layers in 100 ms: %v for each, want 10 ms", got)
	}
	for name, r := range map[string]*rerank.Result{"cut": {ActiveLayers: 60, FullLayers: 120, Cut: true}, "nothing computed": {FullLayers: 120}} {
		if got := costOf(r, 20, time.Second); got != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := costOf(pruned, leastTimed-1, time.Second); got != 0 {
		t.Errorf("of few candidates: %v", got)
	}
}
