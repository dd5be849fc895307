package kv

import "math"

// fitTerms is the most terms of a fit.
const fitTerms = 3

const (
	// fitDecay is how much an observation counts after the next one: about the last ten
	// tell what a machine does now.
	fitDecay = 0.9
	// priorWeight is how many observations the proportions of the prior count for. A few
	// alike do not tell what is due to which term.
	priorWeight = 0.01
)

// fit follows what each of some terms adds to a time, none of them below zero, by least
// squares of relative errors. A term whose prior is 0 adds nothing.
type fit struct {
	prior [fitTerms]float64
	// Of observations x, divided by their time: the sums of x xᵀ and of x.
	products [fitTerms][fitTerms]float64
	sums     [fitTerms]float64
}

// add learns that the terms took so many seconds together.
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

// solve returns the seconds of one of each term. Where observations leave them open, they
// have the proportions of the prior.
func (f *fit) solve() [fitTerms]float64 {
	// In units of the prior, scaled so that it fits as well as it can.
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

// positive solves equations for the terms that are used, less those that would be below
// zero, which are 0 then.
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

// eliminate solves the equations of the terms that are used; the others are 0. The
// matrix is symmetric, with a diagonal that was raised, so that no pivot is 0.
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
