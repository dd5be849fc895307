package crossencoder

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"dowse/engine"
	"dowse/engine/opened"
)

// depths are the numbers of candidates that a machine may read, each with thresholds
// of pruning that come with the model. There are few, so that a machine stays with one
// of them, and equal queries go on giving equal results. With 8, notes would lose .007
// nDCG@10 of what 12 give, and .009 more where as many layers are spared.
var depths = []int{12, 20, 40}

const (
	// paceSamples is how many of the last passes tell what a candidate takes: their
	// median, which neither the pass that opens the model nor a busy minute moves.
	paceSamples = 8
	// paceNeeded passes are made with engine.RerankDepth candidates before there is a
	// choice.
	paceNeeded = 3
	// paceSlack is by how much of the time another number of candidates has to be the
	// right one before it takes the place of the one in use.
	paceSlack = 0.25
)

// pace is what a candidate takes on this machine, and how many are read for it. It is
// kept in a file, so that a process that asks one question knows it.
type pace struct {
	path  string // "": nothing is kept
	build string // of dowse, whose kernels the times are of
	most  time.Duration

	mu     sync.Mutex
	loaded bool
	kept   keptPace
}

// keptPace is the file of a pace.
type keptPace struct {
	Version string    `json:"version"`
	Depth   int       `json:"depth"`   // 0 until there are passes enough
	Seconds []float64 `json:"seconds"` // of a candidate through all layers, the last pass last
}

// sound reports whether a file is one that this version may have written.
func (k *keptPace) sound(build string) bool {
	bad := func(seconds float64) bool { return !(seconds > 0) || math.IsInf(seconds, 0) }
	return k.Version == build && (k.Depth == 0 || slices.Contains(depths, k.Depth)) &&
		len(k.Seconds) <= paceSamples && !slices.ContainsFunc(k.Seconds, bad)
}

// depth is how many candidates are read.
func (p *pace) depth() int {
	if p.most <= 0 {
		return engine.RerankDepth
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	if p.kept.Depth == 0 {
		return engine.RerankDepth
	}
	// The file may be of another limit than the one in the settings.
	return fitting(p.kept.Seconds, p.kept.Depth, p.most)
}

// load reads the file, once. What is of no use is measured again. The caller holds p.mu.
func (p *pace) load() {
	if p.loaded {
		return
	}
	p.loaded = true
	data, err := os.ReadFile(p.path)
	if err != nil || json.Unmarshal(data, &p.kept) != nil || !p.kept.sound(p.build) {
		p.kept = keptPace{Version: p.build}
	}
}

// add notes that a candidate took so long to go through all layers. What is kept is
// written while it is new, and when it changes how many are read.
func (p *pace) add(took time.Duration) {
	if p.most <= 0 || took <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	fresh, before := len(p.kept.Seconds) < paceSamples, p.kept.Depth
	p.kept.Seconds = append(p.kept.Seconds, took.Seconds())
	p.kept.Seconds = slices.Clone(p.kept.Seconds[max(0, len(p.kept.Seconds)-paceSamples):])
	if len(p.kept.Seconds) >= paceNeeded {
		p.kept.Depth = fitting(p.kept.Seconds, p.kept.Depth, p.most)
	}
	if data, err := json.Marshal(&p.kept); err == nil && p.path != "" && (fresh || p.kept.Depth != before) {
		// Where it cannot be kept, the next process measures again.
		_ = opened.Keep(p.path, data)
	}
}

// fitting is the greatest number of candidates that the time is enough for, the least
// there is where it is enough for none. The one in use stays where it nearly fits.
func fitting(seconds []float64, now int, most time.Duration) int {
	sorted := slices.Sorted(slices.Values(seconds))
	each, best := sorted[len(sorted)/2], depths[0]
	for _, n := range depths {
		limit := most.Seconds()
		switch {
		case now == 0:
		case n > now:
			limit *= 1 - paceSlack
		default:
			limit *= 1 + paceSlack
		}
		if float64(n)*each <= limit {
			best = n
		}
	}
	return best
}
