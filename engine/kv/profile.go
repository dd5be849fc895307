package kv

import (
	"math"
	"sync"
	"time"
)

// Profile holds a machine's costs of restoring chunks, in seconds.
type Profile struct {
	Pass     float64 `json:"pass"`     // per recompute, however few its tokens
	Token    float64 `json:"token"`    // per computed token
	Position float64 `json:"position"` // per position that a token attends to

	Read float64 `json:"read"` // per read of a group of layers
	Byte float64 `json:"byte"` // per byte read
}

// UsualProfile is that of a small model on a few cores and a common disk, used until
// something is measured.
var UsualProfile = Profile{Pass: 10e-3, Token: 2e-3, Position: 0.5e-6, Read: 0.1e-3, Byte: 1e-9}

// computeSeconds returns the time to compute tokens that attend to positions.
func (p *Profile) computeSeconds(tokens int, positions int64) float64 {
	return p.Pass + p.Token*float64(tokens) + p.Position*float64(positions)
}

// chunkSeconds returns by how much a chunk lengthens a recompute.
func (p *Profile) chunkSeconds(m *MissingChunk) float64 {
	return p.Token*float64(m.Tokens) + p.Position*float64(m.positions())
}

func (p *Profile) readSeconds(m *MissingChunk) float64 {
	return p.Read*Groups + p.Byte*float64(m.Bytes)
}

// sound reports whether the numbers can be those of a machine.
func (p *Profile) sound() bool {
	for _, v := range []float64{p.Pass, p.Token, p.Position, p.Read, p.Byte} {
		if !(v >= 0 && v < 1e6) {
			return false
		}
	}
	return p.Token > 0 && p.Byte > 0
}

// Meter learns a Profile from what is computed and read anyway. It is safe for concurrent use.
type Meter struct {
	mu      sync.Mutex
	compute fit // terms: pass, token, position
	disk    fit // terms: read, byte
}

// NewMeter starts with a profile, such as one kept by an earlier process; an unsound one is
// replaced by UsualProfile.
func NewMeter(p Profile) *Meter {
	if !p.sound() {
		p = UsualProfile
	}
	return &Meter{
		compute: fit{prior: [fitTerms]float64{p.Pass, p.Token, p.Position}},
		disk:    fit{prior: [fitTerms]float64{p.Read, p.Byte}},
	}
}

// leastPart is the least fraction of UsualProfile that a kept term starts with, so that one
// measured as 0 can grow again.
const leastPart = 0.01

// Begin starts from an earlier process's profile unless something was measured already. An
// unsound one is ignored.
func (m *Meter) Begin(p Profile) {
	if !p.sound() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	usual, none := UsualProfile, [fitTerms]float64{}
	if m.compute.sums == none {
		m.compute.prior = [fitTerms]float64{max(p.Pass, leastPart*usual.Pass), max(p.Token, leastPart*usual.Token), max(p.Position, leastPart*usual.Position)}
	}
	if m.disk.sums == none {
		m.disk.prior = [fitTerms]float64{max(p.Read, leastPart*usual.Read), max(p.Byte, leastPart*usual.Byte)}
	}
}

// Computed observes a recompute, or a prompt, of tokens that attend to positions.
func (m *Meter) Computed(tokens int, positions int64, took time.Duration) {
	if tokens <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.compute.add([fitTerms]float64{1, float64(tokens), float64(positions)}, took.Seconds())
}

// Read observes reads of groups of layers.
func (m *Meter) Read(reads int, bytes int64, took time.Duration) {
	if reads <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.disk.add([fitTerms]float64{float64(reads), float64(bytes)}, took.Seconds())
}

// Profile returns the present estimate.
func (m *Meter) Profile() Profile {
	m.mu.Lock()
	defer m.mu.Unlock()
	compute, disk := m.compute.solve(), m.disk.solve()
	return Profile{Pass: compute[0], Token: compute[1], Position: compute[2], Read: disk[0], Byte: disk[1]}
}

// fitTerms is the most terms of a fit.
const fitTerms = 3

const (
	// fitDecay is the weight of an observation once another follows: about the last ten count.
	fitDecay = 0.9
	// priorWeight is the weight of the prior's proportions, in observations; a few similar
	// observations cannot separate the terms.
	priorWeight = 0.01
)

// fit estimates how much each term adds to a time, never less than zero, by least squares of
// relative errors. A term with a prior of 0 adds nothing.
type fit struct {
	prior [fitTerms]float64
	// Sums over observations x, divided by their time: x xᵀ and x.
	products [fitTerms][fitTerms]float64
	sums     [fitTerms]float64
}

// add observes that the terms took so many seconds together.
func (f *fit) add(terms [fitTerms]float64, seconds float64) {
	if !(seconds > 0) || math.IsInf(seconds, 1) {
		return
	}
	for i, x := range terms {
		f.sums[i] = fitDecay*f.sums[i] + x/seconds
		for j, y := range terms {
			f.products[i][j] = fitDecay*f.products[i][j] + x/seconds*y/seconds
		}
	}
}

// solve returns the seconds of one unit of each term. Observations that leave them open give
// them the proportions of the prior.
func (f *fit) solve() [fitTerms]float64 {
	// In units of the prior, scaled to fit best.
	var products [fitTerms][fitTerms]float64
	var sums [fitTerms]float64
	along, square := 0.0, 0.0
	for i, p := range f.prior {
		sums[i] = f.sums[i] * p
		along += sums[i]
		for j, q := range f.prior {
			products[i][j] = f.products[i][j] * p * q
			square += products[i][j]
		}
	}
	if !(square > 0) {
		return f.prior
	}
	scale := along / square
	var used [fitTerms]bool
	for i, p := range f.prior {
		used[i] = p > 0
		products[i][i] += priorWeight / (scale * scale)
		sums[i] += priorWeight / scale
	}
	found := positive(products, sums, used)
	for i, p := range f.prior {
		found[i] *= p
	}
	return found
}

// positive solves equations for the used terms. Terms that would be negative become 0.
func positive(a [fitTerms][fitTerms]float64, b [fitTerms]float64, used [fitTerms]bool) [fitTerms]float64 {
	for {
		x, least := eliminate(a, b, used), -1
		for i, v := range x {
			if used[i] && v < 0 && (least < 0 || v < x[least]) {
				least = i
			}
		}
		if least < 0 {
			return x
		}
		used[least] = false
	}
}

// eliminate solves the equations of the used terms; the others are 0. The matrix is
// symmetric with a raised diagonal, so no pivot is 0.
func eliminate(a [fitTerms][fitTerms]float64, b [fitTerms]float64, used [fitTerms]bool) [fitTerms]float64 {
	var x [fitTerms]float64
	for i := range a {
		for j := i + 1; used[i] && j < len(a); j++ {
			if !used[j] {
				continue
			}
			share := a[j][i] / a[i][i]
			for k := i; k < len(a); k++ {
				a[j][k] -= share * a[i][k]
			}
			b[j] -= share * b[i]
		}
	}
	for i := len(a) - 1; i >= 0; i-- {
		if !used[i] {
			continue
		}
		x[i] = b[i]
		for j := i + 1; j < len(a); j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x
}
