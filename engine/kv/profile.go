package kv

import (
	"sync"
	"time"
)

// Profile is what bringing chunks back takes on a machine, in seconds.
type Profile struct {
	Pass     float64 `json:"pass"`     // of a recompute, however few tokens it has
	Token    float64 `json:"token"`    // of each token in it
	Position float64 `json:"position"` // of each position that a token attends to

	Read float64 `json:"read"` // of a read of a group of layers, however short it is
	Byte float64 `json:"byte"` // of each byte read
}

// UsualProfile is that of a small model on a few cores with a disk of the usual kind:
// what is planned with until something was measured.
var UsualProfile = Profile{Pass: 10e-3, Token: 2e-3, Position: 0.5e-6, Read: 0.1e-3, Byte: 1e-9}

// ComputeSeconds returns what a recompute of tokens takes that attend to positions.
func (p *Profile) ComputeSeconds(tokens int, positions int64) float64 {
	return p.Pass + p.Token*float64(tokens) + p.Position*float64(positions)
}

// chunkSeconds returns by how much a chunk makes a recompute longer.
func (p *Profile) chunkSeconds(m *MissingChunk) float64 {
	return p.Token*float64(m.Tokens) + p.Position*float64(m.positions())
}

// readSeconds returns what reading a chunk takes.
func (p *Profile) readSeconds(m *MissingChunk) float64 {
	return p.Read*Groups + p.Byte*float64(m.Bytes)
}

// sound reports whether all numbers are those of a machine.
func (p *Profile) sound() bool {
	for _, v := range []float64{p.Pass, p.Token, p.Position, p.Read, p.Byte} {
		if !(v >= 0 && v < 1e6) {
			return false
		}
	}
	return p.Token > 0 && p.Byte > 0
}

// Meter follows a Profile through what is computed and read anyway, so that nothing is
// measured for its own sake. Its methods may be called from several goroutines.
type Meter struct {
	mu      sync.Mutex
	compute fit // of a pass, a token and a position
	disk    fit // of a read and a byte
}

// NewMeter begins with a profile, such as one that an earlier process kept. One that no
// machine has is replaced by UsualProfile.
func NewMeter(p Profile) *Meter {
	if !p.sound() {
		p = UsualProfile
	}
	return &Meter{
		compute: fit{prior: [fitTerms]float64{p.Pass, p.Token, p.Position}},
		disk:    fit{prior: [fitTerms]float64{p.Read, p.Byte}},
	}
}

// leastPart is the least part of UsualProfile that a kept profile begins with: a term that
// an earlier process found to add nothing can still be found to add something.
const leastPart = 0.01

// Begin begins with a profile that an earlier process kept, unless something was measured
// already. One that no machine has is ignored.
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

// Computed learns from a recompute of tokens that attend to positions, each to those up
// to its own; or from a prompt, which is the same work.
func (m *Meter) Computed(tokens int, positions int64, took time.Duration) {
	if tokens <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.compute.add([fitTerms]float64{1, float64(tokens), float64(positions)}, took.Seconds())
}

// Read learns from reads of groups of layers.
func (m *Meter) Read(reads int, bytes int64, took time.Duration) {
	if reads <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.disk.add([fitTerms]float64{float64(reads), float64(bytes)}, took.Seconds())
}

// Profile returns what the machine takes as far as it is known.
func (m *Meter) Profile() Profile {
	m.mu.Lock()
	defer m.mu.Unlock()
	compute, disk := m.compute.solve(), m.disk.solve()
	return Profile{Pass: compute[0], Token: compute[1], Position: compute[2], Read: disk[0], Byte: disk[1]}
}
