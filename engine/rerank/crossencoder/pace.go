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

// depths are the possible numbers of candidates, each with thresholds that come with the model.
// They are few, so that a machine stays with one and equal queries give equal results. With 8,
// notes would lose .007 nDCG@10 against 12, and .009 more at equal cost.
var depths = []int{12, 20, 40}

const (
	// paceSamples is the number of passes whose median tells the time of a candidate; opening the
	// model or a busy minute does not move it.
	paceSamples = 8
	// paceNeeded is the number of passes with engine.RerankDepth candidates before a choice.
	paceNeeded = 3
	// paceSlack is the share of the time by which another depth must fit to replace the one in
	// use.
	paceSlack = 0.25
)

// pace measures the time of a candidate on this machine and derives the depth. It is kept in a
// file for processes that ask one question.
type pace struct {
	path  string // "": not kept
	build string // of dowse, whose kernels were measured
	most  time.Duration

	mu     sync.Mutex
	loaded bool
	kept   keptPace
}

type keptPace struct {
	Version string    `json:"version"`
	Depth   int       `json:"depth"`   // 0 before paceNeeded passes
	Seconds []float64 `json:"seconds"` // per candidate through all layers, the last pass last
}

// sound reports whether this version can have written the file.
func (k *keptPace) sound(build string) bool {
	bad := func(seconds float64) bool { return !(seconds > 0) || math.IsInf(seconds, 0) }
	return k.Version == build && (k.Depth == 0 || slices.Contains(depths, k.Depth)) &&
		len(k.Seconds) <= paceSamples && !slices.ContainsFunc(k.Seconds, bad)
}

// depth returns the number of candidates to read.
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
	// The file may be of another time limit.
	return fitting(p.kept.Seconds, p.kept.Depth, p.most)
}

// load reads the file once; an unsound one is ignored. The caller holds p.mu.
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

// add adds the time of a candidate through all layers. The file is written while samples are few
// and when the depth changes.
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
		// If that fails, the next process measures again.
		_ = opened.Keep(p.path, data)
	}
}

// fitting returns the greatest depth that fits the time, or the least one. The depth in use stays
// if it nearly fits.
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
